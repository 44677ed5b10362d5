<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name></name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Node</source>
        <translation>节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>内核(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Transform</source>
        <translation>变换(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>En&amp;gine</source>
        <translation>引擎(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Nothing was copied.</source>
        <translation>没有复制任何东西。</translation>
    </message>
    <message>
        <source>Select other nodes.</source>
        <translation>请选择其他节点。</translation>
    </message>
    <message>
        <source>Copy nodes of a graph first (Ctrl+C).</source>
        <translation>请先复制图中的节点 (Ctrl+C)。</translation>
    </message>
    <message>
        <source>Nothing was edited.</source>
        <translation>没有执行编辑。</translation>
    </message>
    <message>
        <source>Not equal to {name}, and left as they are: {left_out}.</source>
        <translation>与 {name} 不同，保持原样：{left_out}。</translation>
    </message>
    <message>
        <source>Edit these by themselves.</source>
        <translation>请单独编辑它们。</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Copy the selected nodes and remove them</source>
        <translation>复制选中的节点并删除它们</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the selected nodes as JSON text, to be pasted into this graph or another</source>
        <translation>把选中的节点复制为 JSON 文本，以便粘贴到此图或其他图</translation>
    </message>
    <message>
        <source>Paste…</source>
        <translation>粘贴…</translation>
    </message>
    <message>
        <source>Put copied nodes into the graph in front</source>
        <translation>把复制的节点放入当前的图</translation>
    </message>
    <message>
        <source>Pattern from the selection</source>
        <translation>由选择生成模式</translation>
    </message>
    <message>
        <source>Look for every place like the selected calls, by torch&apos;s own matcher, and replace them</source>
        <translation>用 torch 自己的匹配器查找每一处与选中调用相同的地方，并替换它们</translation>
    </message>
    <message>
        <source>Select every node like this</source>
        <translation>选择所有同类节点</translation>
    </message>
    <message>
        <source>Nodes that call the same with the same constants</source>
        <translation>调用相同运算且常量相同的节点</translation>
    </message>
    <message>
        <source>Select every call of this operation</source>
        <translation>选择此运算的所有调用</translation>
    </message>
    <message>
        <source>Nodes that call the same</source>
        <translation>调用相同运算的节点</translation>
    </message>
    <message>
        <source>Select everything of this module</source>
        <translation>选择此模块的全部节点</translation>
    </message>
    <message>
        <source>Nodes that were made in the same module</source>
        <translation>在同一模块中生成的节点</translation>
    </message>
    <message>
        <source>Apply the last edits to all equal layers</source>
        <translation>把最近的编辑应用到所有相同的层</translation>
    </message>
    <message>
        <source>What was last edited in one layer of the graph in front, edited in every layer that was equal to it</source>
        <translation>把最近在当前图的一层中所做的编辑，应用到原本与它相同的每一层</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Lay the stage in front beside any other stage, pass, capture or file</source>
        <translation>把当前阶段与任何其他阶段、pass、捕获或文件并排</translation>
    </message>
    <message>
        <source>Compare with the pass before</source>
        <translation>与前一个 pass 比较</translation>
    </message>
    <message>
        <source>What the pass on show did to the graph; without one, what all passes did</source>
        <translation>所示的 pass 对图做了什么；没有时，所有 pass 做了什么</translation>
    </message>
    <message>
        <source>Compare with the capture before</source>
        <translation>与前一次捕获比较</translation>
    </message>
    <message>
        <source>The stage in front beside the same one of the capture before</source>
        <translation>把当前阶段与上一次捕获的同一阶段并排</translation>
    </message>
    <message>
        <source>Select another node.</source>
        <translation>请选择另一个节点。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Take the last edit back</source>
        <translation>撤销最后一次编辑</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Make the edit again</source>
        <translation>重新执行该编辑</translation>
    </message>
    <message>
        <source>Recover edits</source>
        <translation>恢复编辑</translation>
    </message>
    <message>
        <source>Make the edits of a session that ended unexpectedly again</source>
        <translation>重做意外结束的会话中的编辑</translation>
    </message>
    <message>
        <source>Replace relu by gelu</source>
        <translation>用 gelu 替换 relu</translation>
    </message>
    <message>
        <source>Let the selected relu call gelu</source>
        <translation>让选中的 relu 改为调用 gelu</translation>
    </message>
    <message>
        <source>Replace target…</source>
        <translation>替换目标…</translation>
    </message>
    <message>
        <source>Let the selected node, or several that call the same, call another operation</source>
        <translation>让选中的一个节点，或调用相同运算的几个节点，改为调用其他运算</translation>
    </message>
    <message>
        <source>Replace every node like this…</source>
        <translation>替换所有同类节点…</translation>
    </message>
    <message>
        <source>Let every node that calls the same call another operation</source>
        <translation>让所有调用相同运算的节点改为调用其他运算</translation>
    </message>
    <message>
        <source>Insert op on edge…</source>
        <translation>在边上插入运算…</translation>
    </message>
    <message>
        <source>Put an operation behind the selected node; select a node and its user for one edge only</source>
        <translation>在选中的节点之后插入运算；只用于一条边时，请选择节点及其使用者</translation>
    </message>
    <message>
        <source>Insert op before…</source>
        <translation>在前面插入运算…</translation>
    </message>
    <message>
        <source>Put an operation on an input of the selected node</source>
        <translation>在选中节点的一个输入上插入运算</translation>
    </message>
    <message>
        <source>Arguments…</source>
        <translation>参数…</translation>
    </message>
    <message>
        <source>Change the arguments of the selected node, or of several that call the same, in a form</source>
        <translation>在表单中修改选中的一个节点，或调用相同运算的几个节点的参数</translation>
    </message>
    <message>
        <source>Set to a constant…</source>
        <translation>设为常量…</translation>
    </message>
    <message>
        <source>Let the selected node give a constant</source>
        <translation>让选中的节点给出常量</translation>
    </message>
    <message>
        <source>Use another input…</source>
        <translation>改用其他输入…</translation>
    </message>
    <message>
        <source>Let the selected node use another node; on the canvas, drag the end of an arrow</source>
        <translation>让选中的节点使用其他节点；在画布上可拖动箭头的端点</translation>
    </message>
    <message>
        <source>Duplicate node…</source>
        <translation>复制节点…</translation>
    </message>
    <message>
        <source>Make a second node like the selected one and choose who uses it</source>
        <translation>再生成一个与选中节点相同的节点，并选择谁使用它</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Remove the selected nodes; what they use takes their place</source>
        <translation>删除选中的节点；由它们的输入代替</translation>
    </message>
    <message>
        <source>Edit as text</source>
        <translation>以文本编辑</translation>
    </message>
    <message>
        <source>Change the program of the graph, the wrapper or the text in front; what is typed becomes edits</source>
        <translation>修改当前的图、wrapper 或文本；输入的内容成为编辑</translation>
    </message>
    <message>
        <source>Open line in editor</source>
        <translation>在编辑器中打开该行</translation>
    </message>
    <message>
        <source>Open the selected line, or the line that the selection was made on, in your own editor</source>
        <translation>在您自己的编辑器中打开选中的行，或选择所来自的行</translation>
    </message>
    <message>
        <source>Replace every relu by gelu</source>
        <translation>把所有 relu 替换为 gelu</translation>
    </message>
    <message>
        <source>In the graph in front</source>
        <translation>在当前的图中</translation>
    </message>
    <message>
        <source>Remove every dropout</source>
        <translation>删除所有 dropout</translation>
    </message>
    <message>
        <source>Recompile</source>
        <translation>重新编译</translation>
    </message>
    <message>
        <source>Compile the edits, check the results and time them</source>
        <translation>编译这些编辑，检查结果并计时</translation>
    </message>
    <message>
        <source>Recompile by itself</source>
        <translation>自动重新编译</translation>
    </message>
    <message>
        <source>Compile a moment after the last edit</source>
        <translation>最后一次编辑后稍等片刻即编译</translation>
    </message>
    <message>
        <source>Editor command…</source>
        <translation>编辑器命令…</translation>
    </message>
    <message>
        <source>Set how lines are opened in your own editor</source>
        <translation>设置怎样在您自己的编辑器中打开行</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop what the engine is doing; nothing is lost</source>
        <translation>停止引擎正在做的事；不会丢失任何东西</translation>
    </message>
    <message>
        <source>Restart engine</source>
        <translation>重启引擎</translation>
    </message>
    <message>
        <source>End the worker and start another; captures and edits are kept</source>
        <translation>结束 worker 并启动新的；捕获和编辑会保留</translation>
    </message>
    <message>
        <source>Find what makes it wrong</source>
        <translation>查找结果错误的原因</translation>
    </message>
    <message>
        <source>Take parts of the pipeline out, one after the other, until what makes compiled results wrong is known</source>
        <translation>逐一去掉流水线的各部分，直到找出是什么使编译结果出错</translation>
    </message>
    <message>
        <source>Find why it does not compile</source>
        <translation>查找无法编译的原因</translation>
    </message>
    <message>
        <source>Compile the program one step of the pipeline further each time, in processes of their own, until it fails; then make it smaller</source>
        <translation>每次让程序多编译流水线的一步，各在自己的进程中，直到失败；然后把它缩小</translation>
    </message>
    <message>
        <source>Find what makes it slow</source>
        <translation>查找变慢的原因</translation>
    </message>
    <message>
        <source>Try on copies what could make the step faster, each timed in turns with the step as it is</source>
        <translation>在副本上尝试可能使一步变快的办法，每个都与原样交替计时</translation>
    </message>
    <message>
        <source>Find what compiling costs</source>
        <translation>查找编译的代价</translation>
    </message>
    <message>
        <source>By line and module: seconds of a cold compile, memory of a step, recompiles; and what one change saves</source>
        <translation>按行和模块：冷编译的秒数、一步的内存、重新编译；以及一处修改能省多少</translation>
    </message>
    <message>
        <source>Look at values</source>
        <translation>查看数值</translation>
    </message>
    <message>
        <source>Run a step and colour post-grad graphs by NaN, infinities, overflow beyond float16 and zeros of every node</source>
        <translation>运行一步，并按每个节点的 NaN、无穷、超出 float16 和零给 post-grad 图着色</translation>
    </message>
    <message>
        <source>Tours…</source>
        <translation>导览…</translation>
    </message>
    <message>
        <source>Walks through the window, on a program that comes with it or one of yours</source>
        <translation>带您在窗口中走一遍，用自带的程序或您自己的程序</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>起始页</translation>
    </message>
    <message>
        <source>Open, recent, tours, examples; what is open stays open</source>
        <translation>打开、最近、导览、示例；已打开的内容保留</translation>
    </message>
    <message>
        <source>All actions…</source>
        <translation>所有操作…</translation>
    </message>
    <message>
        <source>Search every action</source>
        <translation>搜索所有操作</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>List every shortcut</source>
        <translation>列出所有快捷键</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Choose a program and its inputs, and capture its compilation</source>
        <translation>选择程序及其输入，捕获它的编译过程</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>A session, a log of torch&apos;s, a Python file, or what torch.export saved; no code of a session or log is run</source>
        <translation>会话、torch 的日志、Python 文件，或 torch.export 保存的内容；不运行会话或日志中的代码</translation>
    </message>
    <message>
        <source>Run on another machine…</source>
        <translation>在另一台机器上运行…</translation>
    </message>
    <message>
        <source>Start the engine where the GPU is, over your own ssh or another command</source>
        <translation>在有 GPU 的地方启动引擎，通过您自己的 ssh 或其他命令</translation>
    </message>
    <message>
        <source>Capture again</source>
        <translation>重新捕获</translation>
    </message>
    <message>
        <source>Run the program that is open, or that failed, once more, from the files as they are now; edits start afresh</source>
        <translation>按文件的现状再次运行打开的或失败的程序；编辑重新开始</translation>
    </message>
    <message>
        <source>Assumptions…</source>
        <translation>假设…</translation>
    </message>
    <message>
        <source>What the absent GPU would have measured, and what to assume instead</source>
        <translation>不在本机的 GPU 本会测量什么，以及代之作何假设</translation>
    </message>
    <message>
        <source>Your files…</source>
        <translation>您的文件…</translation>
    </message>
    <message>
        <source>Say which installed packages and which folders are yours, and capture so</source>
        <translation>说明哪些已安装的包和哪些文件夹是您的，并照此捕获</translation>
    </message>
    <message>
        <source>Measured choices…</source>
        <translation>测得的选择…</translation>
    </message>
    <message>
        <source>Every candidate that torch timed on the GPU while it compiled</source>
        <translation>torch 编译时在 GPU 上计时过的每个候选</translation>
    </message>
    <message>
        <source>Watch the file</source>
        <translation>监视文件</translation>
    </message>
    <message>
        <source>Capture again whenever a file of the program is saved, and say what changed; edits that fit are made again</source>
        <translation>每当程序的文件被保存就重新捕获，并说明变化；仍适用的编辑会重做</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save captures, edits and results</source>
        <translation>保存捕获、编辑和结果</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save to another file</source>
        <translation>保存到另一个文件</translation>
    </message>
    <message>
        <source>Export edits as code…</source>
        <translation>把编辑导出为代码…</translation>
    </message>
    <message>
        <source>Write the compiled edits as FX passes that need torch only, with a test and a recipe for loupe edit</source>
        <translation>把已编译的编辑写成只需要 torch 的 FX pass，附测试和 loupe edit 的用法</translation>
    </message>
    <message>
        <source>Export graph…</source>
        <translation>导出图…</translation>
    </message>
    <message>
        <source>Write the graph in front as GraphML or DOT, for yEd, Gephi, Graphviz or networkx</source>
        <translation>把当前的图写成 GraphML 或 DOT，用于 yEd、Gephi、Graphviz 或 networkx</translation>
    </message>
    <message>
        <source>Share as HTML…</source>
        <translation>以 HTML 分享…</translation>
    </message>
    <message>
        <source>Write what is shown as one page that any browser opens, with its code or without</source>
        <translation>把所显示的写成任何浏览器都能打开的一页，可含或不含代码</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Do not fuse</source>
        <translation>不融合</translation>
    </message>
    <message>
        <source>Keep the selected nodes of the loop IR in kernels of their own; a fused node is taken apart</source>
        <translation>让循环 IR 中选中的节点各在自己的内核中；融合的节点会被拆开</translation>
    </message>
    <message>
        <source>Fuse</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Ask for one kernel for the selected nodes; Inductor still refuses what would be wrong</source>
        <translation>请求把选中的节点放入一个内核；Inductor 仍会拒绝不正确的融合</translation>
    </message>
    <message>
        <source>Leave fusion to Inductor</source>
        <translation>由 Inductor 决定融合</translation>
    </message>
    <message>
        <source>Take back what was chosen of the selected nodes</source>
        <translation>收回对选中节点所作的选择</translation>
    </message>
    <message>
        <source>Why not fused?</source>
        <translation>为何没有融合?</translation>
    </message>
    <message>
        <source>What Inductor said of fusing the two selected nodes, and the memory traffic that it saves or would save</source>
        <translation>Inductor 对融合这两个选中节点怎么说，以及省下或会省下多少内存访问</translation>
    </message>
    <message>
        <source>Edit kernel source…</source>
        <translation>编辑内核源码…</translation>
    </message>
    <message>
        <source>Change the generated source of the selected kernel; only it is built again</source>
        <translation>修改选中内核的生成源码；只重新构建它</translation>
    </message>
    <message>
        <source>Knobs of the kernel…</source>
        <translation>内核参数…</translation>
    </message>
    <message>
        <source>What Inductor can be told for the selected kernel alone: vectorisation, threads, tiling, loop order; of a Triton kernel that was lowered block sizes, warps and stages</source>
        <translation>可单独告诉 Inductor 关于选中内核的内容：向量化、线程、分块、循环顺序；对已降级的 Triton 内核还有块大小、warp 和 stage</translation>
    </message>
    <message>
        <source>Assembly of the kernel…</source>
        <translation>内核的汇编…</translation>
    </message>
    <message>
        <source>What is made of the selected kernel beside its source, line by line: C++ to instructions, Triton to PTX and SASS</source>
        <translation>选中的内核逐行变成了什么，与源码并排：C++ 到指令，Triton 到 PTX 和 SASS</translation>
    </message>
    <message>
        <source>Check the kernel on the CPU…</source>
        <translation>在 CPU 上检查内核…</translation>
    </message>
    <message>
        <source>Run the Triton kernels of this graph through Triton&apos;s interpreter, without a GPU, and compare each with the graph</source>
        <translation>不用 GPU，用 Triton 的解释器运行此图的 Triton 内核，并逐个与图比较</translation>
    </message>
    <message>
        <source>No way leads from {first} to {picked}, nor back.</source>
        <translation>{first} 与 {picked} 之间没有通路，反向也没有。</translation>
    </message>
    <message>
        <source>Select two nodes of which one uses the other&apos;s result.</source>
        <translation>请选择两个节点，其中一个使用另一个的结果。</translation>
    </message>
    <message>
        <source>Nothing leads there.</source>
        <translation>没有通到那里的路径。</translation>
    </message>
    <message>
        <source>The critical path takes {time} of measured kernel time, in {count} nodes.</source>
        <translation>关键路径占测得的内核时间 {time}，共 {count} 个节点。</translation>
    </message>
    <message>
        <source>It is selected. Colour by Measured time to see what it costs where.</source>
        <translation>已选中它。按“测得的时间”着色可看到各处的代价。</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>还没有测量。</translation>
    </message>
    <message>
        <source>Start the timings first.</source>
        <translation>请先开始计时。</translation>
    </message>
    <message>
        <source>Hide selected</source>
        <translation>隐藏所选</translation>
    </message>
    <message>
        <source>Leave the selected nodes out of the drawing; arrows lead on through them, dashed</source>
        <translation>在图中不画选中的节点；箭头以虚线穿过它们</translation>
    </message>
    <message>
        <source>Hide everything else</source>
        <translation>隐藏其余部分</translation>
    </message>
    <message>
        <source>Draw the selected nodes only; I and O reveal what is around</source>
        <translation>只画选中的节点；按 I 和 O 显示周围的节点</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Draw everything again; filters are switched off</source>
        <translation>重新画出一切；关闭过滤器</translation>
    </message>
    <message>
        <source>Filters…</source>
        <translation>过滤器…</translation>
    </message>
    <message>
        <source>An ordered list of queries that hide or show nodes, to be saved under a name</source>
        <translation>按顺序排列的查询，隐藏或显示节点，可命名保存</translation>
    </message>
    <message>
        <source>Way between two nodes</source>
        <translation>两个节点之间的路径</translation>
    </message>
    <message>
        <source>Select everything on any way between the two selected nodes</source>
        <translation>选择两个选中节点之间任何路径上的一切</translation>
    </message>
    <message>
        <source>What all leads through</source>
        <translation>必经节点</translation>
    </message>
    <message>
        <source>Select the nodes that every way to the selected one passes (its dominators)</source>
        <translation>选择通往选中节点的每条路径都经过的节点（支配节点）</translation>
    </message>
    <message>
        <source>Slowest line</source>
        <translation>最慢的行</translation>
    </message>
    <message>
        <source>Select the source line with most measured kernel time of its own, once more for the next; times the program first where it was not timed</source>
        <translation>选择自身内核时间最多的源码行，再按一次到下一行；没有计时过则先给程序计时</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Select the way with the most measured time</source>
        <translation>选择测得时间最多的路径</translation>
    </message>
    <message>
        <source>Save for the backward</source>
        <translation>为反向保存</translation>
    </message>
    <message>
        <source>Let the forward keep the selected results of the joint graph for the backward</source>
        <translation>让前向为反向保留联合图中选中的结果</translation>
    </message>
    <message>
        <source>Recompute in the backward</source>
        <translation>在反向中重算</translation>
    </message>
    <message>
        <source>Let the backward compute the selected results of the joint graph again</source>
        <translation>让反向重新计算联合图中选中的结果</translation>
    </message>
    <message>
        <source>Leave it to the partitioner</source>
        <translation>由分割器决定</translation>
    </message>
    <message>
        <source>Take back what was chosen of the selected results</source>
        <translation>收回对选中结果所作的选择</translation>
    </message>
    <message>
        <source>Extract to a submodule…</source>
        <translation>提取为子模块…</translation>
    </message>
    <message>
        <source>Make the selected nodes one call of a submodule</source>
        <translation>把选中的节点变为对一个子模块的一次调用</translation>
    </message>
    <message>
        <source>Wrap in a custom operator…</source>
        <translation>包装为自定义算子…</translation>
    </message>
    <message>
        <source>Make the selected nodes one operator that Inductor cannot look into</source>
        <translation>把选中的节点变为一个 Inductor 看不到内部的算子</translation>
    </message>
    <message>
        <source>Inline</source>
        <translation>内联</translation>
    </message>
    <message>
        <source>Put what the selected node holds back in its place</source>
        <translation>把选中节点所包含的内容放回原处</translation>
    </message>
    <message>
        <source>Next stage</source>
        <translation>下一阶段</translation>
    </message>
    <message>
        <source>Bring the next stage to the front; the selection follows</source>
        <translation>显示下一阶段；选择随之移动</translation>
    </message>
    <message>
        <source>Previous stage</source>
        <translation>上一阶段</translation>
    </message>
    <message>
        <source>Bring the stage before to the front</source>
        <translation>显示上一阶段</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>The selection before this one</source>
        <translation>前一个选择</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>The selection after this one</source>
        <translation>后一个选择</translation>
    </message>
    <message>
        <source>Pass back</source>
        <translation>上一个 pass</translation>
    </message>
    <message>
        <source>The graph in front as it was before the pass that is shown</source>
        <translation>当前的图在所示 pass 之前的样子</translation>
    </message>
    <message>
        <source>Pass forward</source>
        <translation>下一个 pass</translation>
    </message>
    <message>
        <source>The graph in front after the next pass that changed it</source>
        <translation>当前的图在下一个改变它的 pass 之后的样子</translation>
    </message>
    <message>
        <source>History of the node</source>
        <translation>节点的历史</translation>
    </message>
    <message>
        <source>What every stage and every pass made of the selected node, in the inspector</source>
        <translation>每个阶段和每个 pass 把选中节点变成了什么，在检查器中</translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation>清除选择</translation>
    </message>
    <message>
        <source>Select nothing; while the engine works, Esc cancels instead</source>
        <translation>取消选择；引擎工作时 Esc 改为取消</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>The language of menus, panes and the start page, from the next start on</source>
        <translation>菜单、面板和起始页的语言，下次启动时生效</translation>
    </message>
    <message>
        <source>Workspace: {name}</source>
        <translation>工作区：{name}</translation>
    </message>
    <message>
        <source>Bring the panes of the {name} workspace to the front</source>
        <translation>显示“{name}”工作区的面板</translation>
    </message>
    <message>
        <source>Reset arrangement</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>Put the panes of this workspace where they are at first</source>
        <translation>把此工作区的面板放回初始位置</translation>
    </message>
    <message>
        <source>Pane alone</source>
        <translation>仅显示此面板</translation>
    </message>
    <message>
        <source>All the room for the pane that has the focus, or everything where it was; a double click on a tab does the same</source>
        <translation>把全部空间给有焦点的面板，或恢复原样；双击标签效果相同</translation>
    </message>
    <message>
        <source>Labs</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Front ends, GPU kernels, dispatcher, PrimTorch, TorchScript, options of torch.compile</source>
        <translation>前端、GPU 内核、分派器、PrimTorch、TorchScript、torch.compile 的选项</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>下一个面板</translation>
    </message>
    <message>
        <source>The keyboard to the next pane that is seen</source>
        <translation>键盘焦点移到下一个可见的面板</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>上一个面板</translation>
    </message>
    <message>
        <source>The keyboard to the pane before</source>
        <translation>键盘焦点移到上一个面板</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>The whole screen, or a window again</source>
        <translation>占满整个屏幕，或恢复为窗口</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>All text of this workspace, as for a projector</source>
        <translation>此工作区的全部文字，适合投影仪</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>All text of this workspace</source>
        <translation>此工作区的全部文字</translation>
    </message>
    <message>
        <source>Usual text size</source>
        <translation>默认文字大小</translation>
    </message>
    <message>
        <source>The size of the system</source>
        <translation>系统的大小</translation>
    </message>
    <message>
        <source>Presentation</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>For a room: larger text and graphs, more contrast, thicker lines, a ring around the pointer; for this workspace</source>
        <translation>适合教室：更大的文字和图、更强的对比、更粗的线、指针周围的圆环；只对此工作区</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>探索</translation>
    </message>
    <message>
        <source>Your code, every stage that torch makes of it, and what is known of what you select</source>
        <translation>您的代码、torch 由它生成的每个阶段，以及关于所选内容的一切信息</translation>
    </message>
    <message>
        <source>Breaks</source>
        <translation>图中断</translation>
    </message>
    <message>
        <source>Where and why Dynamo stopped, and remedies that are tried on a copy of your program</source>
        <translation>Dynamo 在哪里、为何停下，以及在程序副本上尝试的修复办法</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Change nodes, fusions and kernels, recompile, and go back to any state</source>
        <translation>修改节点、融合和内核，重新编译，并回到任何状态</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>What the time goes to, by line, kernel and part of the step</source>
        <translation>时间用在哪里：按行、内核和步的各部分</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>A program that runs by itself: its compiles, their causes, its steps, its processes</source>
        <translation>独立运行的程序：它的编译及原因、各步、各进程</translation>
    </message>
    <message>
        <source>Teach</source>
        <translation>教学</translation>
    </message>
    <message>
        <source>From a line of code to the graph and to the generated code; Ctrl+= makes the text larger</source>
        <translation>从一行代码到图再到生成的代码；Ctrl+= 放大文字</translation>
    </message>
    <message>
        <source>Panes</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Panes that this workspace does not show: front ends, dispatcher, GPU kernels, patterns, …</source>
        <translation>此工作区未显示的面板：前端、分派器、GPU 内核、模式……</translation>
    </message>
    <message>
        <source>Graph breaks</source>
        <translation>图中断</translation>
    </message>
    <message numerus="yes">
        <source>%n function(s) changed</source>
        <translation>
            <numerusform>改变了 %n 个函数</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Source: %n line(s) changed</source>
        <translation>
            <numerusform>源码：改变了 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>capture</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>saved for backward</source>
        <translation>为反向保存</translation>
    </message>
    <message>
        <source>{gone} gone</source>
        <translation>{gone} 个消失</translation>
    </message>
    <message>
        <source>{new} new</source>
        <translation>{new} 个新增</translation>
    </message>
    <message numerus="yes">
        <source>%n graph(s)</source>
        <translation>
            <numerusform>%n 张图</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n op(s)</source>
        <translation>
            <numerusform>%n 个运算</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guard(s)</source>
        <translation>
            <numerusform>%n 个 guard</numerusform>
        </translation>
    </message>
    <message>
        <source>{compile_id} {title}: {signs} nodes</source>
        <translation>{compile_id} {title}：{signs} 个节点</translation>
    </message>
    <message>
        <source>Graphs gone and new: {count}</source>
        <translation>消失和新增的图：{count}</translation>
    </message>
    <message>
        <source>Kernels: {names}</source>
        <translation>内核：{names}</translation>
    </message>
    <message>
        <source>lines are gone behind this one</source>
        <translation>此行之后有行消失</translation>
    </message>
    <message>
        <source>− problem</source>
        <translation>− 问题</translation>
    </message>
    <message>
        <source>+ problem</source>
        <translation>+ 问题</translation>
    </message>
    <message>
        <source>   edited</source>
        <translation>   已编辑</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Comes from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>No link to another stage was recorded for it.</source>
        <translation>没有记录它与其他阶段的联系。</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Text of the stage</source>
        <translation>阶段的文本</translation>
    </message>
    <message>
        <source>Open a model to begin</source>
        <translation>请打开模型以开始</translation>
    </message>
    <message>
        <source>The graphs of every stage appear here once it is captured.</source>
        <translation>捕获后，每个阶段的图显示在这里。</translation>
    </message>
    <message>
        <source>Everything is hidden</source>
        <translation>一切都已隐藏</translation>
    </message>
    <message>
        <source>Show all (Shift+U), or change the filters (Ctrl+Shift+L).</source>
        <translation>全部显示 (Shift+U)，或修改过滤器 (Ctrl+Shift+L)。</translation>
    </message>
    <message>
        <source>This graph could not be laid out</source>
        <translation>无法对此图布局</translation>
    </message>
    <message>
        <source>Its program is in the code pane; the log says why.</source>
        <translation>它的程序在代码面板中；日志说明原因。</translation>
    </message>
    <message>
        <source>Not laid out</source>
        <translation>没有布局</translation>
    </message>
    <message>
        <source>You stopped it. Choose the stage again to lay it out.</source>
        <translation>您停止了布局。再次选择该阶段即可布局。</translation>
    </message>
    <message>
        <source>Kept on {number}</source>
        <translation>保存于 {number}</translation>
    </message>
    <message>
        <source>{nodes}, {edges}.</source>
        <translation>{nodes}，{edges}。</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edge(s)</source>
        <translation>
            <numerusform>%n 条边</numerusform>
        </translation>
    </message>
    <message>
        <source>{text} Selected: {reported}</source>
        <translation>{text} 已选：{reported}</translation>
    </message>
    <message>
        <source>The stage that is shown, as boxes and arrows</source>
        <translation>当前阶段，以方框和箭头显示</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Every stage of the program, in the order torch makes them</source>
        <translation>程序的每个阶段，按 torch 生成的顺序</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>包含</translation>
    </message>
    <message>
        <source>Probed</source>
        <translation>已探测</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>top level</source>
        <translation>顶层</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>被使用于</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>strides ({names})</source>
        <translation>步幅 ({names})</translation>
    </message>
    <message>
        <source>requires grad</source>
        <translation>需要梯度</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>搬移</translation>
    </message>
    <message>
        <source>{size} (Inductor&apos;s count)</source>
        <translation>{size}（Inductor 的统计）</translation>
    </message>
    <message>
        <source>Fuses</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Knob</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>{knob} = {value}, turned by hand</source>
        <translation>{knob} = {value}，手动设置</translation>
    </message>
    <message>
        <source>Reads from</source>
        <translation>读自</translation>
    </message>
    <message>
        <source>Lowered from</source>
        <translation>降级自</translation>
    </message>
    <message>
        <source>Fused</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Not fused with {value}: {reason}</source>
        <translation>未与 {value} 融合：{reason}</translation>
    </message>
    <message>
        <source>Loop body</source>
        <translation>循环体</translation>
    </message>
    <message>
        <source> (it would save {size} of memory traffic)</source>
        <translation>（会省下 {size} 的内存访问）</translation>
    </message>
    <message>
        <source>  size {size}</source>
        <translation>  大小 {size}</translation>
    </message>
    <message>
        <source>{id}, line {line}</source>
        <translation>{id}，第 {line} 行</translation>
    </message>
    <message>
        <source>{language} kernel</source>
        <translation>{language} 内核</translation>
    </message>
    <message>
        <source>library call</source>
        <translation>库调用</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>none: the wrapper calls a library</source>
        <translation>无：wrapper 调用库</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Made from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Called</source>
        <translation>调用于</translation>
    </message>
    <message>
        <source>wrapper line {call_line}</source>
        <translation>wrapper 第 {call_line} 行</translation>
    </message>
    <message>
        <source>instruction; the log does not tell its offset</source>
        <translation>指令；日志未给出其偏移</translation>
    </message>
    <message>
        <source>instruction at offset {offset}</source>
        <translation>偏移 {offset} 处的指令</translation>
    </message>
    <message>
        <source>traced it</source>
        <translation>追踪了它</translation>
    </message>
    <message>
        <source>did not trace it</source>
        <translation>没有追踪它</translation>
    </message>
    <message>
        <source>line of the program</source>
        <translation>程序的一行</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Your file, with what became of each line</source>
        <translation>您的文件，以及每一行变成了什么</translation>
    </message>
    <message>
        <source>Bytecode</source>
        <translation>字节码</translation>
    </message>
    <message>
        <source>What Python runs, and what Dynamo made of it</source>
        <translation>Python 运行什么，以及 Dynamo 把它变成了什么</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Value and checks</source>
        <translation>值和检查</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>{path}:{line} in {function}
{text}</source>
        <translation>{path}:{line}，{function} 内
{text}</translation>
    </message>
    <message>
        <source>The stage that is shown, as a program</source>
        <translation>当前阶段，以程序显示</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>替换…</translation>
    </message>
    <message>
        <source>Let this node call something else</source>
        <translation>让此节点改为调用其他运算</translation>
    </message>
    <message>
        <source>Change the arguments of this node in a form</source>
        <translation>在表单中修改此节点的参数</translation>
    </message>
    <message>
        <source>Insert…</source>
        <translation>插入…</translation>
    </message>
    <message>
        <source>Put an operation on this node&apos;s result</source>
        <translation>在此节点的结果上加一个运算</translation>
    </message>
    <message>
        <source>Take this node out; an input of it takes its place</source>
        <translation>删除此节点；由它的一个输入代替</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Look for every place like these nodes</source>
        <translation>查找每一处与这些节点相同的地方</translation>
    </message>
    <message>
        <source>Extract…</source>
        <translation>提取…</translation>
    </message>
    <message>
        <source>Make these nodes one call of a submodule</source>
        <translation>把这些节点变为对一个子模块的一次调用</translation>
    </message>
    <message>
        <source>Wrap…</source>
        <translation>包装…</translation>
    </message>
    <message>
        <source>Make these nodes one operator that Inductor cannot look into</source>
        <translation>把这些节点变为一个 Inductor 看不到内部的算子</translation>
    </message>
    <message>
        <source>Take these nodes out; what they use takes their place</source>
        <translation>删除这些节点；由它们的输入代替</translation>
    </message>
    <message>
        <source>Click a box of the graph, a line of code or an instruction.

Hovering previews where it came from and what it became; a click keeps it. Nodes of every graph can be edited and recompiled, loops fused or kept apart, kernels rewritten.</source>
        <translation>点击图中的方框、一行代码或一条指令。

悬停可预览它从何而来、变成了什么；点击则固定。每张图的节点都可编辑并重新编译，循环可融合或分开，内核可重写。</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>未选择任何内容</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>taken out by {value}</source>
        <translation>被 {value} 删除</translation>
    </message>
    <message>
        <source>taken out by an edit, not compiled yet</source>
        <translation>被一个尚未编译的编辑删除</translation>
    </message>
    <message>
        <source>taken out by an edit</source>
        <translation>被一个编辑删除</translation>
    </message>
    <message>
        <source>Everything known of what is selected</source>
        <translation>关于所选内容的一切信息</translation>
    </message>
    <message>
        <source>Where and why Dynamo stopped, what it costs, and what helps</source>
        <translation>Dynamo 在哪里、为何停下，代价如何，怎样解决</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>What became of each Python frame: its graph, the break that ended it, the function that resumed</source>
        <translation>每个 Python 帧的去向：它的图、结束它的图中断、恢复执行的函数</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分割</translation>
    </message>
    <message>
        <source>What the forward keeps for the backward, and what it costs</source>
        <translation>前向为反向保留什么，以及代价</translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>分派器</translation>
    </message>
    <message>
        <source>Which kernel an operator reaches for which tensors, and the path of a real call</source>
        <translation>一个算子对哪些张量用哪个内核，以及一次真实调用的路径</translation>
    </message>
    <message>
        <source>PrimTorch</source>
        <translation>PrimTorch</translation>
    </message>
    <message>
        <source>Operators taken apart, from torch down to prims, with where each step is written</source>
        <translation>把算子逐层拆开，从 torch 直到 prims，并指出每一步写在哪里</translation>
    </message>
    <message>
        <source>Try a change</source>
        <translation>尝试修改</translation>
    </message>
    <message>
        <source>Try a remedy or another option on a copy of the program</source>
        <translation>在程序的副本上尝试修复办法或其他选项</translation>
    </message>
    <message>
        <source>torch.compile</source>
        <translation>torch.compile</translation>
    </message>
    <message>
        <source>Every argument and option of torch.compile, and what they change for this program</source>
        <translation>torch.compile 的每个参数和选项，以及它们对此程序的影响</translation>
    </message>
    <message>
        <source>Patterns</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Find and replace parts of graphs with torch&apos;s own matcher</source>
        <translation>用 torch 自己的匹配器查找并替换图的片段</translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>Guards</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>Filter frames</source>
        <translation>过滤帧</translation>
    </message>
    <message>
        <source>Compiled again ({index}): {reason}</source>
        <translation>再次编译 ({index})：{reason}</translation>
    </message>
    <message>
        <source>Dynamo began again: {reason}</source>
        <translation>Dynamo 重新开始：{reason}</translation>
    </message>
    <message numerus="yes">
        <source>Graph {id} with %n node(s)</source>
        <translation>
            <numerusform>图 {id}，%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Skipped, runs eagerly: {words}</source>
        <translation>跳过，以 eager 方式运行：{words}</translation>
    </message>
    <message>
        <source>Failed: {error}</source>
        <translation>失败：{error}</translation>
    </message>
    <message>
        <source>{calls} traced into it</source>
        <translation>{calls} 被追踪进来</translation>
    </message>
    <message>
        <source>{calls} not taken in</source>
        <translation>{calls} 未纳入</translation>
    </message>
    <message>
        <source> at line {line}</source>
        <translation> 于第 {line} 行</translation>
    </message>
    <message>
        <source>
Because of: {describe}</source>
        <translation>
原因：{describe}</translation>
    </message>
    <message numerus="yes">
        <source>, %n node(s)</source>
        <translation>
            <numerusform>，%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>: not taken in, {refused}</source>
        <translation>：未纳入，{refused}</translation>
    </message>
    <message>
        <source>{value} resumes after line {line} ({id})</source>
        <translation>{value} 在第 {line} 行之后恢复 ({id})</translation>
    </message>
    <message>
        <source>What compiled code assumes, and what would compile again</source>
        <translation>编译后的代码假设了什么，什么会引起重新编译</translation>
    </message>
    <message>
        <source>Timings</source>
        <translation>计时</translation>
    </message>
    <message>
        <source>Kernels on a clock while the program runs</source>
        <translation>程序运行时为内核计时</translation>
    </message>
    <message>
        <source>A program that runs by itself: every compile and its cause, steps, and where the time went</source>
        <translation>独立运行的程序：每次编译及其原因、各步、时间去向</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Capture all stages</source>
        <translation>捕获所有阶段</translation>
    </message>
    <message>
        <source>Capture those that are missing, one after the other, and predict the whole step</source>
        <translation>依次捕获尚缺的阶段，并预测整个步骤</translation>
    </message>
    <message numerus="yes">
        <source>%n more rank(s) are not listed: capture one with its number.</source>
        <translation>
            <numerusform>另有 %n 个 rank 未列出：可用其编号捕获。</numerusform>
        </translation>
    </message>
    <message>
        <source>Each has a program of its own, as a rule the same: Timings → Predicted step → Ranks tells in what they differ.</source>
        <translation>每个 rank 都有自己的程序，通常相同：计时 → 预测的步骤 → Rank 会说明它们有何不同。</translation>
    </message>
    <message>
        <source>One stage is shown at a time. With all of them captured, the step of the whole pipeline stands here.</source>
        <translation>一次只显示一个阶段。全部捕获后，这里会给出整条流水线的步骤。</translation>
    </message>
    <message>
        <source>stage {stage}</source>
        <translation>阶段 {stage}</translation>
    </message>
    <message>
        <source>rank {rank}</source>
        <translation>rank {rank} </translation>
    </message>
    <message>
        <source>Show {name}</source>
        <translation>显示{name}</translation>
    </message>
    <message>
        <source>Capture {name}</source>
        <translation>捕获{name}</translation>
    </message>
    <message>
        <source>Rank {rank} of {world} as {mesh} is shown</source>
        <translation>显示的是 {world} 个 rank（{mesh}）中的 rank {rank}</translation>
    </message>
    <message>
        <source>Rank {rank} of {world} is shown</source>
        <translation>显示的是 {world} 个 rank 中的 rank {rank}</translation>
    </message>
    <message>
        <source>: stage {stage} of {count}</source>
        <translation>：{count} 个阶段中的阶段 {stage}</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>正在显示</translation>
    </message>
    <message>
        <source>, as rank {rank}</source>
        <translation>，作为 rank {rank}</translation>
    </message>
    <message>
        <source>Predicted, not measured: the step of all stages takes {time}, in {share:.0%} of which they wait for each other; stage {slowest} works longest, stage {largest} needs most memory, {size}.</source>
        <translation>为预测，非测量：所有阶段的步骤需要 {time}，其中 {share:.0%} 在互相等待；阶段 {slowest} 工作时间最长，阶段 {largest} 需要的内存最多，为 {size}。</translation>
    </message>
    <message>
        <source>The processes of a distributed program: which compiled the same, and where others went apart</source>
        <translation>分布式程序的各进程：哪些编译相同，哪些与其他不同</translation>
    </message>
    <message>
        <source>GPU kernels</source>
        <translation>GPU 内核</translation>
    </message>
    <message>
        <source>Triton kernels down to PTX and SASS or AMDGCN, registers and occupancy</source>
        <translation>Triton 内核直到 PTX 和 SASS 或 AMDGCN、寄存器和占用率</translation>
    </message>
    <message>
        <source>Every edit and every state, as a tree</source>
        <translation>每个编辑和每个状态，以树显示</translation>
    </message>
    <message>
        <source>Lay the first stage that was edited beside itself in the other state, drawn and as text</source>
        <translation>把第一个被编辑的阶段与它在另一状态下的样子并排，以图和文本显示</translation>
    </message>
    <message>
        <source> and </source>
        <translation> 和 </translation>
    </message>
    <message>
        <source>the first</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>the second</source>
        <translation>第二个</translation>
    </message>
    <message>
        <source>Not compiled: {missing}</source>
        <translation>未编译：{missing}</translation>
    </message>
    <message>
        <source>Go there and recompile to compare graphs, kernels and times.</source>
        <translation>请转到那里并重新编译，以比较图、内核和时间。</translation>
    </message>
    <message>
        <source>The same graphs and the same kernels</source>
        <translation>图和内核都相同</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>编辑记录</translation>
    </message>
    <message>
        <source>first</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>second</source>
        <translation>第二个</translation>
    </message>
    <message>
        <source>Not timed both. Right: {names}.</source>
        <translation>没有都计时。正确：{names}。</translation>
    </message>
    <message>
        <source>the same run</source>
        <translation>同一次运行</translation>
    </message>
    <message>
        <source>two runs</source>
        <translation>两次运行</translation>
    </message>
    <message>
        <source>One step {time} → {time2}: {ratio}, measured in {runs}. Right: {names}.</source>
        <translation>一步 {time} → {time2}：{ratio}，测自{runs}。正确：{names}。</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>What makes compiled results wrong: the stage, the pass, the fusion, the kernel</source>
        <translation>是什么使编译结果出错：阶段、pass、融合、内核</translation>
    </message>
    <message>
        <source>Choice</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Time ÷ as it is</source>
        <translation>时间 ÷ 原样</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>First call</source>
        <translation>第一次调用</translation>
    </message>
    <message>
        <source>Second</source>
        <translation>第二次</translation>
    </message>
    <message>
        <source>Choices and what came of them</source>
        <translation>各选择及其结果</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>does not work</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Time over that of the program as it is, median and 95 % interval. {time_words}.</source>
        <translation>与原样程序的时间之比，中位数和 95 % 区间。{time_words}。</translation>
    </message>
    <message>
        <source>{value}; other results</source>
        <translation>{value}；结果不同</translation>
    </message>
    <message>
        <source>Quartiles {time} to {time2}, {count} steps</source>
        <translation>四分位数 {time} 至 {time2}，{count} 步</translation>
    </message>
    <message>
        <source>What the last save of the file or the last capture changed</source>
        <translation>上次保存文件或上次捕获改变了什么</translation>
    </message>
    <message>
        <source>Before fusion</source>
        <translation>融合之前</translation>
    </message>
    <message>
        <source>After all fusion steps</source>
        <translation>所有融合步骤之后</translation>
    </message>
    <message>
        <source>Before the first line</source>
        <translation>第一行之前</translation>
    </message>
    <message>
        <source>After the last line</source>
        <translation>最后一行之后</translation>
    </message>
    <message>
        <source>After all passes</source>
        <translation>所有 pass 之后</translation>
    </message>
    <message>
        <source>One pass or line back ([)</source>
        <translation>后退一个 pass 或一行 ([)</translation>
    </message>
    <message>
        <source>One pass or line onwards (])</source>
        <translation>前进一个 pass 或一行 (])</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Pass 列表</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Every pass</source>
        <translation>每个 pass</translation>
    </message>
    <message>
        <source>Also stop at passes that changed nothing</source>
        <translation>也停在没有改变任何东西的 pass</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>What this pass did: the graph before it beside the graph after it</source>
        <translation>此 pass 做了什么：之前的图与之后的图并排</translation>
    </message>
    <message>
        <source>Compare with the graph before this pass</source>
        <translation>与此 pass 之前的图比较</translation>
    </message>
    <message>
        <source>{value} of {count} steps that lines made</source>
        <translation>{count} 个由代码行造成的步骤中的第 {value} 个</translation>
    </message>
    <message>
        <source>{count} ran</source>
        <translation>运行了 {count} 个</translation>
    </message>
    <message>
        <source>none changed anything · {ran}</source>
        <translation>没有一个改变任何东西 · {ran}</translation>
    </message>
    <message>
        <source> · only looked at: edits are made after all passes (])</source>
        <translation> · 仅供查看：编辑在所有 pass 之后进行 (])</translation>
    </message>
    <message>
        <source>{at} of {count} that changed something · {ran}{edits}</source>
        <translation>{count} 个有改变的之第 {at} 个 · {ran}{edits}</translation>
    </message>
    <message>
        <source>made</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>改变</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>reordered</source>
        <translation>重新排序</translation>
    </message>
    <message>
        <source>changed nothing</source>
        <translation>没有改变任何东西</translation>
    </message>
    <message>
        <source> and {value} more</source>
        <translation> 等，另有 {value} 个</translation>
    </message>
    <message>
        <source>Any two graphs: added, removed, changed and moved</source>
        <translation>任意两张图：增加、删除、改变和移动之处</translation>
    </message>
    <message>
        <source>Front end</source>
        <translation>前端</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Other inputs</source>
        <translation>其他输入</translation>
    </message>
    <message>
        <source>Graphs</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Run (median)</source>
        <translation>运行（中位数）</translation>
    </message>
    <message>
        <source>Quartiles</source>
        <translation>四分位数</translation>
    </message>
    <message>
        <source>÷ eager</source>
        <translation>÷ eager</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Calls in its graphs; of eager the aten operations that were dispatched in the forward.</source>
        <translation>其图中的调用；对 eager 是前向中分派的 aten 运算。</translation>
    </message>
    <message>
        <source>The capture itself; of torch.compile the first call, which compiles.</source>
        <translation>捕获本身；对 torch.compile 是含编译的第一次调用。</translation>
    </message>
    <message>
        <source>Forward on the example, interleaved with eager in the same process.</source>
        <translation>示例上的前向，在同一进程中与 eager 交替。</translation>
    </message>
    <message>
        <source>Its time over eager&apos;s, of pairs run one after the other; grey where the two cannot be told apart.</source>
        <translation>它的时间与 eager 之比，来自紧接着运行的各对；灰色表示两者无法区分。</translation>
    </message>
    <message>
        <source>Beside eager: results, arguments and buffers after the call, gradients, and what is printed.</source>
        <translation>与 eager 对照：结果、调用后的参数和缓冲、梯度，以及打印内容。</translation>
    </message>
    <message>
        <source>Inputs you gave and inputs that were found by trying. Red: something else than eager&apos;s, and no error.</source>
        <translation>您给出的输入和通过尝试找到的输入。红色：与 eager 不同，且没有报错。</translation>
    </message>
    <message>
        <source>Most that one forward had allocated at a time, as torch&apos;s allocator saw it: the GPU&apos;s, where it runs there.</source>
        <translation>一次前向同时分配的最大内存，由 torch 的分配器统计：在 GPU 上运行时为 GPU 的分配器。</translation>
    </message>
    <message>
        <source>Front ends</source>
        <translation>前端</translation>
    </message>
    <message>
        <source>running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>not captured</source>
        <translation>未捕获</translation>
    </message>
    <message>
        <source>{time} to {time2}</source>
        <translation>{time} 至 {time2}</translation>
    </message>
    <message>
        <source>The program captured in every way PyTorch has, and which results are wrong</source>
        <translation>用 PyTorch 的每种方式捕获程序，以及哪些结果是错的</translation>
    </message>
    <message>
        <source>TorchScript</source>
        <translation>TorchScript</translation>
    </message>
    <message>
        <source>TorchScript&apos;s IR: change it, run it, save it, and run it in C++</source>
        <translation>TorchScript 的 IR：修改、运行、保存，并在 C++ 中运行</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>What went wrong, where, and what to do</source>
        <translation>出了什么问题、在哪里、怎么办</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>What your program and torch print</source>
        <translation>您的程序和 torch 打印的内容</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>From the files as they are now (F5)</source>
        <translation>按文件的现状（F5）</translation>
    </message>
    <message>
        <source>All problems, with what torch and Python said</source>
        <translation>所有问题，以及 torch 和 Python 的消息</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Your model…</source>
        <translation>您的模型…</translation>
    </message>
    <message>
        <source>A Python file or module, or a program that torch.export saved</source>
        <translation>Python 文件或模块，或 torch.export 保存的程序</translation>
    </message>
    <message>
        <source>A session or log…</source>
        <translation>会话或日志…</translation>
    </message>
    <message>
        <source>A .loupe file, or what TORCH_TRACE wrote; no code of it is run</source>
        <translation>.loupe 文件，或 TORCH_TRACE 写出的日志;不会运行其中的代码</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Learn by doing</source>
        <translation>边做边学</translation>
    </message>
    <message>
        <source>All tours…</source>
        <translation>所有导览…</translation>
    </message>
    <message>
        <source>▾ Examples</source>
        <translation>▾ 示例</translation>
    </message>
    <message>
        <source>▸ Examples</source>
        <translation>▸ 示例</translation>
    </message>
    <message>
        <source>See every stage of torch.compile, edit a graph, recompile, and time the kernels.</source>
        <translation>查看 torch.compile 的每个阶段，编辑图，重新编译，并为内核计时。</translation>
    </message>
    <message>
        <source>← Back to {visible_line}</source>
        <translation>← 返回 {visible_line}</translation>
    </message>
    <message>
        <source>Stop capturing (Esc)</source>
        <translation>停止捕获 (Esc)</translation>
    </message>
    <message>
        <source>torch.compile runs for real: the program is traced, its kernels are written and built by the C++ compiler. The first capture takes longest, since torch is loaded meanwhile.</source>
        <translation>torch.compile 会真正运行：追踪程序，编写内核并由 C++ 编译器构建。第一次捕获最慢，因为同时要加载 torch。</translation>
    </message>
    <message>
        <source>Capturing {visible_line}</source>
        <translation>正在捕获 {visible_line}</translation>
    </message>
    <message>
        <source>{others} others ({count})</source>
        <translation>其他 {others} 种 ({count})</translation>
    </message>
    <message>
        <source>from {describe}</source>
        <translation>不低于 {describe}</translation>
    </message>
    <message>
        <source>below {describe}</source>
        <translation>低于 {describe}</translation>
    </message>
    <message>
        <source>{names}
Double-click to collapse</source>
        <translation>{names}
双击折叠</translation>
    </message>
    <message>
        <source>Double-click to open</source>
        <translation>双击打开</translation>
    </message>
    <message>
        <source>All equal. Double-click to open the first</source>
        <translation>全部相同。双击打开第一个</translation>
    </message>
    <message>
        <source>in {names}</source>
        <translation>在 {names} 中</translation>
    </message>
    <message>
        <source>Overview of the graph</source>
        <translation>图的概览</translation>
    </message>
    <message>
        <source>Overview: click or drag to move</source>
        <translation>概览：点击或拖动以移动</translation>
    </message>
    <message numerus="yes">
        <source>{times}{count:,} node(s)</source>
        <translation>
            <numerusform>{times}{count:,} 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>{tensors} saved</source>
        <translation>保存 {tensors}</translation>
    </message>
    <message>
        <source>Laying out…</source>
        <translation>正在布局…</translation>
    </message>
    <message>
        <source>Reading the stage… · Esc stops</source>
        <translation>正在读取阶段… · Esc 停止</translation>
    </message>
    <message>
        <source> {boxes:,} boxes</source>
        <translation> {boxes:,} 个框</translation>
    </message>
    <message>
        <source>Laying out{boxes}… {value:.0f} % · Esc stops</source>
        <translation>正在布局{boxes}… {value:.0f} % · Esc 停止</translation>
    </message>
    <message>
        <source>The program was not run.</source>
        <translation>没有运行程序。</translation>
    </message>
    <message>
        <source>This is a fault of Torch Loupe: please report it.</source>
        <translation>这是 Torch Loupe 的错误：请报告。</translation>
    </message>
    <message>
        <source>The engine answered {name} with {name2}.</source>
        <translation>引擎对 {name} 的回答是 {name2}。</translation>
    </message>
    <message>
        <source>The engine is not running</source>
        <translation>引擎没有运行</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Cancelling</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <source>was restarted</source>
        <translation>被重启</translation>
    </message>
    <message>
        <source>The engine is stopped</source>
        <translation>引擎已停止</translation>
    </message>
    <message>
        <source>The engine cannot be reached: {error}.</source>
        <translation>无法连接引擎：{error}。</translation>
    </message>
    <message>
        <source>Look at the folder {folder}.</source>
        <translation>请查看文件夹 {folder}。</translation>
    </message>
    <message>
        <source>Starting the engine</source>
        <translation>正在启动引擎</translation>
    </message>
    <message>
        <source>Starting the engine again</source>
        <translation>正在再次启动引擎</translation>
    </message>
    <message>
        <source>The program left this running: {process}.</source>
        <translation>程序留下了仍在运行的：{process}。</translation>
    </message>
    <message>
        <source>It is ended with the engine, or when the next program begins.</source>
        <translation>它会随引擎结束，或在下一个程序开始时结束。</translation>
    </message>
    <message>
        <source>The engine ended several times in a row and is not started again.</source>
        <translation>引擎连续几次结束，不再启动。</translation>
    </message>
    <message>
        <source>Look at the output pane for the reason, then choose Restart engine in the Engine menu.</source>
        <translation>请在“输出”面板中查看原因，然后在“引擎”菜单中选择“重启引擎”。</translation>
    </message>
    <message>
        <source>was killed because it did not stop</source>
        <translation>因没有停止而被终止</translation>
    </message>
    <message>
        <source>a request, which only we may send</source>
        <translation>一个只有我们可以发送的请求</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>was killed because it sent something that is no message ({what})</source>
        <translation>因发送了不是消息的内容而被终止（{what}）</translation>
    </message>
    <message>
        <source>was killed because it closed its connection</source>
        <translation>因关闭了连接而被终止</translation>
    </message>
    <message>
        <source>The engine is stopped.</source>
        <translation>引擎已停止。</translation>
    </message>
    <message>
        <source>Choose Restart engine in the Engine menu.</source>
        <translation>请在“引擎”菜单中选择“重启引擎”。</translation>
    </message>
    <message>
        <source>could not be started ({why})</source>
        <translation>无法启动（{why}）</translation>
    </message>
    <message>
        <source>{names}
from {names2}</source>
        <translation>{names}
来自 {names2}</translation>
    </message>
    <message>
        <source>made by {made_by}</source>
        <translation>由 {made_by} 生成</translation>
    </message>
    <message>
        <source>from {titles}</source>
        <translation>来自 {titles}</translation>
    </message>
    <message>
        <source>in {value:,.1f} ms</source>
        <translation>用时 {value:,.1f} ms</translation>
    </message>
    <message>
        <source>edited, not compiled yet</source>
        <translation>已编辑，尚未编译</translation>
    </message>
    <message numerus="yes">
        <source>{count:,} instruction(s)</source>
        <translation>
            <numerusform>{count:,} 条指令</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} line(s)</source>
        <translation>
            <numerusform>{count:,} 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} kernel(s)</source>
        <translation>
            <numerusform>{count:,} 个内核</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} node(s)</source>
        <translation>
            <numerusform>{count:,} 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Torch Loupe itself failed: {name}: {error}</source>
        <translation>Torch Loupe 自身出错：{name}：{error}</translation>
    </message>
    <message>
        <source>Save your work; please report this with the detail.</source>
        <translation>请保存您的工作；并附详情报告此问题。</translation>
    </message>
    <message numerus="yes">
        <source>met %n time(s)</source>
        <translation>
            <numerusform>遇到 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source> in graph {names}</source>
        <translation> 于图 {names}</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>怎么办</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>For developers of torch</source>
        <translation>供 torch 开发者</translation>
    </message>
    <message>
        <source>What torch said</source>
        <translation>torch 的原话</translation>
    </message>
    <message>
        <source>It follows from: </source>
        <translation>它源于：</translation>
    </message>
    <message>
        <source>What Dynamo was doing</source>
        <translation>Dynamo 当时在做什么</translation>
    </message>
    <message>
        <source>instruction</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>  at {offset} of {name}</source>
        <translation>  位于 {name} 的 {offset}</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Its stack before that, the top first:</source>
        <translation>此前它的栈，栈顶在前：</translation>
    </message>
    <message>
        <source>  node {node}</source>
        <translation>  节点 {node}</translation>
    </message>
    <message>
        <source>No graph breaks</source>
        <translation>没有图中断</translation>
    </message>
    <message>
        <source>About the break</source>
        <translation>关于此图中断</translation>
    </message>
    <message>
        <source>No program captured yet</source>
        <translation>还没有捕获程序</translation>
    </message>
    <message>
        <source>Graph breaks and the frames of a captured program are listed here.</source>
        <translation>捕获的程序的图中断和帧列在这里。</translation>
    </message>
    <message>
        <source>Captured with {title}</source>
        <translation>以 {title} 捕获</translation>
    </message>
    <message>
        <source>Only torch.compile breaks graphs. {lesson}</source>
        <translation>只有 torch.compile 会产生图中断。{lesson}</translation>
    </message>
    <message>
        <source>No graph was made</source>
        <translation>没有生成图</translation>
    </message>
    <message>
        <source>Dynamo captured nothing of this program; the page Frames says why.</source>
        <translation>Dynamo 没有捕获此程序的任何部分；“帧”页说明原因。</translation>
    </message>
    <message>
        <source>No graph breaks so far</source>
        <translation>目前没有图中断</translation>
    </message>
    <message>
        <source>The program is still being compiled.</source>
        <translation>程序仍在编译。</translation>
    </message>
    <message numerus="yes">
        <source>No graph breaks: the whole program is %n graph(s)</source>
        <translation>
            <numerusform>没有图中断：整个程序是 %n 张图</numerusform>
        </translation>
    </message>
    <message>
        <source>Dynamo traced it without stopping.</source>
        <translation>Dynamo 不间断地完成了追踪。</translation>
    </message>
    <message>
        <source>The costliest first: by the time measured, else by the operations cut off</source>
        <translation>代价最大者在前：按测得的时间，否则按被切断的运算</translation>
    </message>
    <message>
        <source>How often Dynamo met it while it captured</source>
        <translation>捕获时 Dynamo 遇到它的次数</translation>
    </message>
    <message>
        <source>Operations cut off: they went into later graphs of the same function because of it</source>
        <translation>被切断的运算：因它而进入同一函数后面的图</translation>
    </message>
    <message>
        <source>Wall time of compiling those later graphs</source>
        <translation>编译这些后续图的实际用时</translation>
    </message>
    <message>
        <source>Time of one forward spent outside compiled graphs at this break: measured, with quartiles</source>
        <translation>一次前向中，在此图中断处花在编译的图之外的时间：测得值，附四分位数</translation>
    </message>
    <message>
        <source>Graph break</source>
        <translation>图中断</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Met</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>图外</translation>
    </message>
    <message>
        <source>Filter breaks</source>
        <translation>过滤图中断</translation>
    </message>
    <message>
        <source>Measure cost</source>
        <translation>测量代价</translation>
    </message>
    <message>
        <source>Run the program for a second or two and time what happens outside compiled graphs.</source>
        <translation>运行程序一两秒，测量编译的图之外的时间。</translation>
    </message>
    <message numerus="yes">
        <source>Further steps compiled again (%n time(s)), so this is not the time of the graphs shown.</source>
        <translation>
            <numerusform>后续步骤又编译了 %n 次，因此这不是所示图的时间。</numerusform>
        </translation>
    </message>
    <message>
        <source>New since the capture before</source>
        <translation>自上一次捕获以来新增</translation>
    </message>
    <message>
        <source>{callee}() at line {line} of {name}</source>
        <translation>{name} 第 {line} 行的 {callee}()</translation>
    </message>
    <message>
        <source>line {line} of {name}</source>
        <translation>{name} 第 {line} 行</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>再次测量</translation>
    </message>
    <message>
        <source>; eager {time}</source>
        <translation>；eager {time}</translation>
    </message>
    <message>
        <source>One forward {time}, {inside:.0%} of it in compiled graphs{eager}</source>
        <translation>一次前向 {time}，其中 {inside:.0%} 在编译的图内{eager}</translation>
    </message>
    <message>
        <source>
{eager_ops} operations run eagerly there</source>
        <translation>
其中 {eager_ops} 个运算以 eager 方式运行</translation>
    </message>
    <message>
        <source>
{time} to {time2} outside graphs</source>
        <translation>
图外 {time} 至 {time2}</translation>
    </message>
    <message>
        <source>Try a fix</source>
        <translation>尝试修复</translation>
    </message>
    <message>
        <source>: on a copy; your file stays as it is</source>
        <translation>：在副本上进行；您的文件保持原样</translation>
    </message>
    <message>
        <source> · inlined in {graphs}</source>
        <translation> · 内联于 {graphs}</translation>
    </message>
    <message>
        <source> · not compiled</source>
        <translation> · 未编译</translation>
    </message>
    <message>
        <source> after line {line}</source>
        <translation> 于第 {line} 行之后</translation>
    </message>
    <message>
        <source>{resume_of} resumes{after}</source>
        <translation>{resume_of} 恢复{after}</translation>
    </message>
    <message>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
    <message>
        <source> to {end_line}</source>
        <translation> 至 {end_line}</translation>
    </message>
    <message>
        <source>, columns {value} to {end_column}</source>
        <translation>，第 {value} 至 {end_column} 列</translation>
    </message>
    <message>
        <source>traced by Dynamo</source>
        <translation>被 Dynamo 追踪</translation>
    </message>
    <message>
        <source>target of a jump</source>
        <translation>跳转目标</translation>
    </message>
    <message>
        <source>Graph break: {kind}
{value}</source>
        <translation>图中断：{kind}
{value}</translation>
    </message>
    <message>
        <source>, {traced} traced</source>
        <translation>，追踪了 {traced} 条</translation>
    </message>
    <message>
        <source>{heading}: {count} instructions{followed}</source>
        <translation>{heading}：{count} 条指令{followed}</translation>
    </message>
    <message>
        <source>Code object</source>
        <translation>代码对象</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Rewritten by Dynamo</source>
        <translation>由 Dynamo 改写</translation>
    </message>
    <message>
        <source>Dynamo did not rewrite this frame: it runs as it was.</source>
        <translation>Dynamo 没有改写此帧：按原样运行。</translation>
    </message>
    <message>
        <source>No bytecode captured</source>
        <translation>没有捕获字节码</translation>
    </message>
    <message>
        <source>Frames that Dynamo looked at are shown here.</source>
        <translation>Dynamo 看过的帧显示在这里。</translation>
    </message>
    <message>
        <source>graph break</source>
        <translation>图中断</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) in {seconds:.1f} s</source>
        <translation>
            <numerusform>%n 次试验，用时 {seconds:.1f} s</numerusform>
        </translation>
    </message>
    <message>
        <source>Saves most: {what}: {saved_words}</source>
        <translation>省得最多：{what}：{saved_words}</translation>
    </message>
    <message>
        <source>It says: {message}</source>
        <translation>它说：{message}</translation>
    </message>
    <message>
        <source>The least program: {value} of {before}. {shows}</source>
        <translation>最小程序：{before} 中的 {value}。{shows}</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Takes, saves</source>
        <translation>用时，节省</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>Made of, costs</source>
        <translation>组成，代价</translation>
    </message>
    <message>
        <source>It saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>Results are wrong with it; it saves</source>
        <translation>结果因此出错；节省</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>过滤行</translation>
    </message>
    <message>
        <source>Saved by one change, tried on a copy</source>
        <translation>一处修改所省，在副本上尝试</translation>
    </message>
    <message>
        <source>By line</source>
        <translation>按行</translation>
    </message>
    <message>
        <source>By module</source>
        <translation>按模块</translation>
    </message>
    <message>
        <source>Hand over</source>
        <translation>移交</translation>
    </message>
    <message>
        <source>The least program that is wrong so, and a report for an issue tracker</source>
        <translation>同样出错的最小程序，以及供问题跟踪使用的报告</translation>
    </message>
    <message>
        <source>Least program…</source>
        <translation>最小程序…</translation>
    </message>
    <message>
        <source>Make the graph smaller while it stays wrong; one file that needs torch alone, and fails by an assertion</source>
        <translation>在仍然出错的前提下缩小图；一个只需要 torch 的文件，以断言失败</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>报告…</translation>
    </message>
    <message>
        <source>What is wrong, the least program, every trial and the surroundings, as Markdown, and beside it one session file with the stages (not with “Hide my code”)</source>
        <translation>出了什么错、最小程序、每次试验和环境，写成 Markdown，并附一个含各阶段的会话文件（“隐藏我的代码”时不附）</translation>
    </message>
    <message>
        <source>Hide my code</source>
        <translation>隐藏我的代码</translation>
    </message>
    <message>
        <source>In what is written: no name, file, line or value of your program</source>
        <translation>所写的内容中没有您程序的名称、文件、行或数值</translation>
    </message>
    <message>
        <source>Python files (*.py)</source>
        <translation>Python 文件 (*.py)</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>The least program cannot be told with your code hidden: {why_not_hidden}.</source>
        <translation>隐藏代码时无法给出最小程序：{why_not_hidden}。</translation>
    </message>
    <message>
        <source>Write it without “Hide my code”.</source>
        <translation>请不选“隐藏我的代码”再写。</translation>
    </message>
    <message>
        <source>Wrote {name}{beside}.</source>
        <translation>已写入 {name}{beside}。</translation>
    </message>
    <message>
        <source>Wrote {name}.</source>
        <translation>已写入 {name}。</translation>
    </message>
    <message>
        <source> and {name}</source>
        <translation> 和 {name}</translation>
    </message>
    <message>
        <source>{path} could not be written: {strerror}.</source>
        <translation>无法写入 {path}：{strerror}。</translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation>请选择其他位置。</translation>
    </message>
    <message>
        <source>What ran instead</source>
        <translation>代之运行的内容</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Off by</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>an expression</source>
        <translation>一个表达式</translation>
    </message>
    <message>
        <source>Results are wrong</source>
        <translation>结果错误</translation>
    </message>
    <message>
        <source>It does not compile</source>
        <translation>无法编译</translation>
    </message>
    <message>
        <source>The step is slow</source>
        <translation>步很慢</translation>
    </message>
    <message>
        <source>Compiling takes long</source>
        <translation>编译太久</translation>
    </message>
    <message>
        <source>It needs much memory</source>
        <translation>占用内存多</translation>
    </message>
    <message>
        <source>It compiles again and again</source>
        <translation>反复编译</translation>
    </message>
    <message>
        <source>Run the program with parts of the pipeline taken out, one after the other, until what makes it wrong is known</source>
        <translation>逐一去掉流水线的各部分来运行程序，直到找出使其出错的原因</translation>
    </message>
    <message>
        <source>Go on where the search was stopped: trials whose answers are listed do not run again</source>
        <translation>从搜索停止处继续：已列出答案的试验不再运行</translation>
    </message>
    <message>
        <source>Nothing looked for yet</source>
        <translation>还没有查找</translation>
    </message>
    <message>
        <source>Where compiled results are wrong, this finds what makes them so: the stage, the pass, the fusion, the kernel, the line. It takes about as long as several compiles, and leaves the program as it was.</source>
        <translation>编译结果出错时，这里找出使其出错的原因：阶段、pass、融合、内核、行。用时约等于几次编译，程序保持原样。</translation>
    </message>
    <message>
        <source>Where torch.compile raises, ends the process, or does not end: the step of the pipeline that does so, and the least program that fails for the same reason. Every trial is a process of its own; one that takes two minutes is taken to hang.</source>
        <translation>torch.compile 抛出异常、使进程结束或不结束时：找出是流水线的哪一步，以及因同样原因失败的最小程序。每次试验都是独立的进程；超过两分钟即视为挂起。</translation>
    </message>
    <message>
        <source>Where a compiled step is slower than eager, or than a time you say, this shows where its time goes and tries what could make it faster: graphs op by op, settings, fusions, modes, sizes. Each is timed in turns with the step as it is, on a copy; it needs a quiet machine.</source>
        <translation>编译的步比 eager 或比您给出的时间慢时，这里显示时间去向，并尝试可能使其变快的办法：逐个运算运行图、设置、融合、模式、大小。每个都在副本上与原样交替计时；需要安静的机器。</translation>
    </message>
    <message>
        <source>Which line and which module a cold compile spends its time on, and what makes it shorter: equal modules compiled once, a module left to eager, settings. Each is measured on a copy compiled from cold, several times.</source>
        <translation>冷编译的时间花在哪一行、哪个模块，以及怎样缩短：相同模块只编译一次、把某个模块留给 eager、设置。每个都在副本上从冷状态编译并多次测量。</translation>
    </message>
    <message>
        <source>What the memory of a step goes to, by line and by module, and what makes it less: checkpointing, memory budgets, settings. The peak of a copy&apos;s step is measured with each, and what it does to the step&apos;s time.</source>
        <translation>一步的内存用在哪里，按行和模块，以及怎样减少：checkpoint、内存预算、设置。测量每种情况下副本一步的峰值，以及对步的时间的影响。</translation>
    </message>
    <message>
        <source>Which guard, on which line, makes torch compile again, what that takes, and what makes it happen less often. Say with which sizes the program is called, or leave it empty to look at one step.</source>
        <translation>哪一行的哪个 guard 使 torch 再次编译、用时多少，以及怎样减少。请说明用哪些大小调用程序，或留空以查看一步。</translation>
    </message>
    <message>
        <source>✗ wrong</source>
        <translation>✗ 错误</translation>
    </message>
    <message>
        <source>✓ right</source>
        <translation>✓ 正确</translation>
    </message>
    <message>
        <source>– not run</source>
        <translation>– 未运行</translation>
    </message>
    <message>
        <source>✗ fails</source>
        <translation>✗ 失败</translation>
    </message>
    <message>
        <source>✓ runs</source>
        <translation>✓ 能运行</translation>
    </message>
    <message>
        <source>Find the cause</source>
        <translation>查找原因</translation>
    </message>
    <message>
        <source>Begin again</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Look from the beginning: every trial runs once more</source>
        <translation>从头查找：每次试验再运行一遍</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>查找什么</translation>
    </message>
    <message>
        <source>What the step should not be slower than</source>
        <translation>步不应比什么慢</translation>
    </message>
    <message>
        <source>Empty: eager. A time as 2ms or 350us: look where a step takes longer. With Anyway it looks whatever is slower</source>
        <translation>留空：eager。写 2ms 或 350us 等时间：在步用时更长时查找。选中“无论如何”则总是查找</translation>
    </message>
    <message>
        <source>Anyway</source>
        <translation>无论如何</translation>
    </message>
    <message>
        <source>Look for what makes it faster though it is not slower than that</source>
        <translation>即使不比它慢，也查找能使其变快的办法</translation>
    </message>
    <message>
        <source>Sizes that it is called with</source>
        <translation>调用所用的大小</translation>
    </message>
    <message>
        <source>ARGUMENT:DIMENSION=SIZES: after the first step it is called with each of them</source>
        <translation>参数:维度=大小：第一步之后用每个大小调用</translation>
    </message>
    <message>
        <source>What results are judged by</source>
        <translation>以什么判断结果</translation>
    </message>
    <message>
        <source>float64: right is as near to it as eager is. eager: right is what eager gives, within rounding. An expression: right is what you say</source>
        <translation>float64：与它的距离不大于 eager 即为正确。eager：在舍入误差内与 eager 相同即为正确。表达式：由您决定</translation>
    </message>
    <message>
        <source>Expression that is true where the results are right</source>
        <translation>结果正确时为真的表达式</translation>
    </message>
    <message>
        <source>Python over outputs, grads, results (by name) and torch; it runs in the worker</source>
        <translation>可使用 outputs、grads、results（按名称）和 torch 的 Python；在 worker 中运行</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Go to the stage at fault and select what is wrong in it</source>
        <translation>到出错的阶段，并选择其中错误之处</translation>
    </message>
    <message>
        <source>Filter trials</source>
        <translation>过滤试验</translation>
    </message>
    <message>
        <source>Judged by</source>
        <translation>判断依据</translation>
    </message>
    <message>
        <source>Slower than</source>
        <translation>慢于</translation>
    </message>
    <message>
        <source>Called with sizes</source>
        <translation>以这些大小调用</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Find out</source>
        <translation>查明</translation>
    </message>
    <message>
        <source>What was tried on a copy</source>
        <translation>在副本上尝试的内容</translation>
    </message>
    <message>
        <source>Step&apos;s time</source>
        <translation>步的时间</translation>
    </message>
    <message>
        <source>The step&apos;s time with it over the time without, and the interval that holds the median with 95 %; both timed in turns</source>
        <translation>含此修改的步与不含的步的时间之比，以及以 95 % 包含中位数的区间；两者交替计时</translation>
    </message>
    <message>
        <source>Step is</source>
        <translation>步</translation>
    </message>
    <message>
        <source>✓ faster</source>
        <translation>✓ 更快</translation>
    </message>
    <message>
        <source>✗ faster, wrong</source>
        <translation>✗ 更快，但结果错误</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Compare graphs</source>
        <translation>比较图</translation>
    </message>
    <message>
        <source>Lay the stage in front beside the same one of the capture before, drawn and as text</source>
        <translation>把当前阶段与上一次捕获的同一阶段并排，以图和文本显示</translation>
    </message>
    <message>
        <source>What changes from one capture to the next is listed here.</source>
        <translation>两次捕获之间的变化列在这里。</translation>
    </message>
    <message>
        <source>Captured once so far</source>
        <translation>目前只捕获了一次</translation>
    </message>
    <message>
        <source>Watch the file (File menu) or press F5: what changed since the capture before is listed here.</source>
        <translation>监视文件（文件菜单）或按 F5：自上一次捕获以来的变化列在这里。</translation>
    </message>
    <message>
        <source>It is Python. When you recompile, it is traced again, run and judged.</source>
        <translation>这是 Python。重新编译时会再次追踪、运行并判断。</translation>
    </message>
    <message>
        <source>Change what forward does; self.… are the program&apos;s own modules and parameters.</source>
        <translation>修改 forward 的内容；self.… 是程序自己的模块和参数。</translation>
    </message>
    <message>
        <source>When you recompile, it is read, run on the example and compared with the program.</source>
        <translation>重新编译时会读取它，在示例上运行，并与程序比较。</translation>
    </message>
    <message>
        <source>Change the IR; the weights are its last inputs. Faults are told with their line when it is recompiled.</source>
        <translation>修改 IR；权重是它最后的输入。重新编译时会指出错误所在的行。</translation>
    </message>
    <message>
        <source>it must define forward(self, …)</source>
        <translation>必须定义 forward(self, …)</translation>
    </message>
    <message>
        <source>Trying…</source>
        <translation>正在尝试…</translation>
    </message>
    <message>
        <source>Change the program: Python&apos;s operators and calls within calls are understood.</source>
        <translation>修改程序：支持 Python 的运算符和嵌套调用。</translation>
    </message>
    <message>
        <source>It works: every type is known.</source>
        <translation>可行：所有类型都已知。</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Show the stage in front. Off: hold the stage picked here while others come to the front.</source>
        <translation>显示当前阶段。关闭时：其他阶段到前面时仍保持这里选定的阶段。</translation>
    </message>
    <message>
        <source>The stage shown here</source>
        <translation>此处显示的阶段</translation>
    </message>
    <message>
        <source>All kernels of the graph, or one</source>
        <translation>图的全部内核，或其中一个</translation>
    </message>
    <message>
        <source>Copy the whole program</source>
        <translation>复制整个程序</translation>
    </message>
    <message>
        <source>Change the graph as text (T)</source>
        <translation>以文本修改图 (T)</translation>
    </message>
    <message>
        <source>No stage to show</source>
        <translation>没有可显示的阶段</translation>
    </message>
    <message>
        <source>Every stage of a captured program prints as code here.</source>
        <translation>捕获的程序的每个阶段在这里以代码显示。</translation>
    </message>
    <message>
        <source>Stage shown as text</source>
        <translation>以文本显示的阶段</translation>
    </message>
    <message numerus="yes">
        <source>All %n kernel(s)</source>
        <translation>
            <numerusform>全部 %n 个内核</numerusform>
        </translation>
    </message>
    <message>
        <source>graph as text</source>
        <translation>图的文本</translation>
    </message>
    <message>
        <source>This is the graph after an earlier pass; the last one can be edited.</source>
        <translation>这是较早 pass 之后的图；最后的图才可编辑。</translation>
    </message>
    <message>
        <source>wrapper</source>
        <translation>wrapper</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Change the {what} (T)</source>
        <translation>修改{what} (T)</translation>
    </message>
    <message>
        <source>after {name}</source>
        <translation>{name} 之后</translation>
    </message>
    <message>
        <source>before all passes</source>
        <translation>所有 pass 之前</translation>
    </message>
    <message>
        <source>It is Python. When you recompile, it is loaded, run and judged against the graph.</source>
        <translation>这是 Python。重新编译时会加载、运行它，并与图对照判断。</translation>
    </message>
    <message>
        <source>Change what call does; kernels whose source stays are not built again. Undo restores the generated text.</source>
        <translation>修改 call 的内容；源码不变的内核不会重新构建。撤销可恢复生成的文本。</translation>
    </message>
    <message>
        <source>Both graphs in one</source>
        <translation>两张图合为一张</translation>
    </message>
    <message>
        <source>The graph before</source>
        <translation>之前的图</translation>
    </message>
    <message>
        <source>The graph after</source>
        <translation>之后的图</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Exchange the two sides</source>
        <translation>交换两侧</translation>
    </message>
    <message>
        <source>The difference before (Shift+N)</source>
        <translation>上一处差异 (Shift+N)</translation>
    </message>
    <message>
        <source>The next difference (N)</source>
        <translation>下一处差异 (N)</translation>
    </message>
    <message>
        <source>Two drawings</source>
        <translation>两张图</translation>
    </message>
    <message>
        <source>One drawing of each side instead of one of both</source>
        <translation>每侧各画一张，而不是合为一张</translation>
    </message>
    <message>
        <source>Fold equal</source>
        <translation>折叠相同</translation>
    </message>
    <message>
        <source>Fold what is equal and far from every difference</source>
        <translation>折叠相同且远离任何差异的部分</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>The programs beside the drawing</source>
        <translation>在图旁显示程序</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>Nothing compared yet</source>
        <translation>还没有比较</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>没有可比较的内容</translation>
    </message>
    <message>
        <source>Choose two sides above, or Compare with… in the menu of a stage.</source>
        <translation>请在上方选择两侧，或在阶段的菜单中选择“与…比较”。</translation>
    </message>
    <message>
        <source>Any two graphs can be laid beside each other here once a program is captured.</source>
        <translation>捕获程序后，任意两张图可在这里并排。</translation>
    </message>
    <message>
        <source>Captures: {around}</source>
        <translation>捕获：{around}</translation>
    </message>
    <message>
        <source>{value} of {total}</source>
        <translation>第 {value} 处，共 {total} 处</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>Comparing: {step}… · Esc stops</source>
        <translation>正在比较：{step}… · Esc 停止</translation>
    </message>
    <message>
        <source>A capture, a state of the edits, or another session file</source>
        <translation>捕获、编辑的状态，或另一个会话文件</translation>
    </message>
    <message>
        <source>The stage to compare</source>
        <translation>要比较的阶段</translation>
    </message>
    <message>
        <source>The stage as it is, or as it was after one of its passes</source>
        <translation>阶段本身，或它在某个 pass 之后的样子</translation>
    </message>
    <message>
        <source>Another session file…</source>
        <translation>另一个会话文件…</translation>
    </message>
    <message>
        <source>The stage to compare: {stage}</source>
        <translation>要比较的阶段：{stage}</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>Before the first pass</source>
        <translation>第一个 pass 之前</translation>
    </message>
    <message>
        <source>After {name}</source>
        <translation>{name} 之后</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>与…比较</translation>
    </message>
    <message>
        <source>Torch Loupe sessions (*.loupe)</source>
        <translation>Torch Loupe 会话 (*.loupe)</translation>
    </message>
    <message>
        <source>… {hidden:,} equal lines</source>
        <translation>… {hidden:,} 行相同</translation>
    </message>
    <message>
        <source>Programs, line beside line</source>
        <translation>逐行并排的程序</translation>
    </message>
    <message>
        <source>Move the lines sideways</source>
        <translation>左右移动各行</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Registered at</source>
        <translation>注册于</translation>
    </message>
    <message>
        <source>Filter calls: an operator, a key, a file</source>
        <translation>过滤调用：算子、键、文件</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n 次调用</numerusform>
        </translation>
    </message>
    <message>
        <source>The kernel was given the keys {keys}</source>
        <translation>内核得到的键为 {keys}</translation>
    </message>
    <message>
        <source>On one thread, with our shims around it and around all it calls</source>
        <translation>在一个线程上，含它以及它所调用的一切外面的 shim</translation>
    </message>
    <message>
        <source>Backward, of no line that is known</source>
        <translation>反向，行未知</translation>
    </message>
    <message>
        <source>Of no line of the user&apos;s</source>
        <translation>不属于用户的任何一行</translation>
    </message>
    <message>
        <source>Backward of {text}</source>
        <translation>反向：{text}</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Keys, the highest first</source>
        <translation>键，最高者在前</translation>
    </message>
    <message>
        <source>A call goes to the kernel of the highest key that any of its tensors carries, and from there down. Whether a tensor requires grad is not among them: autograd&apos;s kernel looks for itself.</source>
        <translation>调用先到其张量所带的最高键的内核，再从那里往下。张量是否 requires grad 不在其中：autograd 的内核自己查看。</translation>
    </message>
    <message>
        <source>Filter tensors and keys</source>
        <translation>过滤张量和键</translation>
    </message>
    <message>
        <source>Lets Python look at a call before any other key, while something is traced.</source>
        <translation>在追踪时，让 Python 先于任何其他键看到调用。</translation>
    </message>
    <message>
        <source>Traces above autograd: where torch.export looks.</source>
        <translation>在 autograd 之上追踪：torch.export 查看之处。</translation>
    </message>
    <message>
        <source>Enters the innermost transform (vmap, grad) that is going on.</source>
        <translation>进入正在进行的最内层变换 (vmap、grad)。</translation>
    </message>
    <message>
        <source>Leaves a transform and goes on with the one around it.</source>
        <translation>离开一个变换，继续其外层的变换。</translation>
    </message>
    <message>
        <source>Remembers the state of the thread for kernels in Python.</source>
        <translation>为 Python 内核记住线程的状态。</translation>
    </message>
    <message>
        <source>A tensor of torch.func.grad at some level.</source>
        <translation>torch.func.grad 某一层的张量。</translation>
    </message>
    <message>
        <source>vmap&apos;s batching rules: the hidden dimension is dealt with here.</source>
        <translation>vmap 的批处理规则：在这里处理隐藏的维度。</translation>
    </message>
    <message>
        <source>Random operators and factories inside vmap.</source>
        <translation>vmap 内的随机算子和工厂函数。</translation>
    </message>
    <message>
        <source>Casts arguments while torch.autocast is on; else passes on.</source>
        <translation>torch.autocast 开启时转换参数；否则传下去。</translation>
    </message>
    <message>
        <source>torch.jit.trace notes the call.</source>
        <translation>torch.jit.trace 记录此调用。</translation>
    </message>
    <message>
        <source>Notes how to compute the gradient, then goes on below.</source>
        <translation>记下怎样计算梯度，然后继续往下。</translation>
    </message>
    <message>
        <source>Counts in-place writes and ties views to what they are views of.</source>
        <translation>统计原地写入，并把视图与其所属的张量联系起来。</translation>
    </message>
    <message>
        <source>A tensor known to be all zeros, without memory.</source>
        <translation>已知全为零的张量，不占内存。</translation>
    </message>
    <message>
        <source>Carries out a minus sign that a view only promised.</source>
        <translation>执行视图所承诺的负号。</translation>
    </message>
    <message>
        <source>Carries out a conjugation that a view only promised.</source>
        <translation>执行视图所承诺的共轭。</translation>
    </message>
    <message>
        <source>Turns writes in place into new tensors, while something is traced.</source>
        <translation>在追踪时，把原地写入变为新张量。</translation>
    </message>
    <message>
        <source>A tensor subclass or a mode in Python takes the call.</source>
        <translation>由 Python 中的张量子类或模式处理此调用。</translation>
    </message>
    <message>
        <source>Finds the device for calls that are given no tensor, such as torch.ones.</source>
        <translation>为不带张量的调用（例如 torch.ones）找到设备。</translation>
    </message>
    <message>
        <source>A kernel made of other operators; autograd sees those.</source>
        <translation>由其他算子组成的内核；autograd 看到的是那些算子。</translation>
    </message>
    <message>
        <source>One kernel for every device, with a derivative of its own.</source>
        <translation>一个适用于所有设备的内核，有自己的导数。</translation>
    </message>
    <message>
        <source>Computes shapes, and no numbers.</source>
        <translation>只计算形状，不计算数值。</translation>
    </message>
    <message>
        <source>Kept free for devices that torch does not know.</source>
        <translation>留给 torch 不认识的设备。</translation>
    </message>
    <message>
        <source>Kernels for quantized tensors.</source>
        <translation>量化张量的内核。</translation>
    </message>
    <message>
        <source>Kernels for sparse tensors.</source>
        <translation>稀疏张量的内核。</translation>
    </message>
    <message>
        <source>Kernels for nested tensors.</source>
        <translation>嵌套张量的内核。</translation>
    </message>
    <message>
        <source>Computes on the CPU.</source>
        <translation>在 CPU 上计算。</translation>
    </message>
    <message>
        <source>Registered for this very key.</source>
        <translation>正是为此键注册的。</translation>
    </message>
    <message>
        <source>Registered for Autograd, the alias of all keys of autograd.</source>
        <translation>为 Autograd 注册，它是所有 autograd 键的别名。</translation>
    </message>
    <message>
        <source>CompositeImplicitAutograd: made of other operators, for every key that has no kernel of its own.</source>
        <translation>CompositeImplicitAutograd：由其他算子组成，用于没有自己内核的每个键。</translation>
    </message>
    <message>
        <source>CompositeExplicitAutograd: one kernel for every device.</source>
        <translation>CompositeExplicitAutograd：一个适用于所有设备的内核。</translation>
    </message>
    <message>
        <source>Serves every operator that has no kernel for this key.</source>
        <translation>用于此键下没有内核的每个算子。</translation>
    </message>
    <message>
        <source>Decomposed for vmap: the operators it is made of have batching rules.</source>
        <translation>为 vmap 分解：组成它的算子有批处理规则。</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Take the lesson as it comes with Torch Loupe</source>
        <translation>恢复 Torch Loupe 自带的课程</translation>
    </message>
    <message>
        <source>Steps of the lesson</source>
        <translation>课程的步骤</translation>
    </message>
    <message>
        <source>What the step did</source>
        <translation>此步骤做了什么</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>The whole lesson, to be changed and run</source>
        <translation>整个课程，可修改并运行</translation>
    </message>
    <message>
        <source>Run it to see what each step does. Change it here and run that.</source>
        <translation>运行它，查看每一步做了什么。可在这里修改并运行。</translation>
    </message>
    <message>
        <source>Printed</source>
        <translation>已打印</translation>
    </message>
    <message>
        <source>Registered for </source>
        <translation>注册于 </translation>
    </message>
    <message>
        <source>Nothing was printed or registered.</source>
        <translation>没有打印或注册任何东西。</translation>
    </message>
    <message>
        <source>Find an operator</source>
        <translation>查找算子</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Also keys that serve every operator</source>
        <translation>也显示服务于每个算子的键</translation>
    </message>
    <message>
        <source>Filter keys</source>
        <translation>过滤键</translation>
    </message>
    <message>
        <source>Choose an operator, or select a node of a graph that calls one.</source>
        <translation>请选择算子，或选择图中调用算子的节点。</translation>
    </message>
    <message>
        <source>{shown:,} of {total:,} operators</source>
        <translation>{total:,} 个算子中的 {shown:,} 个</translation>
    </message>
    <message>
        <source>{total:,} operators</source>
        <translation>{total:,} 个算子</translation>
    </message>
    <message>
        <source>Asking for {name}</source>
        <translation>正在询问 {name}</translation>
    </message>
    <message>
        <source>replaced by a later one</source>
        <translation>被后来的代替</translation>
    </message>
    <message>
        <source>What is called, the first looked at first</source>
        <translation>调用的内核，最先查看者在前</translation>
    </message>
    <message>
        <source>What was registered</source>
        <translation>已注册的内核</translation>
    </message>
    <message>
        <source>passes the call on</source>
        <translation>传下此调用</translation>
    </message>
    <message>
        <source>Double-click: {link}</source>
        <translation>双击：{link}</translation>
    </message>
    <message>
        <source>Generated when torch was built; its repository does not hold the file</source>
        <translation>构建 torch 时生成；它的仓库中没有此文件</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>追踪</translation>
    </message>
    <message>
        <source>Keys of tensors</source>
        <translation>张量的键</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Trace a step</source>
        <translation>追踪一步</translation>
    </message>
    <message>
        <source>Runs the program in a process of its own with a shim around every kernel it uses</source>
        <translation>在独立的进程中运行程序，每个内核外面都有 shim</translation>
    </message>
    <message>
        <source>No step traced yet</source>
        <translation>还没有追踪一步</translation>
    </message>
    <message>
        <source>Each call goes down the keys of its tensors: autocast, autograd, views, the device. A trace shows which kernel took it at each, and what those called.</source>
        <translation>每次调用沿其张量的键往下：autocast、autograd、视图、设备。追踪显示每一层由哪个内核处理，以及它们又调用了什么。</translation>
    </message>
    <message>
        <source>Tracing</source>
        <translation>正在追踪</translation>
    </message>
    <message>
        <source>results differ from an untraced step: {names}</source>
        <translation>结果与未追踪的一步不同：{names}</translation>
    </message>
    <message>
        <source>all {compared} results are those of an untraced step, bit by bit</source>
        <translation>全部 {compared} 个结果与未追踪的一步逐位相同</translation>
    </message>
    <message>
        <source>; not the same in each untraced step: {names}</source>
        <translation>；各次未追踪的一步之间也不相同：{names}</translation>
    </message>
    <message>
        <source>{count:,} kernels called, of {operators} operators; {verdict}</source>
        <translation>调用了 {count:,} 个内核，属于 {operators} 个算子；{verdict}</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>WRONG</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>refuses</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <source>not taken</source>
        <translation>不接受</translation>
    </message>
    <message>
        <source>dies</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>Not captured</source>
        <translation>未捕获</translation>
    </message>
    <message>
        <source>The example, and inputs you gave</source>
        <translation>示例，以及您给出的输入</translation>
    </message>
    <message>
        <source>Inputs that were tried</source>
        <translation>尝试过的输入</translation>
    </message>
    <message>
        <source>{count} give what eager gives: </source>
        <translation>{count} 个与 eager 相同：</translation>
    </message>
    <message>
        <source>There was no time to try {untried} more.</source>
        <translation>没有时间再尝试另外 {untried} 个。</translation>
    </message>
    <message>
        <source>Torch warned while it captured</source>
        <translation>torch 在捕获时发出的警告</translation>
    </message>
    <message>
        <source>This is the capture that is open.</source>
        <translation>这就是打开着的捕获。</translation>
    </message>
    <message>
        <source>There is no capture to open.</source>
        <translation>没有可打开的捕获。</translation>
    </message>
    <message>
        <source>Show what was captured here; it takes the place of what is open.</source>
        <translation>显示这里捕获的内容；它会代替打开着的捕获。</translation>
    </message>
    <message>
        <source>Capture the program this way again{why}. It takes the place of what is open.</source>
        <translation>再次以此方式捕获程序{why}。它会代替打开着的捕获。</translation>
    </message>
    <message>
        <source>Choose a row to see what it did on which input.</source>
        <translation>选择一行，查看它对哪个输入做了什么。</translation>
    </message>
    <message>
        <source>The same program, captured in every way torch has</source>
        <translation>同一程序，以 torch 的每种方式捕获</translation>
    </message>
    <message>
        <source>Each front end forgets something else: branches not taken, the number of elements, a mode, what is printed. Compare them to see which still do what the program does, and what each costs.</source>
        <translation>每个前端忘记的东西不同：没有走到的分支、元素个数、模式、打印内容。比较它们，查看哪些仍与程序相同，以及各自的代价。</translation>
    </message>
    <message>
        <source>, print lost</source>
        <translation>，丢失打印</translation>
    </message>
    <message>
        <source>, attribute lost</source>
        <translation>，丢失属性</translation>
    </message>
    <message>
        <source>, no gradients</source>
        <translation>，没有梯度</translation>
    </message>
    <message>
        <source>Compare front ends</source>
        <translation>比较前端</translation>
    </message>
    <message>
        <source>Capture the program in every way torch has, each in a process of its own, and look for inputs on which a capture no longer does what the program does.</source>
        <translation>以 torch 的每种方式捕获程序，各在独立的进程中，并查找使捕获与程序不再相同的输入。</translation>
    </message>
    <message>
        <source>Skip this one</source>
        <translation>跳过这个</translation>
    </message>
    <message>
        <source>Stop the front end that is being judged and go on with the next.</source>
        <translation>停止正在判断的前端，继续下一个。</translation>
    </message>
    <message>
        <source>look for inputs that differ</source>
        <translation>查找结果不同的输入</translation>
    </message>
    <message>
        <source>Try other values, sizes, scalars, lengths and keywords, and the other of train and eval.</source>
        <translation>尝试其他值、大小、标量、长度和关键字，以及 train 与 eval 中的另一种。</translation>
    </message>
    <message>
        <source>other inputs: x=torch.randn(7, 3); eval: torch.ones(3), scale=2.0</source>
        <translation>其他输入：x=torch.randn(7, 3); eval: torch.ones(3), scale=2.0</translation>
    </message>
    <message>
        <source>Calls to compare with eager, with ; between them. Arguments that are named take the place of the example&apos;s. eval: or train: before a call switches the mode.</source>
        <translation>与 eager 比较的调用，用 ; 分隔。写明名称的参数代替示例的参数。调用前的 eval: 或 train: 切换模式。</translation>
    </message>
    <message>
        <source>Open this capture</source>
        <translation>打开此捕获</translation>
    </message>
    <message>
        <source>What this front end did</source>
        <translation>此前端做了什么</translation>
    </message>
    <message>
        <source>Starting an engine for trials</source>
        <translation>正在为尝试启动引擎</translation>
    </message>
    <message>
        <source>{done} of {count}, {title}: {value}{doing}</source>
        <translation>第 {done} 个，共 {count} 个，{title}：{value}{doing}</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>请先打开模型。</translation>
    </message>
    <message>
        <source>{captured} of {asked} capture it, {wrong} silently wrong on some input</source>
        <translation>{asked} 个中 {captured} 个能捕获，{wrong} 个在某些输入上悄悄出错</translation>
    </message>
    <message>
        <source>{reported}, {died} died or did not end over one</source>
        <translation>{reported}，{died} 个因此崩溃或没有结束</translation>
    </message>
    <message>
        <source>Source line</source>
        <translation>源码行</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Data type</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Bytes of the result</source>
        <translation>结果的字节数</translation>
    </message>
    <message>
        <source>Measured time</source>
        <translation>测得的时间</translation>
    </message>
    <message>
        <source>Values of a step</source>
        <translation>一步中的数值</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Edited or changed</source>
        <translation>已编辑或改变</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>No times yet: measure in the timings pane</source>
        <translation>还没有时间：请在计时面板中测量</translation>
    </message>
    <message>
        <source>an error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>edited, or changed by the pass on show</source>
        <translation>已编辑，或被所示的 pass 改变</translation>
    </message>
    <message>
        <source>{user}: {names} = {source}   (now {used})</source>
        <translation>{user}：{names} = {source}   （现为 {used}）</translation>
    </message>
    <message>
        <source>The edit was not made.</source>
        <translation>没有执行编辑。</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Show only</source>
        <translation>只显示</translation>
    </message>
    <message>
        <source>Show after all</source>
        <translation>再显示</translation>
    </message>
    <message>
        <source>Apply this filter</source>
        <translation>应用此过滤器</translation>
    </message>
    <message>
        <source>What the filter does</source>
        <translation>过滤器的作用</translation>
    </message>
    <message>
        <source>Which nodes</source>
        <translation>哪些节点</translation>
    </message>
    <message>
        <source>Nodes are hidden by the first row, then the next, and so on.</source>
        <translation>先按第一行隐藏节点，再按下一行，依此类推。</translation>
    </message>
    <message>
        <source>Add filter</source>
        <translation>添加过滤器</translation>
    </message>
    <message>
        <source>Save list…</source>
        <translation>保存列表…</translation>
    </message>
    <message>
        <source>Saved lists</source>
        <translation>已保存的列表</translation>
    </message>
    <message>
        <source>Close; the filters stay (Esc)</source>
        <translation>关闭；过滤器保留 (Esc)</translation>
    </message>
    <message>
        <source>Close the filters</source>
        <translation>关闭过滤器</translation>
    </message>
    <message>
        <source>Apply earlier</source>
        <translation>提前应用</translation>
    </message>
    <message>
        <source>Apply later</source>
        <translation>推后应用</translation>
    </message>
    <message>
        <source>Remove this filter</source>
        <translation>删除此过滤器</translation>
    </message>
    <message>
        <source>Save the filters</source>
        <translation>保存过滤器</translation>
    </message>
    <message>
        <source>Name of the list:</source>
        <translation>列表的名称：</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Add to these</source>
        <translation>加到当前</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Open and collapse; gather by module or by kernel</source>
        <translation>打开和折叠；按模块或内核归组</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>What boxes are coloured by</source>
        <translation>方框按什么着色</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>过滤器</translation>
    </message>
    <message>
        <source>Hide and show nodes by queries (Ctrl+Shift+L)</source>
        <translation>用查询隐藏和显示节点 (Ctrl+Shift+L)</translation>
    </message>
    <message>
        <source>Zoom out (-)</source>
        <translation>缩小 (-)</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>放大 (+)</translation>
    </message>
    <message>
        <source>Show everything (Space)</source>
        <translation>显示全部 (空格)</translation>
    </message>
    <message>
        <source>Search (/)</source>
        <translation>搜索 (/)</translation>
    </message>
    <message>
        <source>Overview in the corner</source>
        <translation>角落里的概览</translation>
    </message>
    <message>
        <source>Boxes are coloured by: {value}</source>
        <translation>方框着色依据：{value}</translation>
    </message>
    <message>
        <source>Collapse all</source>
        <translation>全部折叠</translation>
    </message>
    <message numerus="yes">
        <source>Open %n level(s)</source>
        <translation>
            <numerusform>打开 %n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>Expand all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Walk</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Select the next box along the arrows, or the one beside</source>
        <translation>沿箭头选择下一个方框，或旁边的方框</translation>
    </message>
    <message>
        <source>Inputs, outputs</source>
        <translation>输入、输出</translation>
    </message>
    <message>
        <source>Add the inputs or outputs to the selection; what is hidden among them is drawn</source>
        <translation>把输入或输出加入选择；其中隐藏的会画出</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Open module</source>
        <translation>打开模块</translation>
    </message>
    <message>
        <source>Open the selected module; of equal ones in one box the first</source>
        <translation>打开选中的模块；相同者合为一框时打开第一个</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>退格</translation>
    </message>
    <message>
        <source>Collapse module</source>
        <translation>折叠模块</translation>
    </message>
    <message>
        <source>Collapse the module around the selection</source>
        <translation>折叠选择所在的模块</translation>
    </message>
    <message>
        <source>Space, F</source>
        <translation>空格、F</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Fit the graph into the view</source>
        <translation>使图适合视图</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>One step nearer or farther; Ctrl and the wheel zoom too</source>
        <translation>放大或缩小一级；Ctrl 加滚轮也可缩放</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search the graph by words and queries; go to the next match</source>
        <translation>用词语和查询搜索图；到下一处匹配</translation>
    </message>
    <message>
        <source>Keep view</source>
        <translation>保存视图</translation>
    </message>
    <message>
        <source>Keep the stage, zoom, open modules, filters and colours under a number</source>
        <translation>把阶段、缩放、打开的模块、过滤器和颜色存在一个数字下</translation>
    </message>
    <message>
        <source>Go to view</source>
        <translation>转到视图</translation>
    </message>
    <message>
        <source>Look at what was kept under the number</source>
        <translation>查看存在该数字下的内容</translation>
    </message>
    <message>
        <source>Terms side by side all have to hold; -term turns one round, a|b is either.</source>
        <translation>并列的条件须全部成立；-term 取反，a|b 任一即可。</translation>
    </message>
    <message>
        <source>Search: words, op:gelu shape:[*,768] dtype:bf16 line:42 kernel:3, /regular expression/</source>
        <translation>搜索：词语、op:gelu shape:[*,768] dtype:bf16 line:42 kernel:3、/正则表达式/</translation>
    </message>
    <message>
        <source>Search the graph</source>
        <translation>搜索图</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>上一处匹配 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Next match (Enter, F3)</source>
        <translation>下一处匹配 (Enter, F3)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>无匹配</translation>
    </message>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n 处匹配</numerusform>
        </translation>
    </message>
    <message>
        <source>{value} of {count}</source>
        <translation>第 {value} 处，共 {count} 处</translation>
    </message>
    <message>
        <source>NaN begins here</source>
        <translation>NaN 从这里开始</translation>
    </message>
    <message>
        <source>infinity begins here</source>
        <translation>无穷从这里开始</translation>
    </message>
    <message>
        <source>infinite</source>
        <translation>无穷</translation>
    </message>
    <message>
        <source>beyond float16 (65,504)</source>
        <translation>超出 float16 (65,504)</translation>
    </message>
    <message>
        <source>all zeros</source>
        <translation>全为零</translation>
    </message>
    <message>
        <source>zeros: half or more</source>
        <translation>零：一半或更多</translation>
    </message>
    <message>
        <source>zeros: a tenth or more</source>
        <translation>零：十分之一或更多</translation>
    </message>
    <message>
        <source>finite, few zeros</source>
        <translation>有限，零很少</translation>
    </message>
    <message>
        <source>No values of this graph: Engine → Look at values (post-grad graphs have them)</source>
        <translation>没有此图的数值：引擎 → 查看数值（post-grad 图才有）</translation>
    </message>
    <message>
        <source>Gather by module</source>
        <translation>按模块归组</translation>
    </message>
    <message>
        <source>Gather by kernel</source>
        <translation>按内核归组</translation>
    </message>
    <message>
        <source>Gather nothing</source>
        <translation>不归组</translation>
    </message>
    <message>
        <source>{shown:,} of {count}</source>
        <translation>{shown:,} / {count}</translation>
    </message>
    <message>
        <source>Filters ({active})</source>
        <translation>过滤器 ({active})</translation>
    </message>
    <message>
        <source>Guards: {differ} of {count}</source>
        <translation>Guards：{count} 个中 {differ}</translation>
    </message>
    <message>
        <source>Symbolic shapes: {differ}</source>
        <translation>符号形状：{differ}</translation>
    </message>
    <message numerus="yes">
        <source>%n differ(s)</source>
        <translation>
            <numerusform>%n 个不同</numerusform>
        </translation>
    </message>
    <message>
        <source>none differ</source>
        <translation>没有不同</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>已消失</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Dynamo graph: {value} of {size}</source>
        <translation>Dynamo 图：{size} 中 {value}</translation>
    </message>
    <message>
        <source>Kernels: {differ}</source>
        <translation>内核：{differ}</translation>
    </message>
    <message>
        <source>Argument</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>Sizes to try</source>
        <translation>要尝试的大小</translation>
    </message>
    <message>
        <source>The program is called with each of these, in this order, with and without the mark</source>
        <translation>按此顺序用每个大小调用程序，分别有和没有此标记</translation>
    </message>
    <message>
        <source>Also mark every other dimension of the same size</source>
        <translation>同时标记所有相同大小的维度</translation>
    </message>
    <message>
        <source>A batch size shared by two arguments can only be dynamic in both</source>
        <translation>两个参数共有的批大小只能同时为动态</translation>
    </message>
    <message>
        <source>What if it were dynamic?</source>
        <translation>如果它是动态的呢？</translation>
    </message>
    <message>
        <source>Sizes to call it with</source>
        <translation>用于调用的大小</translation>
    </message>
    <message>
        <source>The program was called with no tensor that has a dimension.</source>
        <translation>调用程序时没有带维度的张量。</translation>
    </message>
    <message>
        <source>{index}    now {size}</source>
        <translation>{index}    现为 {size}</translation>
    </message>
    <message>
        <source>Write one to {most_sizes} sizes, such as 8, 16, 32.</source>
        <translation>请写 1 至 {most_sizes} 个大小，例如 8, 16, 32。</translation>
    </message>
    <message>
        <source>shape of {name}</source>
        <translation>{name} 的形状</translation>
    </message>
    <message>
        <source>stride of {name}</source>
        <translation>{name} 的步幅</translation>
    </message>
    <message>
        <source>The {what} must be whole numbers with commas, such as 8, 128; it is {text!r}.</source>
        <translation>{what} 必须是用逗号分隔的整数，例如 8, 128；现为 {text!r}。</translation>
    </message>
    <message>
        <source>grad mode on</source>
        <translation>梯度开启</translation>
    </message>
    <message>
        <source>grad mode off</source>
        <translation>梯度关闭</translation>
    </message>
    <message>
        <source>the inputs as captured</source>
        <translation>捕获时的输入</translation>
    </message>
    <message>
        <source>No guards</source>
        <translation>没有 guard</translation>
    </message>
    <message>
        <source>Recompiles</source>
        <translation>重新编译</translation>
    </message>
    <message>
        <source>Tester</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Dynamic shapes</source>
        <translation>动态形状</translation>
    </message>
    <message>
        <source>What compiled code asks of its inputs is shown here.</source>
        <translation>编译的代码对其输入的要求显示在这里。</translation>
    </message>
    <message>
        <source>Nothing was compiled, or the capture is older than this pane; capture again.</source>
        <translation>没有编译任何东西，或捕获比此面板更旧；请重新捕获。</translation>
    </message>
    <message>
        <source>Guards ({count})</source>
        <translation>Guards ({count})</translation>
    </message>
    <message>
        <source>Recompiles ({count})</source>
        <translation>重新编译 ({count})</translation>
    </message>
    <message>
        <source>Compiled again, since</source>
        <translation>再次编译，因为</translation>
    </message>
    <message>
        <source>Filter recompiles</source>
        <translation>过滤重新编译</translation>
    </message>
    <message>
        <source>Compared compile</source>
        <translation>被比较的编译</translation>
    </message>
    <message>
        <source>With this compile</source>
        <translation>与此编译</translation>
    </message>
    <message>
        <source>with</source>
        <translation>与</translation>
    </message>
    <message>
        <source>Lay the Dynamo graphs of both compiles beside each other, drawn and as text</source>
        <translation>把两次编译的 Dynamo 图并排，以图和文本显示</translation>
    </message>
    <message>
        <source>No recompiles</source>
        <translation>没有重新编译</translation>
    </message>
    <message>
        <source>{compile_id} did not fit: {how_many}</source>
        <translation>{compile_id} 不适用：{how_many}</translation>
    </message>
    <message>
        <source>{kind} on {source}
{code}
{reason}</source>
        <translation>{source} 上的 {kind}
{code}
{reason}</translation>
    </message>
    <message numerus="yes">
        <source>%n guard(s) fail</source>
        <translation>
            <numerusform>%n 个 guard 不成立</numerusform>
        </translation>
    </message>
    <message>
        <source>no guard fails now</source>
        <translation>现在没有 guard 不成立</translation>
    </message>
    <message>
        <source>Frames that were compiled more than once are listed here.</source>
        <translation>编译过不止一次的帧列在这里。</translation>
    </message>
    <message>
        <source>No recompiles: every frame was compiled once</source>
        <translation>没有重新编译：每个帧只编译了一次</translation>
    </message>
    <message>
        <source>The tester says which inputs would change that.</source>
        <translation>“测试”页说明哪些输入会改变这一点。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Compiled code</source>
        <translation>编译的代码</translation>
    </message>
    <message>
        <source>as captured</source>
        <translation>与捕获时相同</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>The compiled frame to try, with the values that this compile is called with</source>
        <translation>要尝试的已编译帧，使用此编译被调用时的值</translation>
    </message>
    <message>
        <source>Values to try</source>
        <translation>要尝试的值</translation>
    </message>
    <message>
        <source>Whether the module is in training mode</source>
        <translation>模块是否处于训练模式</translation>
    </message>
    <message>
        <source>Whether gradients are recorded</source>
        <translation>是否记录梯度</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Ask the guards of every compile of this frame. The model is not run.</source>
        <translation>询问此帧每次编译的 guard。不运行模型。</translation>
    </message>
    <message>
        <source>Filter answers</source>
        <translation>过滤答案</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Running the program once, to see what {wanted} is called with…</source>
        <translation>正在运行程序一次，查看调用 {wanted} 时的值…</translation>
    </message>
    <message>
        <source>Change something and press Try: the guards are asked, the model is not run.</source>
        <translation>修改内容并按“尝试”：只询问 guard，不运行模型。</translation>
    </message>
    <message>
        <source>Empty: as captured, or contiguous for another shape</source>
        <translation>留空：与捕获时相同；形状不同时为连续</translation>
    </message>
    <message>
        <source>Asking the guards…</source>
        <translation>正在询问 guard…</translation>
    </message>
    <message>
        <source>{hit} runs, nothing is compiled</source>
        <translation>运行 {hit}，不编译任何东西</translation>
    </message>
    <message>
        <source>{frame} would be compiled again</source>
        <translation>{frame} 会重新编译</translation>
    </message>
    <message>
        <source>With {describe}: {verdict}. {note}</source>
        <translation>{describe}：{verdict}。{note}</translation>
    </message>
    <message>
        <source>{compile_id} fits</source>
        <translation>{compile_id} 适用</translation>
    </message>
    <message>
        <source>{compile_id} does not fit: {first}</source>
        <translation>{compile_id} 不适用：{first}</translation>
    </message>
    <message>
        <source>{first}
Torch stops at this guard.</source>
        <translation>{first}
torch 停在此 guard。</translation>
    </message>
    <message>
        <source>{reason}
{kind} on {source}
{code}</source>
        <translation>{reason}
{source} 上的 {kind}
{code}</translation>
    </message>
    <message>
        <source>Filter by value, code, kind, type or line</source>
        <translation>按值、代码、种类、类型或行过滤</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Time each guard with the values it meets. The program is run once if need be.</source>
        <translation>用实际遇到的值为每个 guard 计时。必要时运行程序一次。</translation>
    </message>
    <message>
        <source>{whole} guards</source>
        <translation>{whole} 个 guard</translation>
    </message>
    <message>
        <source>{shown} of {whole} guards</source>
        <translation>{whole} 个 guard 中的 {shown} 个</translation>
    </message>
    <message>
        <source>One check of all: {value:,.2f} µs, {value2:,.1f} µs with cold caches. {most} {note}</source>
        <translation>全部检查一次：{value:,.2f} µs，缓存冷时 {value2:,.1f} µs。{most} {note}</translation>
    </message>
    <message>
        <source>{kind} of {source} {cost:,.0f} ns</source>
        <translation>{source} 的 {kind} {cost:,.0f} ns</translation>
    </message>
    <message>
        <source>Most: {names}.</source>
        <translation>最多：{names}。</translation>
    </message>
    <message>
        <source>Verdict of the capture shown</source>
        <translation>所示捕获的判定</translation>
    </message>
    <message>
        <source>Two states compared</source>
        <translation>两个状态的比较</translation>
    </message>
    <message>
        <source>Edit a graph, loop IR or kernel and recompile: the results are judged here.</source>
        <translation>编辑图、循环 IR 或内核并重新编译：结果在这里判断。</translation>
    </message>
    <message>
        <source>Judged when it was built and run.</source>
        <translation>构建并运行之后给出判定。</translation>
    </message>
    <message>
        <source>This recompile was not judged.</source>
        <translation>这次重新编译没有判断。</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Filter edits</source>
        <translation>过滤编辑</translation>
    </message>
    <message>
        <source>What all forwards keep for their backwards</source>
        <translation>所有前向为其反向保留的内容</translation>
    </message>
    <message>
        <source>As captured</source>
        <translation>捕获时</translation>
    </message>
    <message>
        <source>{reported}
Click to go to the state right after this edit; right-click for more</source>
        <translation>{reported}
点击转到此编辑之后的状态；右键查看更多</translation>
    </message>
    <message>
        <source>recompile failed</source>
        <translation>重新编译失败</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>not compiled</source>
        <translation>未编译</translation>
    </message>
    <message>
        <source>compiled {seconds:.1f} s</source>
        <translation>已编译 {seconds:.1f} s</translation>
    </message>
    <message>
        <source>captured {seconds:.1f} s</source>
        <translation>已捕获 {seconds:.1f} s</translation>
    </message>
    <message>
        <source>Go to this state</source>
        <translation>转到此状态</translation>
    </message>
    <message>
        <source>Compare with the active state</source>
        <translation>与当前状态比较</translation>
    </message>
    <message>
        <source>Name…</source>
        <translation>命名…</translation>
    </message>
    <message>
        <source>Drop it and what follows</source>
        <translation>丢弃它及其后的编辑</translation>
    </message>
    <message>
        <source>Time both interleaved</source>
        <translation>交替为两者计时</translation>
    </message>
    <message>
        <source>Run both states and the eager program one after the other for three seconds, so that a noisy moment hits all alike; what is not compiled yet is compiled first</source>
        <translation>两个状态和 eager 程序交替运行三秒，使噪声对三者影响相同；尚未编译的先编译</translation>
    </message>
    <message>
        <source>Timing…</source>
        <translation>正在计时…</translation>
    </message>
    <message>
        <source>By turns: first {time}, second {time2}, eager {time3}; {ratio}.</source>
        <translation>交替：第一个 {time}，第二个 {time2}，eager {time3}；{ratio}。</translation>
    </message>
    <message>
        <source>Time of one step after over before: {ratio:.2f}, 95 % interval {low:.2f} to {high:.2f}, from {pairs} pairs of steps timed in turns</source>
        <translation>之后与之前一步的时间之比：{ratio:.2f}，95 % 区间 {low:.2f} 至 {high:.2f}，来自轮流计时的 {pairs} 对步</translation>
    </message>
    <message>
        <source>error not judged</source>
        <translation>误差未判断</translation>
    </message>
    <message>
        <source>error {error}</source>
        <translation>误差 {error}</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>Worst tensor</source>
        <translation>最差的张量</translation>
    </message>
    <message>
        <source>Abs. error</source>
        <translation>绝对误差</translation>
    </message>
    <message>
        <source>Rel. error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>The verdict in words, all times, and every comparison by tensor</source>
        <translation>判定的文字说明、所有时间，以及每个张量的比较</translation>
    </message>
    <message>
        <source>Find what makes the results wrong: the stage, the pass, the fusion, the kernel, the line</source>
        <translation>找出使结果出错的原因：阶段、pass、融合、内核、行</translation>
    </message>
    <message>
        <source>Filter comparisons</source>
        <translation>过滤比较</translation>
    </message>
    <message>
        <source>▾ Details</source>
        <translation>▾ 详情</translation>
    </message>
    <message>
        <source>▸ Details</source>
        <translation>▸ 详情</translation>
    </message>
    <message>
        <source>Judged against eager.</source>
        <translation>与 eager 对照判断。</translation>
    </message>
    <message>
        <source>, first capture {cold_seconds:.1f} s</source>
        <translation>，首次捕获 {cold_seconds:.1f} s</translation>
    </message>
    <message>
        <source>One step: before {time} → after {time2} ({speed}), eager {time3}. {by_turns}Recompiled in {recompile_seconds:.1f} s{cold}.</source>
        <translation>一步：之前 {time} → 之后 {time2}（{speed}），eager {time3}。{by_turns}重新编译用时 {recompile_seconds:.1f} s{cold}。</translation>
    </message>
    <message>
        <source>Medians with quartiles in brackets</source>
        <translation>中位数，方括号内为四分位数</translation>
    </message>
    <message>
        <source>Results of the {what} program against {reference}</source>
        <translation>{what} 程序的结果，对照 {reference}</translation>
    </message>
    <message>
        <source>not timed</source>
        <translation>未计时</translation>
    </message>
    <message>
        <source>too few steps to compare</source>
        <translation>步数太少，无法比较</translation>
    </message>
    <message>
        <source>no clear change</source>
        <translation>无明显变化</translation>
    </message>
    <message>
        <source>{value:.2f}× as fast</source>
        <translation>快 {value:.2f} 倍</translation>
    </message>
    <message>
        <source>{ratio:.2f}× as slow</source>
        <translation>慢 {ratio:.2f} 倍</translation>
    </message>
    <message>
        <source>the program before</source>
        <translation>之前的程序</translation>
    </message>
    <message>
        <source>the program after</source>
        <translation>之后的程序</translation>
    </message>
    <message>
        <source>By turns: {names}. </source>
        <translation>交替运行：{names}。 </translation>
    </message>
    <message>
        <source>{ratio:.2f}× as fast</source>
        <translation>快 {ratio:.2f} 倍</translation>
    </message>
    <message>
        <source>{value:.2f}× as slow</source>
        <translation>慢 {value:.2f} 倍</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>{agrees} (torch: {agrees2})</source>
        <translation>{agrees}（torch：{agrees2}）</translation>
    </message>
    <message>
        <source>; torch&apos;s own check, by the mean square (torch._dynamo.utils.same with fp64_ref): {agrees}</source>
        <translation>；torch 自己的检查，按均方 (torch._dynamo.utils.same，fp64_ref)：{agrees}</translation>
    </message>
    <message>
        <source>Largest difference and root mean square from float64, against those of eager</source>
        <translation>与 float64 的最大差异和均方根差异，与 eager 的相比</translation>
    </message>
    <message>
        <source>Step before {time}, after {time2}</source>
        <translation>一步之前 {time}，之后 {time2}</translation>
    </message>
    <message>
        <source>{what} against {reference}</source>
        <translation>{what} 对照 {reference}</translation>
    </message>
    <message>
        <source>{what}: {relative} relative error ({tensor}), agrees: {judged}</source>
        <translation>{what}：相对误差 {relative}（{tensor}），一致：{judged}</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>The result of {node}. Click to select it.</source>
        <translation>{node} 的结果。点击以选择它。</translation>
    </message>
    <message>
        <source>{text}
Double-click or press Enter to change it.</source>
        <translation>{text}
双击或按回车以修改。</translation>
    </message>
    <message>
        <source>{error}. {before} was kept.</source>
        <translation>{error}。保留了 {before}。</translation>
    </message>
    <message>
        <source>In the graph</source>
        <translation>在图中</translation>
    </message>
    <message>
        <source>{size} given, {size2} got, on each rank</source>
        <translation>每个 rank 给出 {size}，得到 {size2}</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Sends</source>
        <translation>发送</translation>
    </message>
    <message numerus="yes">
        <source>, %n rank(s)</source>
        <translation>
            <numerusform>，%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>, of how many ranks was not noted</source>
        <translation>，未记录多少个 rank</translation>
    </message>
    <message>
        <source>Process group</source>
        <translation>进程组</translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation>被等待于</translation>
    </message>
    <message>
        <source>nowhere in this graph</source>
        <translation>不在此图中</translation>
    </message>
    <message>
        <source>Waited for by</source>
        <translation>等待者</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>nothing: it is waited for at once</source>
        <translation>无：立即等待</translation>
    </message>
    <message>
        <source>Meanwhile</source>
        <translation>其间</translation>
    </message>
    <message>
        <source>Computes</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>  {value:.1%} of kernel time{bounds}</source>
        <translation>  占内核时间的 {value:.1%}{bounds}</translation>
    </message>
    <message>
        <source>Own time</source>
        <translation>自身时间</translation>
    </message>
    <message>
        <source>With callees</source>
        <translation>含所调用的</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message numerus="yes">
        <source>%n kernel(s), the largest part first</source>
        <translation>
            <numerusform>%n 个内核，最大者在前</numerusform>
        </translation>
    </message>
    <message>
        <source>{share:.0%} of {time}  </source>
        <translation>{time} 的 {share:.0%}  </translation>
    </message>
    <message numerus="yes">
        <source>and %n more kernel(s)</source>
        <translation>
            <numerusform>以及另外 %n 个内核</numerusform>
        </translation>
    </message>
    <message>
        <source>line {line_of}</source>
        <translation>第 {line_of} 行</translation>
    </message>
    <message numerus="yes">
        <source>{name}, line(s) {lines}</source>
        <translation>
            <numerusform>{name}，第 {lines} 行</numerusform>
        </translation>
    </message>
    <message>
        <source>{name}, line {line}</source>
        <translation>{name}，第 {line} 行</translation>
    </message>
    <message>
        <source>{title} of a Triton kernel</source>
        <translation>Triton 内核的 {title}</translation>
    </message>
    <message>
        <source>line {source} of the kernel</source>
        <translation>内核的第 {source} 行</translation>
    </message>
    <message>
        <source>no line of the kernel, by its debug locations</source>
        <translation>按调试信息不属于内核的任何一行</translation>
    </message>
    <message>
        <source>Is</source>
        <translation>是</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Makes</source>
        <translation>产生</translation>
    </message>
    <message>
        <source>The buffers it writes</source>
        <translation>它写入的缓冲区</translation>
    </message>
    <message>
        <source>Bytes read and written, by Inductor&apos;s count</source>
        <translation>读写的字节数（Inductor 的计数）</translation>
    </message>
    <message>
        <source>Filter the selected nodes</source>
        <translation>过滤选中的节点</translation>
    </message>
    <message>
        <source> (the first {most_rows:,} are listed)</source>
        <translation>（列出前 {most_rows:,} 个）</translation>
    </message>
    <message>
        <source>{count:,} selected in {title} {compile_id}{cut}. Click one for more.</source>
        <translation>在 {title} {compile_id} 中选中 {count:,} 个{cut}。点击其中一个查看更多。</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>Spilled</source>
        <translation>溢出</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>占用率</translation>
    </message>
    <message>
        <source>Limited by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Filter kernels</source>
        <translation>过滤内核</translation>
    </message>
    <message numerus="yes">
        <source>called %n time(s)</source>
        <translation>
            <numerusform>调用 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>made after a first launch</source>
        <translation>首次启动后生成</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>{words}
Computed, not measured, by {source}</source>
        <translation>{words}
由 {source} 计算得出，非测量</translation>
    </message>
    <message>
        <source>What the kernel needs</source>
        <translation>内核所需的资源</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Lower the kernel</source>
        <translation>降级此内核</translation>
    </message>
    <message>
        <source>Have Triton compile the selected kernel down to machine code, as Inductor does</source>
        <translation>让 Triton 像 Inductor 那样把选中的内核编译到机器码</translation>
    </message>
    <message>
        <source>Lower all</source>
        <translation>全部降级</translation>
    </message>
    <message>
        <source>all configurations</source>
        <translation>所有配置</translation>
    </message>
    <message>
        <source>Lower every configuration that Inductor would try on the GPU, and those that it makes after a first launch</source>
        <translation>降级 Inductor 会在 GPU 上尝试的每个配置，以及首次启动后生成的配置</translation>
    </message>
    <message>
        <source>No Triton kernels</source>
        <translation>没有 Triton 内核</translation>
    </message>
    <message>
        <source>Capture for a GPU (Open model, device), here or elsewhere: its kernels are lowered to machine code here.</source>
        <translation>请为 GPU 捕获（打开模型，设备），在本机或别处：内核在这里降级为机器码。</translation>
    </message>
    <message>
        <source>Bring the kernel&apos;s {title} to the front</source>
        <translation>显示内核的{title}</translation>
    </message>
    <message>
        <source>lowering {count}…</source>
        <translation>正在降级 {count} 个…</translation>
    </message>
    <message>
        <source>{known} of {count} lowered</source>
        <translation>{count} 个中已降级 {known} 个</translation>
    </message>
    <message>
        <source>being lowered…</source>
        <translation>正在降级…</translation>
    </message>
    <message>
        <source>not lowered yet</source>
        <translation>尚未降级</translation>
    </message>
    <message>
        <source>Common choices</source>
        <translation>常用选择</translation>
    </message>
    <message>
        <source>Put on the list what most people would try first</source>
        <translation>把大多数人会先尝试的放入列表</translation>
    </message>
    <message>
        <source>Capture the program with each of the list, compare code and results, time all interleaved</source>
        <translation>用列表中的每个选择捕获程序，比较代码和结果，并交替计时</translation>
    </message>
    <message>
        <source>Stop measuring; nothing of the program changes</source>
        <translation>停止测量；程序没有任何改变</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Capture the program with the selected choice from now on</source>
        <translation>从现在起用选中的选择捕获程序</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Put the selected choices on the list as one</source>
        <translation>把选中的选择合为一个放入列表</translation>
    </message>
    <message>
        <source>Take the selected choices off the list</source>
        <translation>把选中的选择从列表中去掉</translation>
    </message>
    <message>
        <source>What came of it</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>In words</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Changing sizes</source>
        <translation>变化的大小</translation>
    </message>
    <message>
        <source>Measure {count}</source>
        <translation>测量 {count} 个</translation>
    </message>
    <message>
        <source>Starting an engine for trials…</source>
        <translation>正在为尝试启动引擎…</translation>
    </message>
    <message>
        <source>Add rows from the left, or start with the common choices.</source>
        <translation>请从左侧添加行，或从常用选择开始。</translation>
    </message>
    <message>
        <source>Nothing is measured yet. The program that is open stays as it is.</source>
        <translation>还没有测量。打开的程序保持原样。</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Search arguments, modes, backends and options</source>
        <translation>搜索参数、模式、后端和选项</translation>
    </message>
    <message>
        <source>Modes</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Stances</source>
        <translation>Stance</translation>
    </message>
    <message>
        <source>sets no option</source>
        <translation>不设置任何选项</translation>
    </message>
    <message>
        <source>works here (first step {seconds:.1f} s)</source>
        <translation>在此可用（第一步 {seconds:.1f} s）</translation>
    </message>
    <message>
        <source>does not work here: {why}</source>
        <translation>在此不可用：{why}</translation>
    </message>
    <message>
        <source>Try all backends</source>
        <translation>尝试所有后端</translation>
    </message>
    <message>
        <source>Compile and train a tiny module with every backend, each in a process of its own; takes minutes</source>
        <translation>用每个后端编译并训练一个很小的模块，各在独立的进程中；需要几分钟</translation>
    </message>
    <message>
        <source>Asking torch…</source>
        <translation>正在询问 torch…</translation>
    </message>
    <message>
        <source>{count} of {count2} backends tried</source>
        <translation>{count2} 个后端中已尝试 {count} 个</translation>
    </message>
    <message>
        <source>torch {torch}</source>
        <translation>torch {torch}</translation>
    </message>
    <message>
        <source>Its entries are the options below.</source>
        <translation>它的各项是下面的选项。</translation>
    </message>
    <message>
        <source>An object of Python&apos;s: give it in your own call of torch.compile.</source>
        <translation>Python 对象：请在您自己的 torch.compile 调用中给出。</translation>
    </message>
    <message>
        <source>Choose one of the modes below.</source>
        <translation>请选择下面的一个模式。</translation>
    </message>
    <message>
        <source>Choose one of the backends below.</source>
        <translation>请选择下面的一个后端。</translation>
    </message>
    <message>
        <source>Value to try</source>
        <translation>要尝试的值</translation>
    </message>
    <message>
        <source>Add to the list</source>
        <translation>加入列表</translation>
    </message>
    <message>
        <source>Measure it for this program, with the others of the list</source>
        <translation>与列表中的其他选择一起为此程序测量</translation>
    </message>
    <message>
        <source>Choose a row for torch&apos;s words on it. Measuring says what it changes for this program.</source>
        <translation>选择一行查看 torch 的说明。测量可知它对此程序的影响。</translation>
    </message>
    <message>
        <source>  default {default}</source>
        <translation>  默认 {default}</translation>
    </message>
    <message>
        <source>Torch says nothing about it.</source>
        <translation>torch 没有说明。</translation>
    </message>
    <message>
        <source>The same as options: {mode}.</source>
        <translation>等同于选项：{mode}。</translation>
    </message>
    <message>
        <source>Sets no option.</source>
        <translation>不设置任何选项。</translation>
    </message>
    <message>
        <source>Set around calls, not in torch.compile.</source>
        <translation>在调用外围设置，不在 torch.compile 中。</translation>
    </message>
    <message>
        <source>  {type}, default {default}</source>
        <translation>  {type}，默认 {default}</translation>
    </message>
    <message>
        <source>Environment: {names}</source>
        <translation>环境变量：{names}</translation>
    </message>
    <message>
        <source>Its value is an object of Python&apos;s, which cannot be written down here.</source>
        <translation>它的值是 Python 对象，无法在这里写下。</translation>
    </message>
    <message>
        <source>Sizes to call with</source>
        <translation>用于调用的大小</translation>
    </message>
    <message>
        <source>x:0=3,4,5; empty: first dimension of the first tensor</source>
        <translation>x:0=3,4,5；留空：第一个张量的第一维</translation>
    </message>
    <message>
        <source>Call the program with one size after another, forward only, under every stance</source>
        <translation>在每种 stance 下，依次用各个大小调用程序，只做前向</translation>
    </message>
    <message>
        <source>What each call did</source>
        <translation>每次调用做了什么</translation>
    </message>
    <message>
        <source>compiled: torch compiled for this call; reused: compiled code ran; eager: none did.</source>
        <translation>compiled：torch 为此调用编译；reused：运行已编译的代码；eager：都没有。</translation>
    </message>
    <message>
        <source>Compiles</source>
        <translation>编译次数</translation>
    </message>
    <message>
        <source>What your program and the engine print appears here.</source>
        <translation>您的程序和引擎打印的内容显示在这里。</translation>
    </message>
    <message>
        <source>The last {most_lines:,} lines are kept.</source>
        <translation>保留最后 {most_lines:,} 行。</translation>
    </message>
    <message>
        <source>Copy everything</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>{size} kept</source>
        <translation>保留 {size}</translation>
    </message>
    <message>
        <source>Repeated in the backward (estimated)</source>
        <translation>在反向中重复的（估计）</translation>
    </message>
    <message>
        <source>One step (measured, quartiles)</source>
        <translation>一步（测得，四分位数）</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>为何</translation>
    </message>
    <message>
        <source>Filter results</source>
        <translation>过滤结果</translation>
    </message>
    <message>
        <source>Chosen by hand</source>
        <translation>手动选择</translation>
    </message>
    <message>
        <source>Chosen by hand, not compiled yet</source>
        <translation>手动选择，尚未编译</translation>
    </message>
    <message>
        <source>in {base}</source>
        <translation>在 {base} 中</translation>
    </message>
    <message>
        <source>{size}, of the same storage as {base}: counted there</source>
        <translation>{size}，与 {base} 共用存储：在那里计算</translation>
    </message>
    <message>
        <source>Counts {weight:,.0f} in the minimum cut (bytes, weighted by torch)</source>
        <translation>在最小割中计 {weight:,.0f}（字节，由 torch 加权）</translation>
    </message>
    <message>
        <source>AOTAutograd alone is cut as both partitioners choose; capture with torch.compile to choose by hand.</source>
        <translation>只用 AOTAutograd 时按两个分割器的选择切分；要手动选择，请用 torch.compile 捕获。</translation>
    </message>
    <message>
        <source>Memory budget</source>
        <translation>内存预算</translation>
    </message>
    <message>
        <source>How much of the memory that torch would keep at most may be kept</source>
        <translation>torch 最多会保留的内存中，允许保留多少</translation>
    </message>
    <message>
        <source>Use this budget</source>
        <translation>使用此预算</translation>
    </message>
    <message>
        <source>Torch&apos;s own</source>
        <translation>torch 自己的</translation>
    </message>
    <message>
        <source>Take the chosen budget back</source>
        <translation>收回所选的预算</translation>
    </message>
    <message>
        <source>Show the curve</source>
        <translation>显示曲线</translation>
    </message>
    <message>
        <source>Ask torch&apos;s partitioner what it would keep at each budget; compiles nothing</source>
        <translation>询问 torch 的分割器在每个预算下保留什么；不编译任何东西</translation>
    </message>
    <message>
        <source>Compile five budgets and time a step with each; Esc cancels, what ran before goes on</source>
        <translation>编译五种预算并为每种的一步计时；Esc 取消，之前运行的继续</translation>
    </message>
    <message>
        <source>No partition</source>
        <translation>没有分割</translation>
    </message>
    <message>
        <source>A graph that is trained has a joint graph, which torch cuts into a forward and a backward.</source>
        <translation>用于训练的图有一张联合图，torch 把它切成前向和反向。</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>正在询问…</translation>
    </message>
    <message>
        <source>Select other results.</source>
        <translation>请选择其他结果。</translation>
    </message>
    <message>
        <source>{size} kept beside inputs, {count} saved, {again} recomputed</source>
        <translation>除输入外保留 {size}，保存 {count} 个，重算 {again} 个</translation>
    </message>
    <message>
        <source>{text}, memory budget {budget:.0%}</source>
        <translation>{text}，内存预算 {budget:.0%}</translation>
    </message>
    <message numerus="yes">
        <source>{budget:.0%}: would keep {size} and repeat %n operation(s) ({flops}, estimated)</source>
        <translation>
            <numerusform>{budget:.0%}：会保留 {size} 并重复 %n 个运算（{flops}，估计）</numerusform>
        </translation>
    </message>
    <message>
        <source>saved</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>recomputed</source>
        <translation>重算</translation>
    </message>
    <message>
        <source>backward only</source>
        <translation>仅反向</translation>
    </message>
    <message>
        <source>forward only</source>
        <translation>仅前向</translation>
    </message>
    <message>
        <source>chosen by hand</source>
        <translation>手动选择</translation>
    </message>
    <message>
        <source>cheaper to keep than what follows from it</source>
        <translation>保留它比保留由它得出的更便宜</translation>
    </message>
    <message>
        <source>the backward does not need it</source>
        <translation>反向不需要它</translation>
    </message>
    <message>
        <source>a view of {base}: free to take again</source>
        <translation>{base} 的视图：可免费重取</translation>
    </message>
    <message>
        <source>cheap to compute again from what is kept</source>
        <translation>由保留的内容重算很便宜</translation>
    </message>
    <message>
        <source>Matches of the pattern</source>
        <translation>模式的匹配</translation>
    </message>
    <message numerus="yes">
        <source>%n near miss(es)</source>
        <translation>
            <numerusform>%n 处接近的匹配</numerusform>
        </translation>
    </message>
    <message>
        <source>{title}  {count} of {total}</source>
        <translation>{title}  {total} 中的 {count}</translation>
    </message>
    <message>
        <source>{why}
In the pattern: {pattern_node}</source>
        <translation>{why}
在模式中：{pattern_node}</translation>
    </message>
    <message>
        <source>Select the calls of a graph that make a pattern and press P.

Every match in the model is listed, found by torch&apos;s own matcher, and for near misses which node and which argument failed. What takes their place is typed, and applied to all or to those ticked.</source>
        <translation>选择图中构成模式的调用，然后按 P。

模型中的每处匹配都由 torch 自己的匹配器找出并列在这里；接近的匹配会说明哪个节点、哪个参数不符。输入用来代替它们的内容，可应用于全部或勾选的匹配。</translation>
    </message>
    <message>
        <source>Pattern from selection</source>
        <translation>由选择生成模式</translation>
    </message>
    <message>
        <source>Take the selected calls of the graph in front (P)</source>
        <translation>取当前图中选中的调用 (P)</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>As code…</source>
        <translation>写成代码…</translation>
    </message>
    <message>
        <source>Write pattern and replacement as a registration with torch&apos;s own matcher, which needs torch only, and its test</source>
        <translation>把模式和替换写成 torch 自己的匹配器的注册，只需要 torch，并附测试</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Select every ticked match in the graph in front</source>
        <translation>在当前图中选择每处勾选的匹配</translation>
    </message>
    <message>
        <source>Replacement from selection</source>
        <translation>由选择生成替换</translation>
    </message>
    <message>
        <source>Take the selected calls of the graph in front as what takes the place of a match</source>
        <translation>取当前图中选中的调用来代替匹配</translation>
    </message>
    <message>
        <source>No pattern yet</source>
        <translation>还没有模式</translation>
    </message>
    <message>
        <source>Looking for matches…</source>
        <translation>正在查找匹配…</translation>
    </message>
    <message>
        <source>There is no replacement.</source>
        <translation>没有替换内容。</translation>
    </message>
    <message>
        <source>Type what takes the place of a match.</source>
        <translation>请输入用来代替匹配的内容。</translation>
    </message>
    <message>
        <source>No match is ticked.</source>
        <translation>没有勾选任何匹配。</translation>
    </message>
    <message>
        <source>{title} cannot be edited.</source>
        <translation>{title} 不能编辑。</translation>
    </message>
    <message>
        <source>Pattern as code</source>
        <translation>模式写成代码</translation>
    </message>
    <message numerus="yes">
        <source>Replace %n match(es)</source>
        <translation>
            <numerusform>替换 %n 处匹配</numerusform>
        </translation>
    </message>
    <message>
        <source>The pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Must be</source>
        <translation>必须为</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>argument {path}</source>
        <translation>参数 {path}</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>Anything fits here. Click to ask for {text_of} again.</source>
        <translation>这里任何内容都适合。点击以重新要求 {text_of}。</translation>
    </message>
    <message>
        <source>{text_of} is made outside the pattern: any result fits.</source>
        <translation>{text_of} 在模式之外生成：任何结果都适合。</translation>
    </message>
    <message>
        <source>Click to let anything fit here.</source>
        <translation>点击使这里任何内容都适合。</translation>
    </message>
    <message>
        <source>Line {line}: {message}</source>
        <translation>第 {line} 行：{message}</translation>
    </message>
    <message>
        <source>Replacement</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>与…比较</translation>
    </message>
    <message>
        <source>{title}, which it was made from</source>
        <translation>{title}，它由此生成</translation>
    </message>
    <message>
        <source>Itself before its first pass</source>
        <translation>它自己在第一个 pass 之前</translation>
    </message>
    <message>
        <source>Pre-grad graph</source>
        <translation>Pre-grad 图</translation>
    </message>
    <message>
        <source>Post-grad graph</source>
        <translation>Post-grad 图</translation>
    </message>
    <message>
        <source>Files of installed packages that lines were traced in; File → Your files… says what is yours</source>
        <translation>追踪到的已安装包中的文件；文件 → 您的文件… 说明哪些是您的</translation>
    </message>
    <message>
        <source>Functions of installed packages that were traced into the graph of their caller</source>
        <translation>追踪进调用者的图中的已安装包的函数</translation>
    </message>
    <message>
        <source>What torch wrote to its log beside the stages</source>
        <translation>torch 在各阶段之外写入日志的内容</translation>
    </message>
    <message>
        <source>Log texts of no compile</source>
        <translation>不属于任何编译的日志文本</translation>
    </message>
    <message>
        <source>Functions that Dynamo looked at without making a graph of them</source>
        <translation>Dynamo 看过但没有生成图的函数</translation>
    </message>
    <message>
        <source>Not compiled</source>
        <translation>未编译</translation>
    </message>
    <message>
        <source>torch and Python</source>
        <translation>torch 和 Python</translation>
    </message>
    <message>
        <source>Source files</source>
        <translation>源文件</translation>
    </message>
    <message>
        <source>The program as it was when captured</source>
        <translation>捕获时的程序</translation>
    </message>
    <message>
        <source>Files of {name} that the program was read from</source>
        <translation>读取程序的 {name} 的文件</translation>
    </message>
    <message>
        <source>Library files</source>
        <translation>库文件</translation>
    </message>
    <message>
        <source>{name}:{line}, inlined</source>
        <translation>{name}:{line}，内联</translation>
    </message>
    <message numerus="yes">
        <source>{title}
{path}:{line}, %n guard(s)</source>
        <translation>
            <numerusform>{title}
{path}:{line}，%n 个 guard</numerusform>
        </translation>
    </message>
    <message>
        <source>Graph {compile_id}{name}</source>
        <translation>图 {compile_id}{name}</translation>
    </message>
    <message>
        <source>Frame {compile_id}{name}</source>
        <translation>帧 {compile_id}{name}</translation>
    </message>
    <message>
        <source>Inlined from libraries</source>
        <translation>从库内联</translation>
    </message>
    <message>
        <source>Log texts</source>
        <translation>日志文本</translation>
    </message>
    <message>
        <source>The {part} part</source>
        <translation>{part} 部分</translation>
    </message>
    <message>
        <source>line {line} on</source>
        <translation>第 {line} 行起</translation>
    </message>
    <message>
        <source>{function}, resumed after line {line}</source>
        <translation>{function}，在第 {line} 行之后恢复</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Filter stages</source>
        <translation>过滤阶段</translation>
    </message>
    <message>
        <source>Open a Python file and capture it: every stage of torch.compile will be listed here.</source>
        <translation>打开一个 Python 文件并捕获：torch.compile 的每个阶段会列在这里。</translation>
    </message>
    <message>
        <source>Nodes, instructions, kernels or lines</source>
        <translation>节点、指令、内核或行</translation>
    </message>
    <message>
        <source>{nodes:,} nodes, {weight:.0%} of the largest graph</source>
        <translation>{nodes:,} 个节点，为最大图的 {weight:.0%}</translation>
    </message>
    <message>
        <source>Wall time of the step that made it, measured in this run, observers included</source>
        <translation>生成它的那一步的实际用时，在本次运行中测得，含观察的开销</translation>
    </message>
    <message>
        <source>Made by {made_by}</source>
        <translation>由 {made_by} 生成</translation>
    </message>
    <message>
        <source>Made from </source>
        <translation>来自 </translation>
    </message>
    <message>
        <source>Its graph can be edited and recompiled.</source>
        <translation>它的图可以编辑并重新编译。</translation>
    </message>
    <message>
        <source>captured</source>
        <translation>已捕获</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>已编辑</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>过时</translation>
    </message>
    <message>
        <source>recompiled</source>
        <translation>已重编译</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>building</source>
        <translation>构建中</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>suspected</source>
        <translation>可疑</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>As torch.compile made it.</source>
        <translation>与 torch.compile 生成的一样。</translation>
    </message>
    <message>
        <source>New, or not as in the capture before.</source>
        <translation>新的，或与上一次捕获不同。</translation>
    </message>
    <message>
        <source>Changed by edits that are not compiled yet.</source>
        <translation>被尚未编译的编辑改变。</translation>
    </message>
    <message>
        <source>Made from a stage that has uncompiled edits: recompile to bring it up to date.</source>
        <translation>由含未编译编辑的阶段生成：重新编译即可更新。</translation>
    </message>
    <message>
        <source>Differs from the capture before: made again from the edited graph.</source>
        <translation>与上一次捕获不同：由编辑过的图重新生成。</translation>
    </message>
    <message>
        <source>Something went wrong here; the problems and the graph breaks say what.</source>
        <translation>这里出了问题；问题和图中断说明是什么。</translation>
    </message>
    <message>
        <source>Proven right: run op by op from here, the program gives right results.</source>
        <translation>已证明正确：从这里逐个运算运行，程序结果正确。</translation>
    </message>
    <message>
        <source>The results are wrong, and what makes them so is not excluded here.</source>
        <translation>结果错误，而这里还没有被排除为原因。</translation>
    </message>
    <message>
        <source>The first stage that is wrong: see the pane Cause.</source>
        <translation>第一个出错的阶段：见“原因”面板。</translation>
    </message>
    <message>
        <source>Generated; the compiler builds its kernels now. Nothing of it has run yet.</source>
        <translation>已生成；编译器正在构建它的内核。其中还没有任何东西运行过。</translation>
    </message>
    <message>
        <source>✗ Recompiling failed: change the edits, undo them, or try again (Ctrl+R).</source>
        <translation>✗ 重新编译失败：请更改或撤销编辑，或重试 (Ctrl+R)。</translation>
    </message>
    <message>
        <source>a moment, please</source>
        <translation>请稍候</translation>
    </message>
    <message>
        <source>press Ctrl+R to recompile</source>
        <translation>按 Ctrl+R 重新编译</translation>
    </message>
    <message>
        <source>● Edits are not compiled yet: {key}.</source>
        <translation>● 编辑尚未编译：{key}。</translation>
    </message>
    <message>
        <source>Generated; it is built now, then run and judged.</source>
        <translation>已生成；正在构建，然后运行并判断。</translation>
    </message>
    <message>
        <source>Recompiled from {parent}; results were not judged.</source>
        <translation>由 {parent} 重新编译；结果未判断。</translation>
    </message>
    <message>
        <source>Recompiled.</source>
        <translation>已重新编译。</translation>
    </message>
    <message>
        <source>Level of the graph</source>
        <translation>图的层级</translation>
    </message>
    <message>
        <source>Compile it again</source>
        <translation>再次编译</translation>
    </message>
    <message>
        <source>Capture level by level</source>
        <translation>逐级捕获</translation>
    </message>
    <message>
        <source>Capture with torch.compile</source>
        <translation>用 torch.compile 捕获</translation>
    </message>
    <message>
        <source>Runs the program once more, with PrimTorch</source>
        <translation>再运行程序一次，使用 PrimTorch</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>层级</translation>
    </message>
    <message>
        <source>Taken apart at</source>
        <translation>拆分于</translation>
    </message>
    <message>
        <source>Take an operator apart to see what it is made of, down to prims, and where each step is written.</source>
        <translation>拆开一个算子，查看它由什么组成，直到 prims，以及每一步写在哪里。</translation>
    </message>
    <message>
        <source>Filter operators</source>
        <translation>过滤算子</translation>
    </message>
    <message>
        <source>Taking {waiting_for} apart</source>
        <translation>正在拆开 {waiting_for}</translation>
    </message>
    <message>
        <source>{schema}
This torch takes it apart no further.</source>
        <translation>{schema}
此 torch 不再拆分它。</translation>
    </message>
    <message>
        <source>{schema}
Its decomposition stands at {place}. It could not be run here: {refused}</source>
        <translation>{schema}
它的分解在 {place}。无法在这里运行：{refused}</translation>
    </message>
    <message>
        <source>{schema}
With ({arguments}): {names} operators</source>
        <translation>{schema}
用（{arguments}）：{names} 个算子</translation>
    </message>
    <message>
        <source>core aten</source>
        <translation>core aten</translation>
    </message>
    <message>
        <source>With these arguments it had nothing to do</source>
        <translation>用这些参数时它没有要做的</translation>
    </message>
    <message>
        <source>Its decomposition did not want these arguments</source>
        <translation>它的分解不接受这些参数</translation>
    </message>
    <message>
        <source>An operator: softmax.int, aten::gelu, or select a node</source>
        <translation>一个算子：softmax.int、aten::gelu，或选择节点</translation>
    </message>
    <message>
        <source>Take apart</source>
        <translation>拆开</translation>
    </message>
    <message>
        <source>Filter problems</source>
        <translation>过滤问题</translation>
    </message>
    <message>
        <source>Copy all problems with their details</source>
        <translation>复制所有问题及其详情</translation>
    </message>
    <message>
        <source>Forget what was reported; problems of captures and edits stay with them</source>
        <translation>忘记已报告的问题；捕获和编辑的问题随它们保留</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>Errors and warnings are listed here with what to do about them.</source>
        <translation>错误和警告列在这里，并说明怎么办。</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>{nodes} in {value}</source>
        <translation>{value} 中的 {nodes}</translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n 个错误</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 个警告</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n note(s)</source>
        <translation>
            <numerusform>%n 条备注</numerusform>
        </translation>
    </message>
    <message>
        <source>Show in all panes</source>
        <translation>在所有面板中显示</translation>
    </message>
    <message>
        <source>Show this compile of the other rank in every pane</source>
        <translation>在每个面板中显示另一个 rank 的此次编译</translation>
    </message>
    <message>
        <source>Both ranks&apos; graphs node by node, in the Compare pane</source>
        <translation>两个 rank 的图逐节点比较，在“比较”面板中</translation>
    </message>
    <message>
        <source>Difference of two ranks</source>
        <translation>两个 rank 的差异</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Session files or logs of other ranks</source>
        <translation>其他 rank 的会话文件或日志</translation>
    </message>
    <message>
        <source>Compare with the others</source>
        <translation>与其他的比较</translation>
    </message>
    <message>
        <source>Compare with the ranks beside it</source>
        <translation>与旁边的 rank 比较</translation>
    </message>
    <message>
        <source>Steps of rank {names} are slower than those of the fastest, beyond both spreads</source>
        <translation>rank {names} 的步比最快者慢，超出两者的离散程度</translation>
    </message>
    <message numerus="yes">
        <source>%n more file(s) lie beside this one</source>
        <translation>
            <numerusform>旁边还有 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>The ranks are compared as soon as they are read.</source>
        <translation>读取后即比较各 rank。</translation>
    </message>
    <message>
        <source>one of {value} ranks of a run</source>
        <translation>一次运行的 {value} 个 rank 之一</translation>
    </message>
    <message>
        <source>What is open is {what}</source>
        <translation>打开的是 {what}</translation>
    </message>
    <message>
        <source>Beside it: {names}</source>
        <translation>旁边有：{names}</translation>
    </message>
    <message numerus="yes">
        <source>Compare with the %n other(s)</source>
        <translation>
            <numerusform>与另外 %n 个比较</numerusform>
        </translation>
    </message>
    <message>
        <source>No ranks to compare</source>
        <translation>没有可比较的 rank</translation>
    </message>
    <message>
        <source>Record all of a distributed program: loupe run -o run.loupe torchrun --nproc-per-node 2 train.py, or open the folder of logs that TORCH_TRACE named.</source>
        <translation>记录整个分布式程序：loupe run -o run.loupe torchrun --nproc-per-node 2 train.py，或打开 TORCH_TRACE 指定的日志文件夹。</translation>
    </message>
    <message>
        <source>{compile_id}, {what}: rank {rank} and rank {other}</source>
        <translation>{compile_id}，{what}：rank {rank} 与 rank {other}</translation>
    </message>
    <message>
        <source>rank {rank} (−) → rank {other} (+)</source>
        <translation>rank {rank}（−）→ rank {other}（+）</translation>
    </message>
    <message>
        <source>no difference of rank {rank} and rank {other}</source>
        <translation>rank {rank} 与 rank {other} 没有差异</translation>
    </message>
    <message>
        <source>Open rank {other}</source>
        <translation>打开 rank {other}</translation>
    </message>
    <message>
        <source>Show rank {other}</source>
        <translation>显示 rank {other}</translation>
    </message>
    <message>
        <source>{compile_id}: one of the two ranks has no graph of it.</source>
        <translation>{compile_id}：两个 rank 之一没有它的图。</translation>
    </message>
    <message>
        <source>Other ranks</source>
        <translation>其他 rank</translation>
    </message>
    <message>
        <source>Sessions and logs (*.loupe *.log *.log.gz)</source>
        <translation>会话和日志 (*.loupe *.log *.log.gz)</translation>
    </message>
    <message>
        <source>Compiles by rank</source>
        <translation>按 rank 的编译</translation>
    </message>
    <message>
        <source>Rank {first}</source>
        <translation>rank {first}</translation>
    </message>
    <message>
        <source>Ranks {ranks}</source>
        <translation>rank {ranks}</translation>
    </message>
    <message>
        <source>{name} · shown</source>
        <translation>{name} · 显示中</translation>
    </message>
    <message>
        <source>as most</source>
        <translation>与多数相同</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>{what} differs</source>
        <translation>{what} 不同</translation>
    </message>
    <message>
        <source>{what} differ</source>
        <translation>{what} 不同</translation>
    </message>
    <message>
        <source>time of a step, measured</source>
        <translation>一步的时间，测得</translation>
    </message>
    <message>
        <source>Wall time of a step where nothing was compiled; ranks wait for each other in collectives, so a slow rank makes all slow</source>
        <translation>没有编译时一步的实际用时；各 rank 在集合通信中互相等待，因此一个慢的 rank 使所有 rank 变慢</translation>
    </message>
    <message>
        <source> [{time} to {time2}]</source>
        <translation> [{time} 至 {time2}]</translation>
    </message>
    <message>
        <source>{who}: slower than the fastest, beyond both spreads</source>
        <translation>{who}：比最快者慢，超出两者的离散程度</translation>
    </message>
    <message>
        <source>Torch&apos;s compile id: frame / which compile of it</source>
        <translation>torch 的编译号：帧 / 它的第几次编译</translation>
    </message>
    <message>
        <source>Compiled</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Wall time of this compile; a backward that was compiled later is a bar of its own</source>
        <translation>此次编译的实际用时；后来编译的反向另成一条</translation>
    </message>
    <message>
        <source>How often its graph was called so far</source>
        <translation>目前为止它的图被调用的次数</translation>
    </message>
    <message>
        <source>A call</source>
        <translation>每次调用</translation>
    </message>
    <message>
        <source>Mean of a call of its forward, without the first one</source>
        <translation>其前向一次调用的平均时间，不含第一次</translation>
    </message>
    <message>
        <source>Why again, or why not</source>
        <translation>为何再次编译，或为何没有</translation>
    </message>
    <message>
        <source>The guard that failed, in torch&apos;s words, or why it runs eagerly</source>
        <translation>不成立的 guard（torch 的原话），或为何以 eager 方式运行</translation>
    </message>
    <message>
        <source>Filter compiles</source>
        <translation>过滤编译</translation>
    </message>
    <message>
        <source>Its graphs can be edited while it runs: change a node, then Recompile; its next step runs it.</source>
        <translation>它的图可在运行时编辑：修改节点，然后重新编译；下一步就运行新图。</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>收回</translation>
    </message>
    <message>
        <source>Let the program run what it compiled by itself, from its next step on</source>
        <translation>从下一步起，让程序运行它自己编译的内容</translation>
    </message>
    <message>
        <source>Timeline of the run</source>
        <translation>运行的时间线</translation>
    </message>
    <message>
        <source>Show {compile_id}</source>
        <translation>显示 {compile_id}</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>Recompile storm. </source>
        <translation>重新编译风暴。</translation>
    </message>
    <message>
        <source>Show {name}:{line}</source>
        <translation>显示 {name}:{line}</translation>
    </message>
    <message>
        <source>runs eagerly</source>
        <translation>以 eager 方式运行</translation>
    </message>
    <message>
        <source>compiled again</source>
        <translation>再次编译</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>compiled</source>
        <translation>已编译</translation>
    </message>
    <message>
        <source>time of a step</source>
        <translation>一步的时间</translation>
    </message>
    <message>
        <source>The program runs; nothing was compiled yet</source>
        <translation>程序正在运行；还没有编译任何东西</translation>
    </message>
    <message>
        <source>Every compile is shown here as soon as torch.compile begins one.</source>
        <translation>torch.compile 一开始编译，就显示在这里。</translation>
    </message>
    <message>
        <source>The program was over before this window could listen</source>
        <translation>程序在此窗口开始监听之前已结束</translation>
    </message>
    <message>
        <source>What it compiled is in the file that loupe run -o FILE.loupe wrote: open it with File → Open session. The terminal names the file; where nothing was compiled, it says why.</source>
        <translation>它编译的内容在 loupe run -o FILE.loupe 写出的文件中：请用“文件 → 打开会话”打开。终端会给出文件名；若没有编译任何内容，终端会说明原因。</translation>
    </message>
    <message>
        <source>The program ended; nothing was compiled</source>
        <translation>程序已结束；没有编译任何内容</translation>
    </message>
    <message>
        <source>torch.compile was not called in it, or what it returned was not called, or it is turned off (TORCH_COMPILE_DISABLE); the terminal says which.

Call what torch.compile returns, as in model = torch.compile(model), and run it again; or look at a model of it by itself with Open model.</source>
        <translation>程序中没有调用 torch.compile，或者没有调用它返回的对象，或者它被关闭了（TORCH_COMPILE_DISABLE）；终端里会说明是哪一种。

请调用 torch.compile 返回的对象，例如 model = torch.compile(model)，然后重新运行；或者用“打开模型”单独查看其中的模型。</translation>
    </message>
    <message>
        <source>No program that ran by itself</source>
        <translation>没有独立运行的程序</translation>
    </message>
    <message>
        <source>Start yours as always, with the loupe beside it:

loupe run train.py --steps 5</source>
        <translation>像平时一样启动您的程序，并用 loupe 观察：

loupe run train.py --steps 5</translation>
    </message>
    <message>
        <source>Compiles and steps on a time axis</source>
        <translation>时间轴上的编译和步</translation>
    </message>
    <message>
        <source>The wheel zooms, dragging moves, a double click shows all.</source>
        <translation>滚轮缩放，拖动平移，双击显示全部。</translation>
    </message>
    <message>
        <source>From here on with</source>
        <translation>从这里起带有</translation>
    </message>
    <message>
        <source>From here on without edits</source>
        <translation>从这里起不带编辑</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>backward of </source>
        <translation>反向：</translation>
    </message>
    <message>
        <source>, compiled again</source>
        <translation>，再次编译</translation>
    </message>
    <message>
        <source>Click to show it in every pane.</source>
        <translation>点击以在每个面板中显示它。</translation>
    </message>
    <message>
        <source>Stop at…</source>
        <translation>停在…</translation>
    </message>
    <message>
        <source>Let the program wait at a place, look at everything, then let it go on</source>
        <translation>让程序在某处等待，查看一切，然后继续</translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation>停在</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Let the program go on to the next place</source>
        <translation>让程序继续到下一处</translation>
    </message>
    <message>
        <source>Stop at… ({count})</source>
        <translation>停在… ({count})</translation>
    </message>
    <message>
        <source>a guard with {value}</source>
        <translation>含 {value} 的 guard</translation>
    </message>
    <message>
        <source>A guard with the text…</source>
        <translation>含以下文本的 guard…</translation>
    </message>
    <message>
        <source>Stop at a guard</source>
        <translation>停在 guard</translation>
    </message>
    <message>
        <source>A part of the guard that fails, as torch writes it:</source>
        <translation>不成立的 guard 的一部分，按 torch 的写法：</translation>
    </message>
    <message>
        <source>The IR beside the program, eager
</source>
        <translation>IR 与 eager 程序对照
</translation>
    </message>
    <message>
        <source>The C++ program printed
{cpp}</source>
        <translation>C++ 程序打印了
{cpp}</translation>
    </message>
    <message>
        <source>Run compiles the open program with TorchScript and shows its IR here: a text with weights as inputs. Change it and run it again.</source>
        <translation>“运行”用 TorchScript 编译打开的程序，并在这里显示其 IR：以权重为输入的文本。可修改并再次运行。</translation>
    </message>
    <message>
        <source>How the program becomes TorchScript</source>
        <translation>程序怎样变为 TorchScript</translation>
    </message>
    <message>
        <source>Run this IR in place of the program, on the example inputs (Ctrl+Return)</source>
        <translation>用此 IR 代替程序，在示例输入上运行 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Program&apos;s own</source>
        <translation>程序自己的</translation>
    </message>
    <message>
        <source>Put back the IR that TorchScript made of the program</source>
        <translation>恢复 TorchScript 由程序生成的 IR</translation>
    </message>
    <message>
        <source>Run in C++</source>
        <translation>在 C++ 中运行</translation>
    </message>
    <message>
        <source>Save the program, and load and run it with a C++ program, its results beside Python&apos;s. That program is built once for this torch, which takes a minute or two.</source>
        <translation>保存程序，用 C++ 程序加载并运行它，结果与 Python 的并排。该 C++ 程序为此 torch 构建一次，需要一两分钟。</translation>
    </message>
    <message>
        <source>Save .pt…</source>
        <translation>保存 .pt…</translation>
    </message>
    <message>
        <source>Write the program, not a changed text, for torch.jit.load and C++; and .ptl for mobile</source>
        <translation>写出程序（不是修改过的文本），用于 torch.jit.load 和 C++；以及移动端的 .ptl</translation>
    </message>
    <message>
        <source>What came of running it</source>
        <translation>运行的结果</translation>
    </message>
    <message>
        <source>What came of running it: results beside the program&apos;s, and C++&apos;s.</source>
        <translation>运行的结果：与程序的结果对照，以及与 C++ 的对照。</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>Save the program</source>
        <translation>保存程序</translation>
    </message>
    <message>
        <source>TorchScript (*.pt)</source>
        <translation>TorchScript (*.pt)</translation>
    </message>
    <message>
        <source>A break inside this call: {with_loss} ({where})</source>
        <translation>此调用内的图中断：{with_loss}（{where}）</translation>
    </message>
    <message>
        <source>Captured in graph </source>
        <translation>捕获于图 </translation>
    </message>
    <message>
        <source>Ran eagerly.</source>
        <translation>以 eager 方式运行。</translation>
    </message>
    <message>
        <source>Not captured: Dynamo did not trace this line. It was not reached, or ran eagerly.</source>
        <translation>未捕获：Dynamo 没有追踪此行。它没有被执行到，或以 eager 方式运行。</translation>
    </message>
    <message>
        <source>break inside: {names}</source>
        <translation>内部有图中断：{names}</translation>
    </message>
    <message numerus="yes">
        <source>, met %n time(s)</source>
        <translation>
            <numerusform>，遇到 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>The whole function was given up and runs eagerly.</source>
        <translation>整个函数被放弃，以 eager 方式运行。</translation>
    </message>
    <message>
        <source>The rest of the function runs eagerly.</source>
        <translation>函数的其余部分以 eager 方式运行。</translation>
    </message>
    <message>
        <source>All files, those of libraries by package</source>
        <translation>所有文件，库的文件按包排列</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>line is now “{line}”: {what}</source>
        <translation>此行现为“{line}”：{what}</translation>
    </message>
    <message>
        <source>captured in graph {name}</source>
        <translation>捕获于图 {name}</translation>
    </message>
    <message>
        <source>and {value} more graphs</source>
        <translation>以及另外 {value} 张图</translation>
    </message>
    <message>
        <source>ran eagerly</source>
        <translation>以 eager 方式运行</translation>
    </message>
    <message>
        <source>own time of a step&apos;s kernels; grey: with what it calls</source>
        <translation>一步中内核的自身时间；灰色：含它所调用的</translation>
    </message>
    <message>
        <source>break inside this call</source>
        <translation>此调用内有图中断</translation>
    </message>
    <message>
        <source>function runs eagerly</source>
        <translation>函数以 eager 方式运行</translation>
    </message>
    <message>
        <source>blank: not in the log</source>
        <translation>空白：日志中没有</translation>
    </message>
    <message>
        <source>Change the program on a copy, and try or capture it; the file stays as it is</source>
        <translation>在副本上修改程序，尝试或捕获它；文件保持原样</translation>
    </message>
    <message>
        <source>What lines cost in a step that was timed: their own time, and with what they call</source>
        <translation>计时过的一步中各行的代价：自身时间，以及含所调用的时间</translation>
    </message>
    <message>
        <source>Go to the line with most kernel time of its own, once more for the next; times the program first where it was not</source>
        <translation>到自身内核时间最多的行，再按一次到下一行；没有计时过则先给程序计时</translation>
    </message>
    <message>
        <source>A library&apos;s file is not loaded afresh for a capture; File → Your files… makes it yours</source>
        <translation>库的文件在捕获时不会重新加载；文件 → 您的文件… 可把它算作您的</translation>
    </message>
    <message>
        <source>Sizes of variables at the end of the line that stores them</source>
        <translation>在存储变量的行尾显示其大小</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Why capturing stopped, at the end of the line</source>
        <translation>在行尾显示捕获为何停止</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>No source file captured</source>
        <translation>没有捕获源文件</translation>
    </message>
    <message>
        <source>The files of a captured program are shown here, line by line.</source>
        <translation>捕获的程序的文件在这里逐行显示。</translation>
    </message>
    <message>
        <source>
of the package {package}</source>
        <translation>
属于包 {package}</translation>
    </message>
    <message>
        <source>New or changed since the capture before</source>
        <translation>自上一次捕获以来新增或改变</translation>
    </message>
    <message>
        <source>Lines below are gone since the capture before</source>
        <translation>自上一次捕获以来，下面有行被删除</translation>
    </message>
    <message>
        <source>Capture the program with this text (Ctrl+Enter); the file stays as it is</source>
        <translation>用此文本捕获程序 (Ctrl+Enter)；文件保持原样</translation>
    </message>
    <message>
        <source>Capture it on a copy, beside the program as it is: breaks, results, times</source>
        <translation>在副本上捕获，与原样的程序并排：图中断、结果、时间</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) changed. The file on disk stays as it is.</source>
        <translation>
            <numerusform>改变了 %n 行。磁盘上的文件保持原样。</numerusform>
        </translation>
    </message>
    <message>
        <source>Change the program; it is captured with your text, the file on disk stays as it is.</source>
        <translation>修改程序；将用您的文本捕获，磁盘上的文件保持原样。</translation>
    </message>
    <message>
        <source>This is not Python.</source>
        <translation>这不是 Python。</translation>
    </message>
    <message>
        <source>Calls that lead to the line</source>
        <translation>通向此行的调用</translation>
    </message>
    <message>
        <source> in {function}</source>
        <translation> 于 {function}</translation>
    </message>
    <message>
        <source>{file}, line {line}</source>
        <translation>{file}，第 {line} 行</translation>
    </message>
    <message>
        <source>Collectives and the kernels beside them, in the order of the calls</source>
        <translation>集合通信及其旁边的内核，按调用顺序</translation>
    </message>
    <message>
        <source>the call takes {time}, median</source>
        <translation>调用用时 {time}，中位数</translation>
    </message>
    <message>
        <source>then {time} of kernels are called, then it is waited for {waiting}</source>
        <translation>然后调用 {time} 的内核，再等待它 {waiting}</translation>
    </message>
    <message>
        <source>meanwhile: {names}</source>
        <translation>其间：{names}</translation>
    </message>
    <message>
        <source>nothing is called meanwhile</source>
        <translation>其间没有调用任何东西</translation>
    </message>
    <message>
        <source>this code does not wait for it</source>
        <translation>此代码不等待它</translation>
    </message>
    <message>
        <source>Click to select it in every pane.</source>
        <translation>点击以在每个面板中选择它。</translation>
    </message>
    <message>
        <source>travels</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>calls, timed</source>
        <translation>调用，已计时</translation>
    </message>
    <message>
        <source>calls, in order</source>
        <translation>调用，按顺序</translation>
    </message>
    <message>
        <source>Calls in their order</source>
        <translation>按顺序的调用</translation>
    </message>
    <message>
        <source>collective, from its call to its wait</source>
        <translation>集合通信，从调用到等待</translation>
    </message>
    <message>
        <source>generated kernel</source>
        <translation>生成的内核</translation>
    </message>
    <message>
        <source>extern kernel</source>
        <translation>外部内核</translation>
    </message>
    <message>
        <source>No generated code here calls a collective. DDP and FSDP2 call theirs from hooks, outside of compiled graphs, unless they are traced into them.</source>
        <translation>这里生成的代码没有调用集合通信。DDP 和 FSDP2 在编译的图之外由 hook 调用，除非被追踪进图中。</translation>
    </message>
    <message numerus="yes">
        <source>%n collective(s)</source>
        <translation>
            <numerusform>%n 个集合通信</numerusform>
        </translation>
    </message>
    <message>
        <source>{number}; kernels are called while {beside} of them travel.</source>
        <translation>{number}；其中 {beside} 个传输时有内核被调用。</translation>
    </message>
    <message>
        <source>{head} Calls in the order of the generated code, each as wide as any other: an order, no times. Start times them.</source>
        <translation>{head} 按生成代码的顺序列出调用，宽度都相同：只是顺序，不是时间。点击“开始”为它们计时。</translation>
    </message>
    <message>
        <source>{head} Of {time} in calls, {time2} start collectives and {time3} wait for them. Medians of this process; what lies between calls is left out.</source>
        <translation>{head} 调用共用 {time}，其中 {time2} 启动集合通信，{time3} 等待它们。为此进程的中位数；不含调用之间的时间。</translation>
    </message>
    <message>
        <source>Of the wall time</source>
        <translation>占实际用时</translation>
    </message>
    <message>
        <source>Torch&apos;s own phases, one inside the other; each adds up, what no phase covers is the rest</source>
        <translation>torch 自己的阶段，层层嵌套；每层相加，没有阶段覆盖的为其余</translation>
    </message>
    <message>
        <source>Passes run inside the phases above</source>
        <translation>上述阶段中运行的 pass</translation>
    </message>
    <message>
        <source>Runs of the C++ compiler; they go on side by side, so together they may exceed the wall time</source>
        <translation>C++ 编译器的运行；它们并行进行，相加可能超过实际用时</translation>
    </message>
    <message>
        <source>As they stand in the pipeline; a stage may hold others&apos; time, such as the builds of its kernels</source>
        <translation>按流水线中的位置；一个阶段可能含其他阶段的时间，例如构建其内核</translation>
    </message>
    <message>
        <source>Filter phases, passes and builds</source>
        <translation>过滤阶段、pass 和构建</translation>
    </message>
    <message>
        <source>Nothing is captured yet.</source>
        <translation>还没有捕获。</translation>
    </message>
    <message>
        <source>This recompile</source>
        <translation>这次重新编译</translation>
    </message>
    <message>
        <source>This capture, its first run included,</source>
        <translation>这次捕获，含第一次运行，</translation>
    </message>
    <message>
        <source>{what} took {time} of wall time with everything listening.</source>
        <translation>{what} 在全部观察开启时实际用时 {time}。</translation>
    </message>
    <message>
        <source>{text} Torch&apos;s phases were not recorded with it.</source>
        <translation>{text} 没有随之记录 torch 的阶段。</translation>
    </message>
    <message>
        <source>{text} Torch&apos;s phases cover all of it.</source>
        <translation>{text} torch 的各阶段覆盖了全部时间。</translation>
    </message>
    <message>
        <source>{text} Torch&apos;s phases cover {time}; the rest, {time2}, is the program&apos;s own run and what no phase names.</source>
        <translation>{text} torch 的阶段覆盖 {time}；其余 {time2} 为程序自身的运行，以及没有阶段名称的部分。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Forget the samples, and the times before the last recompile</source>
        <translation>忘记样本，以及上次重新编译之前的时间</translation>
    </message>
    <message>
        <source>Iterations that are run first and not counted</source>
        <translation>先运行而不计入的迭代</translation>
    </message>
    <message>
        <source>Threads torch may use; 0 leaves it as it is. Inductor generates code for their number, so another one compiles the program again</source>
        <translation>torch 可使用的线程数；0 表示不变。Inductor 按线程数生成代码，因此改变它会重新编译程序</translation>
    </message>
    <message>
        <source>as is</source>
        <translation>不变</translation>
    </message>
    <message>
        <source>Stop after so many; 0 goes on until paused</source>
        <translation>运行这么多次后停止；0 表示直到暂停</translation>
    </message>
    <message>
        <source>Run the eager program once every so many iterations as the baseline</source>
        <translation>每隔这么多次迭代运行一次 eager 程序，作为基线</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Time the backward pass as well, where the program has one</source>
        <translation>也为反向计时（若程序有反向）</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Warm-up, iterations, threads, how often eager runs, and whether backward is timed</source>
        <translation>预热、迭代、线程、eager 的运行频率，以及是否为反向计时</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Eager every</source>
        <translation>Eager 间隔</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Times as a file</source>
        <translation>把时间存为文件</translation>
    </message>
    <message>
        <source>Table as CSV…</source>
        <translation>表格为 CSV…</translation>
    </message>
    <message>
        <source>Kernels, parts of the step and whole steps, with bytes, operations and rates</source>
        <translation>内核、步的各部分和整步，含字节、运算和速率</translation>
    </message>
    <message>
        <source>Steps as Chrome trace…</source>
        <translation>步为 Chrome trace…</translation>
    </message>
    <message>
        <source>Opens in Perfetto (ui.perfetto.dev) and in chrome://tracing</source>
        <translation>可在 Perfetto (ui.perfetto.dev) 和 chrome://tracing 中打开</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Chrome trace (*.json)</translation>
    </message>
    <message>
        <source>Export times</source>
        <translation>导出时间</translation>
    </message>
    <message>
        <source>Times are medians with quartiles in brackets; nothing has been timed yet.</source>
        <translation>时间为中位数，方括号内为四分位数；还没有计时。</translation>
    </message>
    <message>
        <source>Timed before: {counted}</source>
        <translation>之前计时：{counted}</translation>
    </message>
    <message>
        <source>compiled step</source>
        <translation>编译的步</translation>
    </message>
    <message>
        <source>Compiled step</source>
        <translation>编译的步</translation>
    </message>
    <message>
        <source>eager not timed</source>
        <translation>eager 未计时</translation>
    </message>
    <message>
        <source>eager step</source>
        <translation>eager 的步</translation>
    </message>
    <message>
        <source>before the recompile {time}, now {change} of that</source>
        <translation>重新编译之前 {time}，现在为其 {change}</translation>
    </message>
    <message>
        <source>kernel times are the GPU&apos;s own (CUPTI), of bursts of steps</source>
        <translation>内核时间来自 GPU 自身 (CUPTI)，为成批的步</translation>
    </message>
    <message>
        <source>a step with CUDA graphs replayed {time}, with each kernel launched {time2}</source>
        <translation>用 CUDA graph 重放的一步 {time}，逐个启动内核 {time2}</translation>
    </message>
    <message numerus="yes">
        <source>{what} {time} ({count:,} sample(s))</source>
        <translation>
            <numerusform>{what} {time}（{count:,} 个样本）</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>IQR</source>
        <translation>四分位距</translation>
    </message>
    <message>
        <source>Share of step</source>
        <translation>占步的比例</translation>
    </message>
    <message>
        <source>Before → after</source>
        <translation>之前 → 之后</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>离群值</translation>
    </message>
    <message>
        <source>{name}
{name2}
Click to select it in every pane.</source>
        <translation>{name}
{name2}
点击以在每个面板中选择它。</translation>
    </message>
    <message>
        <source>did not run</source>
        <translation>没有运行</translation>
    </message>
    <message>
        <source>{time} in {count:,} samples</source>
        <translation>{time}，{count:,} 个样本</translation>
    </message>
    <message>
        <source>Time after over time before; ~ where the quartiles overlap</source>
        <translation>之后与之前的时间之比；~ 表示四分位数重叠</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>{outliers:,} of {count:,} samples lie more than 1.5 IQR above the upper quartile</source>
        <translation>{count:,} 个样本中有 {outliers:,} 个高于上四分位数 1.5 IQR 以上</translation>
    </message>
    <message>
        <source>Memory over the kernels of a step</source>
        <translation>一步中各内核期间的内存</translation>
    </message>
    <message>
        <source>planned {size}</source>
        <translation>计划 {size}</translation>
    </message>
    <message>
        <source>measured {size} more than when the step began</source>
        <translation>测得比步开始时多 {size}</translation>
    </message>
    <message>
        <source>size not known</source>
        <translation>大小未知</translation>
    </message>
    <message>
        <source>  and {value} smaller</source>
        <translation>  以及 {value} 个较小的</translation>
    </message>
    <message numerus="yes">
        <source>%n kernel(s) in running order</source>
        <translation>
            <numerusform>按运行顺序的 %n 个内核</numerusform>
        </translation>
    </message>
    <message>
        <source>forward, kernels in running order →</source>
        <translation>前向，内核按运行顺序 →</translation>
    </message>
    <message>
        <source>backward →</source>
        <translation>反向 →</translation>
    </message>
    <message>
        <source>planned peak {size} at {nodes}</source>
        <translation>计划的峰值 {size}，于 {nodes}</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Kept as</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Lives while</source>
        <translation>存活期间</translation>
    </message>
    <message>
        <source>Taken over</source>
        <translation>复用</translation>
    </message>
    <message>
        <source>saved for the backward</source>
        <translation>为反向保存</translation>
    </message>
    <message>
        <source>handed to the program</source>
        <translation>交给程序</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>Filter buffers</source>
        <translation>过滤缓冲区</translation>
    </message>
    <message>
        <source>measured (profiled step, since it began)</source>
        <translation>测得（profiler 下的步，自其开始）</translation>
    </message>
    <message>
        <source>There is no plan: nothing is compiled to kernels that a Python wrapper calls.</source>
        <translation>没有计划：没有任何东西被编译为由 Python wrapper 调用的内核。</translation>
    </message>
    <message>
        <source>Planned by Inductor: at most {size} at once in {count} buffers; {size2} of them saved for the backward; reuse spares {size3}. Parameters and inputs are not counted; what is handed to the program may be let go earlier than drawn.</source>
        <translation>Inductor 的计划：{count} 个缓冲区，同时最多 {size}；其中 {size2} 为反向保存；复用省下 {size3}。不含参数和输入；交给程序的内容可能比所画更早释放。</translation>
    </message>
    <message>
        <source> {unknown} buffers of symbolic size are left out.</source>
        <translation> 不含 {unknown} 个符号大小的缓冲区。</translation>
    </message>
    <message>
        <source> Measured: at most {size} while a kernel ran.</source>
        <translation> 测得：内核运行时最多 {size}。</translation>
    </message>
    <message>
        <source> Not measured yet: Start does.</source>
        <translation> 尚未测量：点击“开始”。</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message numerus="yes">
        <source>%n time(s)</source>
        <translation>
            <numerusform>%n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>One piece of memory under the names that it has in turn</source>
        <translation>同一块内存，依次使用的各个名称</translation>
    </message>
    <message>
        <source>{value} to {end}</source>
        <translation>{value} 至 {end}</translation>
    </message>
    <message>
        <source>The first and the last kernel, in running order</source>
        <translation>第一个和最后一个内核，按运行顺序</translation>
    </message>
    <message>
        <source>The engine is starting.</source>
        <translation>引擎正在启动。</translation>
    </message>
    <message>
        <source>The engine is busy; Esc cancels what it does.</source>
        <translation>引擎忙；按 Esc 取消它正在做的事。</translation>
    </message>
    <message>
        <source>The engine is stopped: Engine › Restart engine.</source>
        <translation>引擎已停止：引擎 › 重启引擎。</translation>
    </message>
    <message>
        <source>Every kernel of every iteration</source>
        <translation>每次迭代的每个内核</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>一步</translation>
    </message>
    <message>
        <source>Eager and compiled on one time axis, and where the time of a step goes</source>
        <translation>eager 与编译在同一时间轴上，以及一步的时间去向</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Kernels against what copying and matrix products reach on this machine</source>
        <translation>内核与本机复制和矩阵乘法所能达到的速度相比</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Buffers as Inductor planned them over a step, and as measured</source>
        <translation>一步中 Inductor 计划的缓冲区，以及测得的内存</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>What is sent to other ranks, and which kernels are called meanwhile, in the order of the calls</source>
        <translation>发送给其他 rank 的内容，以及其间调用了哪些内核，按调用顺序</translation>
    </message>
    <message>
        <source>Compile time</source>
        <translation>编译时间</translation>
    </message>
    <message>
        <source>Where the time of the compile went</source>
        <translation>编译时间的去向</translation>
    </message>
    <message>
        <source>Predicted step</source>
        <translation>预测的步</translation>
    </message>
    <message>
        <source>Memory of one GPU over a step and what bounds each layer, of what nothing ran of</source>
        <translation>没有运行时，一块 GPU 在一步中的内存，以及每层受什么限制</translation>
    </message>
    <message>
        <source>Nothing of this capture runs here: it was only compiled.</source>
        <translation>此捕获不在本机运行：它只被编译过。</translation>
    </message>
    <message>
        <source>This was recorded while its program ran; it is not run again from here.</source>
        <translation>这是程序运行时记录的；这里不会再次运行它。</translation>
    </message>
    <message>
        <source>Compiled, not run</source>
        <translation>已编译，未运行</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>已记录</translation>
    </message>
    <message>
        <source>Nothing timed yet</source>
        <translation>还没有计时</translation>
    </message>
    <message>
        <source>Start runs the compiled program again and again and times every kernel call, the whole step, and the eager program as the baseline.</source>
        <translation>“开始”会反复运行编译的程序，为每次内核调用、整步以及作为基线的 eager 程序计时。</translation>
    </message>
    <message>
        <source>Capture a program first.</source>
        <translation>请先捕获程序。</translation>
    </message>
    <message>
        <source>Part of the compiled step</source>
        <translation>编译的步的部分</translation>
    </message>
    <message>
        <source>How it is known</source>
        <translation>如何得知</translation>
    </message>
    <message>
        <source>Filter parts</source>
        <translation>过滤部分</translation>
    </message>
    <message>
        <source>Parts of a step</source>
        <translation>步的各部分</translation>
    </message>
    <message numerus="yes">
        <source>%n profiled step(s)</source>
        <translation>
            <numerusform>%n 个 profiler 下的步</numerusform>
        </translation>
    </message>
    <message>
        <source>of that, looking up compiled code: guards</source>
        <translation>其中查找编译的代码：guard</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>测得</translation>
    </message>
    <message>
        <source>difference of measured times</source>
        <translation>测得时间之差</translation>
    </message>
    <message>
        <source>iterations, newest at 0</source>
        <translation>迭代，最新的在 0</translation>
    </message>
    <message>
        <source>{value} more selected, not drawn</source>
        <translation>另有 {value} 个选中但未画出</translation>
    </message>
    <message>
        <source>whole compiled step; select kernels to see theirs</source>
        <translation>整个编译的步；选择内核以查看它们</translation>
    </message>
    <message>
        <source>iterations</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>Layer, phase</source>
        <translation>层、阶段</translation>
    </message>
    <message>
        <source>Each</source>
        <translation>每个</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>The GPU&apos;s arithmetic</source>
        <translation>GPU 的算术</translation>
    </message>
    <message>
        <source>The bandwidth of its memory</source>
        <translation>其内存的带宽</translation>
    </message>
    <message>
        <source>Its kernels wait for a collective</source>
        <translation>它的内核等待集合通信</translation>
    </message>
    <message>
        <source>The host launches more slowly than the GPU computes</source>
        <translation>主机启动内核比 GPU 计算慢</translation>
    </message>
    <message>
        <source>Filter layers</source>
        <translation>过滤层</translation>
    </message>
    <message>
        <source>Nothing predicted</source>
        <translation>没有预测</translation>
    </message>
    <message>
        <source>Capture for a GPU or without values, with “predict a step” in the group Parallel of the Open form: memory of one GPU over the step and what bounds each layer.</source>
        <translation>请为 GPU 捕获或不含数值捕获，并在打开表单的“并行”组中选择预测一步：显示一块 GPU 在一步中的内存，以及每层受什么限制。</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>{time} not hidden</source>
        <translation>{time} 未被掩盖</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>被掩盖</translation>
    </message>
    <message>
        <source>, sending {time} ({hidden})</source>
        <translation>，发送 {time}（{hidden}）</translation>
    </message>
    <message>
        <source>, waiting for the host {time}</source>
        <translation>，等待主机 {time}</translation>
    </message>
    <message>
        <source> to {time} (host up to {count} times as slow in real steps)</source>
        <translation>至 {time}（实际步骤中主机最慢为 {count} 倍）</translation>
    </message>
    <message>
        <source>Predicted, not measured: peak {size} of {size2} on {machine}, {verdict}. Step {time}{slow}: computing {time2}{sending}{waiting}; optimizer {optimizer}.</source>
        <translation>预测，非测量：峰值 {size}，{machine} 共 {size2}，{verdict}。一步 {time}{slow}：计算 {time2}{sending}{waiting}；优化器 {optimizer}。</translation>
    </message>
    <message>
        <source>Stage {stage} of {count}, schedule {schedule}: {microbatches} microbatches, at most {in_flight} in flight; waiting for other stages is not in its time.</source>
        <translation>第 {stage} 段（共 {count} 段），调度 {schedule}：{microbatches} 个微批次，最多 {in_flight} 个同时在途；等待其他段的时间不计在内。</translation>
    </message>
    <message>
        <source>The peak is in {where}.</source>
        <translation>峰值在 {where}。</translation>
    </message>
    <message>
        <source>Predicted memory over a step</source>
        <translation>一步中预测的内存</translation>
    </message>
    <message>
        <source>{size} in all</source>
        <translation>共 {size}</translation>
    </message>
    <message>
        <source>{size} for tensors on {machine}</source>
        <translation>{machine} 上张量可用 {size}</translation>
    </message>
    <message>
        <source>predicted peak {size}</source>
        <translation>预测的峰值 {size}</translation>
    </message>
    <message>
        <source>at</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算量</translation>
    </message>
    <message>
        <source>Of the roof</source>
        <translation>占 roof 比例</translation>
    </message>
    <message>
        <source>Held by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Measure this machine</source>
        <translation>测量本机</translation>
    </message>
    <message>
        <source>Copies of several sizes and matrix products, about three seconds; kept for the next time</source>
        <translation>多种大小的复制和矩阵乘法，约三秒；保留供下次使用</translation>
    </message>
    <message>
        <source>No roof yet</source>
        <translation>还没有 roof</translation>
    </message>
    <message>
        <source>Start times the kernels.</source>
        <translation>“开始”为内核计时。</translation>
    </message>
    <message>
        <source>{what} Measure this machine finds what copying and matrix products reach here; every kernel is then a point under that roof.</source>
        <translation>{what} “测量本机”得出本机复制和矩阵乘法的上限；每个内核都是这条 roof 之下的一个点。</translation>
    </message>
    <message>
        <source>Click a point to see how far it is from the roof.</source>
        <translation>点击一个点，查看它离 roof 多远。</translation>
    </message>
    <message numerus="yes">
        <source>%n kernel(s) do no arithmetic: in the table only.</source>
        <translation>
            <numerusform>%n 个内核没有算术运算：只在表中。</numerusform>
        </translation>
    </message>
    <message>
        <source>Of {lost} nothing is known.</source>
        <translation>{lost} 个一无所知。</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>counted by {counted}</source>
        <translation>由 {counted} 统计</translation>
    </message>
    <message>
        <source>no formula for it</source>
        <translation>没有它的公式</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>算术</translation>
    </message>
    <message>
        <source>Copying {rate_text}, memory {rate_text2}, product {rate_text3}; {threads}</source>
        <translation>复制 {rate_text}，内存 {rate_text2}，乘积 {rate_text3}；{threads}</translation>
    </message>
    <message>
        <source>Copying {size}: {spread}; {size2}: {spread2}. float32 matrix product: {spread3}. Medians [quartiles] with {threads}, measured {value}.</source>
        <translation>复制 {size}：{spread}；{size2}：{spread2}。float32 矩阵乘法：{spread3}。中位数 [四分位数]，{threads}，测量于 {value}。</translation>
    </message>
    <message>
        <source>operations for each byte moved</source>
        <translation>每搬移一字节的运算数</translation>
    </message>
    <message>
        <source>operations a second</source>
        <translation>每秒运算数</translation>
    </message>
    <message>
        <source>copying {size}: {rate_text}</source>
        <translation>复制 {size}：{rate_text}</translation>
    </message>
    <message>
        <source>float32 matrix product: {product}</source>
        <translation>float32 矩阵乘法：{product}</translation>
    </message>
    <message>
        <source>compiled graph</source>
        <translation>编译的图</translation>
    </message>
    <message>
        <source>eager operation</source>
        <translation>eager 运算</translation>
    </message>
    <message>
        <source>autograd node</source>
        <translation>autograd 节点</translation>
    </message>
    <message>
        <source>Start runs the program and shows one step here, eager above compiled.</source>
        <translation>“开始”会运行程序并在这里显示一步，eager 在上，编译在下。</translation>
    </message>
    <message>
        <source>One step on a time axis</source>
        <translation>时间轴上的一步</translation>
    </message>
    <message>
        <source>{words_for}
{time}, from {time2} on</source>
        <translation>{words_for}
{time}，始于 {time2}</translation>
    </message>
    <message>
        <source>
Click to select it in every pane.</source>
        <translation>
点击以在每个面板中选择它。</translation>
    </message>
    <message>
        <source>The wheel zooms, dragging moves, a double click shows the whole step.</source>
        <translation>滚轮缩放，拖动平移，双击显示整步。</translation>
    </message>
    <message>
        <source>median without {seen_with} {time}</source>
        <translation>没有{seen_with}时的中位数 {time}</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>wrapper of</source>
        <translation>wrapper：</translation>
    </message>
    <message>
        <source>guards</source>
        <translation>guard</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>clocks around kernel calls; of these steps the one nearest to their median</source>
        <translation>在内核调用前后计时；取最接近中位数的一步</translation>
    </message>
    <message>
        <source>the shortest of a few steps under torch&apos;s profiler, which makes every operation a little longer</source>
        <translation>torch profiler 下几步中最短的一步；profiler 会使每个运算略长</translation>
    </message>
    <message>
        <source>reads {size}, writes {size2}; {note}</source>
        <translation>读 {size}，写 {size2}；{note}</translation>
    </message>
    <message>
        <source>Eager</source>
        <translation>Eager</translation>
    </message>
    <message>
        <source>
reads {size}, writes {size2}</source>
        <translation>
读 {size}，写 {size2}</translation>
    </message>
    <message>
        <source>
asked for by {name}:{line}</source>
        <translation>
由 {name}:{line} 要求</translation>
    </message>
    <message>
        <source>Captured with these changes</source>
        <translation>含以下修改的捕获</translation>
    </message>
    <message>
        <source>Files on disk are as they were; nothing is written unless you ask for it.</source>
        <translation>磁盘上的文件保持原样；除非您要求，不写入任何内容。</translation>
    </message>
    <message>
        <source>Write to {name}</source>
        <translation>写入 {name}</translation>
    </message>
    <message>
        <source>Save as patch</source>
        <translation>保存为补丁</translation>
    </message>
    <message>
        <source>Copy line</source>
        <translation>复制该行</translation>
    </message>
    <message>
        <source>Take out</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Nothing to try yet</source>
        <translation>还没有可尝试的修改</translation>
    </message>
    <message>
        <source>Choose a remedy of a graph break, or a dimension to make dynamic: it is tried on a copy here.</source>
        <translation>请选择图中断的修复办法，或要设为动态的维度：在这里的副本上尝试。</translation>
    </message>
    <message>
        <source>Patches (*.patch)</source>
        <translation>补丁 (*.patch)</translation>
    </message>
    <message>
        <source>Write to the file?</source>
        <translation>写入文件？</translation>
    </message>
    <message>
        <source>{path} will hold: {title}.</source>
        <translation>{path} 将包含：{title}。</translation>
    </message>
    <message>
        <source>Try on a copy</source>
        <translation>在副本上尝试</translation>
    </message>
    <message>
        <source>Capture the program with and without the change, compare results, and time both.</source>
        <translation>分别在有和没有此修改时捕获程序，比较结果并计时。</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Capture the program with the change. Files on disk stay as they are.</source>
        <translation>用此修改捕获程序。磁盘上的文件保持原样。</translation>
    </message>
    <message>
        <source>Save as patch…</source>
        <translation>保存为补丁…</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>What could be changed</source>
        <translation>可以修改的内容</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再次尝试</translation>
    </message>
    <message>
        <source>Nothing is changed yet. Trying it captures the program twice in a process of its own, with and without the change, and puts breaks, results and time side by side.</source>
        <translation>还没有任何改变。尝试会在独立的进程中捕获程序两次，一次含修改、一次不含，并把图中断、结果和时间并排显示。</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>之前与之后</translation>
    </message>
    <message>
        <source>With the change</source>
        <translation>含修改</translation>
    </message>
    <message>
        <source>This would run the program, which runs by itself.</source>
        <translation>这会运行该程序，而它是独立运行的。</translation>
    </message>
    <message>
        <source>Its times are in the Run pane; open its model by itself for the rest.</source>
        <translation>它的时间在“运行”面板中；其余请单独打开它的模型。</translation>
    </message>
    <message>
        <source>This was asked about a program that is not open any more.</source>
        <translation>这是就一个已不再打开的程序而问的。</translation>
    </message>
    <message>
        <source>Ask again about the one that is.</source>
        <translation>请就当前打开的程序再问一次。</translation>
    </message>
    <message>
        <source>Going back to what was compiled</source>
        <translation>回到已编译的状态</translation>
    </message>
    <message>
        <source>Capturing the program first: what is open was read from a file</source>
        <translation>先捕获程序：打开的内容读自文件</translation>
    </message>
    <message>
        <source>Capturing again, the engine was restarted</source>
        <translation>正在重新捕获，引擎已重启</translation>
    </message>
    <message>
        <source>The program gives other graphs now than when it was captured. They are shown, with the edits that still fit.</source>
        <translation>程序现在给出的图与捕获时不同。显示的是新图，附仍适用的编辑。</translation>
    </message>
    <message>
        <source>Look at them, then ask again.</source>
        <translation>请先查看，然后再问。</translation>
    </message>
    <message>
        <source>Compiling the edits again, the engine was restarted</source>
        <translation>正在重新编译编辑，引擎已重启</translation>
    </message>
    <message>
        <source>The program of this session file was not run.</source>
        <translation>没有运行此会话文件的程序。</translation>
    </message>
    <message>
        <source>Choose Trust… in the bar above if you trust where the file comes from, then ask again.</source>
        <translation>如果您信任文件的来源，请在上方的提示条中选择“信任…”，然后再问一次。</translation>
    </message>
    <message>
        <source>matching Dynamo&apos;s nodes</source>
        <translation>正在匹配 Dynamo 的节点</translation>
    </message>
    <message>
        <source>matching {node_count:,} with {node_count2:,} nodes</source>
        <translation>正在匹配 {node_count:,} 个与 {node_count2:,} 个节点</translation>
    </message>
    <message>
        <source>putting both graphs together</source>
        <translation>正在合并两张图</translation>
    </message>
    <message>
        <source>aligning the programs</source>
        <translation>正在对齐程序</translation>
    </message>
    <message>
        <source>comparing the captures</source>
        <translation>正在比较捕获</translation>
    </message>
    <message>
        <source>folding what is equal</source>
        <translation>正在折叠相同部分</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) added</source>
        <translation>
            <numerusform>增加 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) removed</source>
        <translation>
            <numerusform>删除 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) changed</source>
        <translation>
            <numerusform>改变 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) moved</source>
        <translation>
            <numerusform>移动 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>{names} · {equal:,} equal</source>
        <translation>{names} · {equal:,} 行相同</translation>
    </message>
    <message numerus="yes">
        <source>No difference: %n equal line(s)</source>
        <translation>
            <numerusform>没有差异：%n 行相同</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>{path} holds no capture.</source>
        <translation>{path} 不含捕获。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {error}</source>
        <translation>无法读取 {path}：{error}</translation>
    </message>
    <message>
        <source>The first</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>The second</source>
        <translation>第二个</translation>
    </message>
    <message>
        <source>{which} is not there: choose another stage, or recompile to have it.</source>
        <translation>没有{which}：请选择其他阶段，或重新编译以得到它。</translation>
    </message>
    <message>
        <source>These could not be compared; the log says why.</source>
        <translation>无法比较；日志说明原因。</translation>
    </message>
    <message numerus="yes">
        <source>{name}: %n line(s) differ</source>
        <translation>
            <numerusform>{name}：%n 行不同</numerusform>
        </translation>
    </message>
    <message>
        <source>line {value}</source>
        <translation>第 {value} 行</translation>
    </message>
    <message>
        <source>called in {stage}</source>
        <translation>于 {stage} 中调用</translation>
    </message>
    <message>
        <source>{state_title} (not compiled)</source>
        <translation>{state_title}（未编译）</translation>
    </message>
    <message>
        <source>The capture before</source>
        <translation>上一次捕获</translation>
    </message>
    <message>
        <source> ({value} of {count})</source>
        <translation>（第 {value} 个，共 {count} 个）</translation>
    </message>
    <message>
        <source>Rank {rank_shown}, as captured</source>
        <translation>Rank {rank_shown}，捕获时</translation>
    </message>
    <message>
        <source>Inputs and outputs cannot be removed; select nodes that call something.</source>
        <translation>输入和输出不能删除；请选择有调用的节点。</translation>
    </message>
    <message>
        <source>{node_id} has no input that could take its place.</source>
        <translation>{node_id} 没有可代替它的输入。</translation>
    </message>
    <message>
        <source>There is nothing to remove.</source>
        <translation>没有可删除的内容。</translation>
    </message>
    <message>
        <source>{node} is not called as {text}.</source>
        <translation>{node} 的调用方式与 {text} 不同。</translation>
    </message>
    <message>
        <source>{name} is called in another way than {node}.</source>
        <translation>{name} 的调用方式与 {node} 不同。</translation>
    </message>
    <message>
        <source>Nothing uses {source}, so there is no edge to put {label} on.</source>
        <translation>没有任何节点使用 {source}，因此没有可放置 {label} 的边。</translation>
    </message>
    <message>
        <source>There is no node {node_id} in this graph.</source>
        <translation>此图中没有节点 {node_id}。</translation>
    </message>
    <message>
        <source>{id} has other arguments than {id2}; replace it by itself.</source>
        <translation>{id} 的参数与 {id2} 不同；请单独替换它。</translation>
    </message>
    <message>
        <source>you forbade it</source>
        <translation>您已禁止</translation>
    </message>
    <message>
        <source>they read and write nothing in common, so that a common kernel would save no memory traffic</source>
        <translation>它们没有共同读写的内容，放在一个内核中不会减少内存访问</translation>
    </message>
    <message>
        <source>a common kernel would save less memory traffic than Inductor&apos;s threshold</source>
        <translation>放在一个内核中省下的内存访问低于 Inductor 的阈值</translation>
    </message>
    <message>
        <source>one is a library call, which is a kernel of its own</source>
        <translation>其中一个是库调用，自成一个内核</translation>
    </message>
    <message>
        <source>something that has to run between them needs the one and feeds the other</source>
        <translation>必须在它们之间运行的内容需要其一并供给其二</translation>
    </message>
    <message>
        <source>they are far apart in the program; keeping the data that long may cost peak memory</source>
        <translation>它们在程序中相距较远；数据保留那么久可能增加峰值内存</translation>
    </message>
    <message>
        <source>it may cost peak memory</source>
        <translation>可能增加峰值内存</translation>
    </message>
    <message>
        <source>each would have to wait for the other</source>
        <translation>它们会互相等待</translation>
    </message>
    <message>
        <source>Select two nodes of the loop IR, or a fused one.</source>
        <translation>请选择循环 IR 的两个节点，或一个已融合的节点。</translation>
    </message>
    <message>
        <source>These are in one kernel already.</source>
        <translation>它们已在同一个内核中。</translation>
    </message>
    <message>
        <source>Select two nodes of the loop IR.</source>
        <translation>请选择循环 IR 的两个节点。</translation>
    </message>
    <message>
        <source>Nothing was chosen of these nodes.</source>
        <translation>没有对这些节点作过选择。</translation>
    </message>
    <message>
        <source>That is chosen already.</source>
        <translation>已经是这样选择的。</translation>
    </message>
    <message>
        <source>Inductor never came to consider them: it looks only at nodes that share a buffer.</source>
        <translation>Inductor 从未考虑过它们：它只看共用缓冲区的节点。</translation>
    </message>
    <message>
        <source>{plain} (torch: {reason}).</source>
        <translation>{plain}（torch：{reason}）。</translation>
    </message>
    <message>
        <source>Torch says: {reason}.</source>
        <translation>torch 说：{reason}。</translation>
    </message>
    <message>
        <source>What one kernel would save is not known.</source>
        <translation>放在一个内核中会省下什么不得而知。</translation>
    </message>
    <message>
        <source>Both touch {names}; what</source>
        <translation>两者都接触 {names}；</translation>
    </message>
    <message>
        <source>{shared} one kernel would save was not read for this capture.</source>
        <translation>{shared} 此捕获没有读取放在一个内核中会省下什么。</translation>
    </message>
    <message>
        <source> Both touch {parts} in the same order.</source>
        <translation> 两者以相同的顺序接触 {parts}。</translation>
    </message>
    <message>
        <source> That is its estimate for {names}, which both read, each in an order of its own.</source>
        <translation> 这是它对 {names} 的估计，两者都读取它，但各按自己的顺序。</translation>
    </message>
    <message>
        <source>One kernel would save {size} of memory traffic, by torch&apos;s own score.{where}</source>
        <translation>按 torch 自己的评分，放在一个内核中会省下 {size} 的内存访问。{where}</translation>
    </message>
    <message>
        <source>Both touch {names}, but not element by element in the same order: by torch&apos;s own score one kernel would save no memory traffic.</source>
        <translation>两者都接触 {names}，但逐元素的顺序不同：按 torch 自己的评分，放在一个内核中不会减少内存访问。</translation>
    </message>
    <message>
        <source>They touch no buffer in common: one kernel would save a launch, but no memory traffic.</source>
        <translation>它们没有共同的缓冲区：放在一个内核中会省一次启动，但不减少内存访问。</translation>
    </message>
    <message>
        <source>How they came together was not recorded.</source>
        <translation>没有记录它们是怎样合在一起的。</translation>
    </message>
    <message>
        <source>Inductor fused {step_text}.</source>
        <translation>Inductor 融合了 {step_text}。</translation>
    </message>
    <message>
        <source> as {relation}</source>
        <translation>，方式为 {relation}</translation>
    </message>
    <message>
        <source>, which saves {size} of memory traffic by its own score</source>
        <translation>，按自己的评分省下 {size} 的内存访问</translation>
    </message>
    <message>
        <source>The knobs are turned so already.</source>
        <translation>参数已经是这样设置的。</translation>
    </message>
    <message>
        <source>{user} uses no single node there.</source>
        <translation>{user} 在那里没有使用单个节点。</translation>
    </message>
    <message>
        <source>Nothing uses {node_id}.</source>
        <translation>没有任何节点使用 {node_id}。</translation>
    </message>
    <message>
        <source>{node_id} gives no tensor and no number, so there is nothing to fill.</source>
        <translation>{node_id} 不给出张量也不给出数字，因此没有可填充的内容。</translation>
    </message>
    <message>
        <source>That is chosen already, or nothing selected is a result that the forward could keep.</source>
        <translation>已经是这样选择的，或选中的内容不是前向可保留的结果。</translation>
    </message>
    <message>
        <source>{source} needs {user}, so {user} cannot use it.</source>
        <translation>{source} 需要 {user}，因此 {user} 不能使用它。</translation>
    </message>
    <message>
        <source>{user} uses {source} there already.</source>
        <translation>{user} 在那里已经使用 {source}。</translation>
    </message>
    <message>
        <source>{node_id} is no call ({op}); only calls can be duplicated.</source>
        <translation>{node_id} 不是调用（{op}）；只有调用可以复制。</translation>
    </message>
    <message>
        <source>There is nothing to edit yet.</source>
        <translation>还没有可编辑的内容。</translation>
    </message>
    <message>
        <source>Some edits of {name} do not fit: {error}</source>
        <translation>{name} 的一些编辑不适用：{error}</translation>
    </message>
    <message>
        <source>The ones before it were made.</source>
        <translation>它们之前的编辑已执行。</translation>
    </message>
    <message>
        <source>An edit must change exactly one stage; make one edit for each.</source>
        <translation>一个编辑只能改变一个阶段；请为每个阶段各做一个编辑。</translation>
    </message>
    <message>
        <source>The stage {first} has nothing to edit.</source>
        <translation>阶段 {first} 没有可编辑的内容。</translation>
    </message>
    <message>
        <source>The edits of the session that ended unexpectedly do not fit: the graphs are others now.</source>
        <translation>意外结束的会话中的编辑不再适用：图已不同。</translation>
    </message>
    <message>
        <source>They stay in {path}.</source>
        <translation>它们保留在 {path} 中。</translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s) of {program} came after another program was asked for.</source>
        <translation>
            <numerusform>在请求另一个程序之后，{program} 又有 %n 处编辑。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is lost: open {program} again and choose Recover edits in the Edit menu.</source>
        <translation>没有丢失：重新打开 {program}，然后在“编辑”菜单中选择“恢复编辑”。</translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s) that no file holds can be recovered.</source>
        <translation>
            <numerusform>有 %n 处未存入任何文件的编辑可以恢复。</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose Recover edits in the Edit menu to make them again.</source>
        <translation>在“编辑”菜单中选择“恢复编辑”即可重做。</translation>
    </message>
    <message>
        <source>Edits cannot be written to the journal: {error}.</source>
        <translation>无法把编辑写入日志：{error}。</translation>
    </message>
    <message>
        <source>Make room or grant access in {folder}; until then a crash would lose them.</source>
        <translation>请在 {folder} 中腾出空间或授予权限；在此之前崩溃会丢失编辑。</translation>
    </message>
    <message>
        <source>{path} is on {name}.</source>
        <translation>{path} 在 {name} 上。</translation>
    </message>
    <message>
        <source>Save the change as a patch, and apply it there.</source>
        <translation>请把修改保存为补丁，并在那里应用。</translation>
    </message>
    <message>
        <source>{name} was changed since it was captured, so it was not written.</source>
        <translation>{name} 在捕获之后有改变，因此没有写入。</translation>
    </message>
    <message>
        <source>Capture it again and try the change again.</source>
        <translation>请重新捕获并再次尝试此修改。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {error}.</source>
        <translation>无法写入 {path}：{error}。</translation>
    </message>
    <message>
        <source>Save the change as a patch.</source>
        <translation>请把修改保存为补丁。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {strerror}.</source>
        <translation>无法写入 {path}：{strerror}。</translation>
    </message>
    <message>
        <source>There is no engine for trials.</source>
        <translation>没有用于尝试的引擎。</translation>
    </message>
    <message>
        <source>Restart Torch Loupe.</source>
        <translation>请重启 Torch Loupe。</translation>
    </message>
    <message>
        <source>Not tried: the engine does not hold this program.</source>
        <translation>未尝试：引擎中没有此程序。</translation>
    </message>
    <message>
        <source>Recompile to have it run.</source>
        <translation>请重新编译以运行它。</translation>
    </message>
    <message>
        <source>This capture is not finished: what follows the stages shown was not generated or not built.</source>
        <translation>此捕获没有完成：所示阶段之后的内容没有生成或没有构建。</translation>
    </message>
    <message>
        <source>Capture it again for the rest.</source>
        <translation>请重新捕获以得到其余部分。</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>没有写入任何内容。</translation>
    </message>
    <message>
        <source>{parent} cannot be written: {strerror}.</source>
        <translation>无法写入 {parent}：{strerror}。</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
    <message>
        <source>Written: {names}.</source>
        <translation>已写入：{names}。</translation>
    </message>
    <message>
        <source>Run pytest test_{stem}.py in {parent} to check it without Torch Loupe.</source>
        <translation>在 {parent} 中运行 pytest test_{stem}.py，即可不用 Torch Loupe 检查它。</translation>
    </message>
    <message>
        <source>It was skipped.</source>
        <translation>已跳过。</translation>
    </message>
    <message>
        <source>Compare again to have it judged.</source>
        <translation>请再次比较以作判断。</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>reading the stages</source>
        <translation>读取各阶段</translation>
    </message>
    <message>
        <source>judging</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>timing</source>
        <translation>计时</translation>
    </message>
    <message>
        <source>graph {graph}: </source>
        <translation>图 {graph}：</translation>
    </message>
    <message>
        <source>{command!r} cannot be read: {error}</source>
        <translation>无法解读 {command!r}：{error}</translation>
    </message>
    <message>
        <source>the command is empty</source>
        <translation>命令为空</translation>
    </message>
    <message>
        <source>{command!r} does not say where the file goes: write {{file}}</source>
        <translation>{command!r} 没有说明文件放在哪里：请写 {{file}}</translation>
    </message>
    <message>
        <source>There is no file {path} on this computer.</source>
        <translation>这台计算机上没有文件 {path}。</translation>
    </message>
    <message>
        <source>Open it there.</source>
        <translation>请在那里打开。</translation>
    </message>
    <message>
        <source>The capture may be another machine&apos;s; capture again here.</source>
        <translation>此捕获可能来自另一台机器；请在这里重新捕获。</translation>
    </message>
    <message>
        <source>no editor was found</source>
        <translation>没有找到编辑器</translation>
    </message>
    <message>
        <source>there is no program {program!r}</source>
        <translation>没有程序 {program!r}</translation>
    </message>
    <message>
        <source>{program!r} did not start</source>
        <translation>{program!r} 没有启动</translation>
    </message>
    <message>
        <source>{name}:{line} was not opened: {why}.</source>
        <translation>没有打开 {name}:{line}：{why}。</translation>
    </message>
    <message>
        <source>Set the command of your editor: Edit, Editor command.</source>
        <translation>请设置编辑器的命令：编辑 → 编辑器命令。</translation>
    </message>
    <message>
        <source>Written: {name}, {what}.</source>
        <translation>已写入：{name}，{what}。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}.</source>
        <translation>无法写入 {path}：{reason}。</translation>
    </message>
    <message>
        <source>GraphML (*.graphml)</source>
        <translation>GraphML (*.graphml)</translation>
    </message>
    <message>
        <source>DOT, for Graphviz (*.dot)</source>
        <translation>DOT，用于 Graphviz (*.dot)</translation>
    </message>
    <message>
        <source>{title} is text and has no graph to export.</source>
        <translation>{title} 是文本，没有可导出的图。</translation>
    </message>
    <message>
        <source>Choose a graph, loop IR or kernels in the Pipeline pane.</source>
        <translation>请在“流水线”窗格中选择图、循环 IR 或内核。</translation>
    </message>
    <message>
        <source>the graph of {title} with {nodes} nodes</source>
        <translation>{title} 的图，{nodes} 个节点</translation>
    </message>
    <message>
        <source>Open it in yEd, Gephi, Graphviz or networkx.</source>
        <translation>可在 yEd、Gephi、Graphviz 或 networkx 中打开。</translation>
    </message>
    <message>
        <source>A part of {name} could not be read: {fault}.</source>
        <translation>无法读取 {name} 的一部分：{fault}。</translation>
    </message>
    <message>
        <source>The rest was opened.</source>
        <translation>其余部分已打开。</translation>
    </message>
    <message>
        <source>{name} holds {count} logs; the one that is shown is {shown}.</source>
        <translation>{name} 含 {count} 个日志；显示的是 {shown}。</translation>
    </message>
    <message>
        <source>The Ranks pane compares them; loupe open {path} -o FILE.loupe writes a session for each.</source>
        <translation>“进程”面板可比较它们；loupe open {path} -o FILE.loupe 为每个写一个会话。</translation>
    </message>
    <message>
        <source>without its code</source>
        <translation>不含代码</translation>
    </message>
    <message>
        <source>with its code</source>
        <translation>含代码</translation>
    </message>
    <message>
        <source>the capture {what} ({size})</source>
        <translation>捕获 {what}（{size}）</translation>
    </message>
    <message>
        <source>It is one file that any browser opens; it loads and sends nothing.</source>
        <translation>它是任何浏览器都能打开的一个文件；不加载也不发送任何东西。</translation>
    </message>
    <message>
        <source>Reading {name}: {text}</source>
        <translation>正在读取 {name}：{text}</translation>
    </message>
    <message>
        <source>Save it again.</source>
        <translation>请再次保存。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation>无法读取 {path}：{reason}。</translation>
    </message>
    <message>
        <source>Check the name and the permissions.</source>
        <translation>请检查名称和权限。</translation>
    </message>
    <message>
        <source>{name} is not written: no capture has ended yet.</source>
        <translation>未写入 {name}：还没有完成任何捕获。</translation>
    </message>
    <message>
        <source>Save when it has.</source>
        <translation>捕获完成后再保存。</translation>
    </message>
    <message>
        <source>{path} was not saved: {error}.</source>
        <translation>没有保存 {path}：{error}。</translation>
    </message>
    <message>
        <source>Choose another folder or make room.</source>
        <translation>请选择其他文件夹或腾出空间。</translation>
    </message>
    <message>
        <source>A part of what was saved in {name} cannot be read again: {fault}.</source>
        <translation>{name} 中保存的一部分无法再读出：{fault}。</translation>
    </message>
    <message>
        <source>The rest is whole. Please report it.</source>
        <translation>其余部分完好。请报告此问题。</translation>
    </message>
    <message>
        <source>Rank {rank}</source>
        <translation>rank {rank}</translation>
    </message>
    <message numerus="yes">
        <source>Reading %n file(s)</source>
        <translation>
            <numerusform>正在读取 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading {name}</source>
        <translation>正在读取 {name}</translation>
    </message>
    <message>
        <source>The other ranks are compared.</source>
        <translation>其他 rank 已比较。</translation>
    </message>
    <message>
        <source>Following the program</source>
        <translation>正在跟随程序</translation>
    </message>
    <message>
        <source>what it told could not be read: {why}</source>
        <translation>无法读取它的消息：{why}</translation>
    </message>
    <message>
        <source>loupe run ended</source>
        <translation>loupe run 已结束</translation>
    </message>
    <message>
        <source>The program was over before this window could listen to it.</source>
        <translation>程序在此窗口开始监听之前已结束。</translation>
    </message>
    <message>
        <source>Open the file that it wrote (loupe run -o FILE.loupe), or run it again.</source>
        <translation>请打开它写出的文件（loupe run -o FILE.loupe），或再次运行。</translation>
    </message>
    <message>
        <source>Nothing tells of a run at {place}.</source>
        <translation>{place} 没有运行的消息。</translation>
    </message>
    <message>
        <source>Waiting until the program calls the graph again</source>
        <translation>等待程序再次调用此图</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>没有任何改变。</translation>
    </message>
    <message>
        <source>{title} compiled another graph there; it goes on without these edits.</source>
        <translation>{title} 在那里编译了另一张图；它不带这些编辑继续运行。</translation>
    </message>
    <message>
        <source>Compare the ranks in the Run pane.</source>
        <translation>请在“运行”面板中比较各 rank。</translation>
    </message>
    <message>
        <source>{title} goes on without these edits: {what}</source>
        <translation>{title} 不带这些编辑继续运行：{what}</translation>
    </message>
    <message>
        <source>The program has ended.</source>
        <translation>程序已结束。</translation>
    </message>
    <message>
        <source>Start it again.</source>
        <translation>请再次启动。</translation>
    </message>
    <message>
        <source>of the session file</source>
        <translation>来自会话文件</translation>
    </message>
    <message>
        <source>before the last recompile</source>
        <translation>来自上次重新编译之前</translation>
    </message>
    <message>
        <source>Times {where}; this program was not timed yet.</source>
        <translation>时间{where}；此程序尚未计时。</translation>
    </message>
    <message>
        <source>The files of the program are on {name}, where they cannot be watched from here.</source>
        <translation>程序的文件在 {name} 上，无法从这里监视。</translation>
    </message>
    <message>
        <source>Capture again after saving: Ctrl+R.</source>
        <translation>保存后请重新捕获：Ctrl+R。</translation>
    </message>
    <message>
        <source>{remedy} What is shown is the capture before.</source>
        <translation>{remedy} 显示的是上一次捕获。</translation>
    </message>
    <message>
        <source>Program text</source>
        <translation>程序文本</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>下一处匹配 (Enter)</translation>
    </message>
    <message>
        <source>{value} of {count}{more}</source>
        <translation>第 {value} 处，共 {count} 处{more}</translation>
    </message>
    <message>
        <source>Open {name}:{number} in the editor</source>
        <translation>在编辑器中打开 {name}:{number}</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Make the edits (Ctrl+Enter)</source>
        <translation>执行编辑 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Give up what was typed (Esc)</source>
        <translation>放弃所输入的内容 (Esc)</translation>
    </message>
    <message>
        <source> ({value} more)</source>
        <translation>（另有 {value} 处）</translation>
    </message>
    <message>
        <source>Line {value}: {value2}{more}</source>
        <translation>第 {value} 行：{value2}{more}</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Hide until something changes again</source>
        <translation>隐藏，直到再有变化</translation>
    </message>
    <message>
        <source>{names} was saved: capturing again…</source>
        <translation>{names} 已保存：正在重新捕获…</translation>
    </message>
    <message>
        <source>{names} was saved but cannot be captured; shown is the capture before.</source>
        <translation>{names} 已保存，但无法捕获；显示的是上一次捕获。</translation>
    </message>
    <message numerus="yes">
        <source> · %n edit(s) made again, not compiled yet</source>
        <translation>
            <numerusform> · 已重做 %n 个编辑，尚未编译</numerusform>
        </translation>
    </message>
    <message>
        <source>Since the capture before: {words}{again} · captured in {seconds:.1f} s</source>
        <translation>与上一次捕获相比：{words}{again} · 捕获用时 {seconds:.1f} s</translation>
    </message>
    <message>
        <source>While the graph has the focus</source>
        <translation>焦点在图上时</translation>
    </message>
    <message>
        <source>Type to find an action or a pane</source>
        <translation>输入以查找操作或面板</translation>
    </message>
    <message>
        <source>Pane: {title}</source>
        <translation>面板：{title}</translation>
    </message>
    <message>
        <source>Find a key or what it does</source>
        <translation>查找按键或其作用</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Arguments of {node_id}{more}</source>
        <translation>{node_id}{more} 的参数</translation>
    </message>
    <message>
        <source>Looking up what it takes…</source>
        <translation>正在查询它的参数…</translation>
    </message>
    <message>
        <source>The ways in which this operation can be called</source>
        <translation>此运算可以怎样调用</translation>
    </message>
    <message>
        <source>Make the edit</source>
        <translation>执行编辑</translation>
    </message>
    <message>
        <source>Leave this argument out, so that its default is used</source>
        <translation>省略此参数，使用其默认值</translation>
    </message>
    <message>
        <source>{text_of} (default)</source>
        <translation>{text_of}（默认）</translation>
    </message>
    <message>
        <source>must be given</source>
        <translation>必须给出</translation>
    </message>
    <message>
        <source>Some arguments cannot be given.</source>
        <translation>有些参数无法给出。</translation>
    </message>
    <message>
        <source>Set {id} to a constant</source>
        <translation>把 {id} 设为常量</translation>
    </message>
    <message>
        <source>every element of {describe}</source>
        <translation>{describe} 的每个元素</translation>
    </message>
    <message>
        <source>its result</source>
        <translation>它的结果</translation>
    </message>
    <message>
        <source>{id} no longer calls {target}: {what} becomes</source>
        <translation>{id} 不再调用 {target}：{what} 变为</translation>
    </message>
    <message>
        <source>a {kind} is no number</source>
        <translation>{kind} 不是数字</translation>
    </message>
    <message>
        <source>The selected nodes become one call of a submodule. AOTAutograd sees through it, so the generated code stays the same.</source>
        <translation>选中的节点变为对一个子模块的一次调用。AOTAutograd 能看穿它，因此生成的代码不变。</translation>
    </message>
    <message>
        <source>The selected nodes become one operator that Inductor cannot look into: what is in it is run by eager kernels and fuses with nothing. Its gradient is an operator too, which runs them again.</source>
        <translation>选中的节点变为一个 Inductor 看不到内部的算子：其内容由 eager 内核运行，不与任何东西融合。它的梯度也是一个算子，会把这些节点再运行一遍。</translation>
    </message>
    <message>
        <source>every {what}</source>
        <translation>每个 {what}</translation>
    </message>
    <message>
        <source>{what} in {node}</source>
        <translation>{node} 中的 {what}</translation>
    </message>
    <message>
        <source>Replace {which}</source>
        <translation>替换 {which}</translation>
    </message>
    <message>
        <source>Insert behind {source}</source>
        <translation>在 {source} 之后插入</translation>
    </message>
    <message>
        <source>{user} uses no other node.</source>
        <translation>{user} 不使用其他节点。</translation>
    </message>
    <message>
        <source>Insert before {user}</source>
        <translation>在 {user} 之前插入</translation>
    </message>
    <message>
        <source>Wrap in a custom operator</source>
        <translation>包装为自定义算子</translation>
    </message>
    <message>
        <source>Extract to a submodule</source>
        <translation>提取为子模块</translation>
    </message>
    <message>
        <source>Looking for operations that fit…</source>
        <translation>正在查找合适的运算…</translation>
    </message>
    <message>
        <source>Type to search: gelu, tanh, add…</source>
        <translation>输入以搜索：gelu、tanh、add…</translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s) fit.</source>
        <translation>
            <numerusform>%n 个运算合适。</numerusform>
        </translation>
    </message>
    <message>
        <source>No operation fits here.</source>
        <translation>这里没有合适的运算。</translation>
    </message>
    <message>
        <source>{source} → all {count} uses</source>
        <translation>{source} → 全部 {count} 处使用</translation>
    </message>
    <message>
        <source>{source} → {value} (all {count})</source>
        <translation>{source} → {value}（全部 {count} 处）</translation>
    </message>
    <message>
        <source>choose a node</source>
        <translation>选择一个节点</translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>还没有</translation>
    </message>
    <message numerus="yes">
        <source>Paste %n node(s)</source>
        <translation>
            <numerusform>粘贴 %n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Result {name} is used instead of</source>
        <translation>结果 {name} 用来代替</translation>
    </message>
    <message>
        <source>Choose what stands for {first} here.</source>
        <translation>请选择这里由什么代替 {first}。</translation>
    </message>
    <message>
        <source>It fits: every type is known.</source>
        <translation>合适：所有类型都已知。</translation>
    </message>
    <message>
        <source>Another input of {user}</source>
        <translation>{user} 的其他输入</translation>
    </message>
    <message>
        <source>{names}: now {used}</source>
        <translation>{names}：现为 {used}</translation>
    </message>
    <message>
        <source>Type to search for a node</source>
        <translation>输入以搜索节点</translation>
    </message>
    <message>
        <source>{user} ({target}) uses</source>
        <translation>{user}（{target}）使用</translation>
    </message>
    <message>
        <source>Let it use</source>
        <translation>改为使用</translation>
    </message>
    <message>
        <source>Duplicate {node}</source>
        <translation>复制 {node}</translation>
    </message>
    <message>
        <source>A second {node} is made. The uses ticked here become uses of the second.</source>
        <translation>生成第二个 {node}。勾选的使用处改用第二个。</translation>
    </message>
    <message>
        <source>A name is letters, digits and _, and begins with a letter.</source>
        <translation>名称由字母、数字和 _ 组成，并以字母开头。</translation>
    </message>
    <message numerus="yes">
        <source>Only the %n selected node(s)</source>
        <translation>
            <numerusform>仅 %n 个选中的节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Make the edits</source>
        <translation>执行这些编辑</translation>
    </message>
    <message>
        <source>Looking for what there is to edit…</source>
        <translation>正在查找可编辑的内容…</translation>
    </message>
    <message>
        <source>It failed; the log says why.</source>
        <translation>失败了；原因见日志。</translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s), undone in one step.</source>
        <translation>
            <numerusform>%n 个编辑，可一步撤销。</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} Trying…</source>
        <translation>{count} 正在尝试…</translation>
    </message>
    <message>
        <source>{count} It works: every type is known.</source>
        <translation>{count} 可行：所有类型都已知。</translation>
    </message>
    <message>
        <source>of unknown type</source>
        <translation>类型未知</translation>
    </message>
    <message>
        <source>{id} is {was}</source>
        <translation>{id} 是 {was}</translation>
    </message>
    <message>
        <source> now; trying the change…</source>
        <translation>；正在尝试修改…</translation>
    </message>
    <message>
        <source>{now}, as before</source>
        <translation>{now}，与之前相同</translation>
    </message>
    <message>
        <source>{file} and {line} are filled in. Words are handed to the program as they are, without a shell; quote a path that has spaces. Empty: the first editor found.</source>
        <translation>{file} 和 {line} 会被填入。各个词原样交给程序，不经过 shell；含空格的路径请加引号。留空：使用找到的第一个编辑器。</translation>
    </message>
    <message>
        <source>Editor command</source>
        <translation>编辑器命令</translation>
    </message>
    <message>
        <source>Open lines with</source>
        <translation>用以下命令打开行</translation>
    </message>
    <message>
        <source>That cannot be used: {error}.</source>
        <translation>无法使用：{error}。</translation>
    </message>
    <message>
        <source>The GPU itself would decide these by measuring, or in CUDA&apos;s C++. Another choice is captured in place of this one; the bar above the panes says what it changes.</source>
        <translation>这些本应由 GPU 自己通过测量决定，或由 CUDA 的 C++ 代码决定。改选后会代替当前捕获；面板上方的提示条说明变化。</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>As torch recorded on a GPU…</source>
        <translation>按 torch 在某个 GPU 上的记录…</translation>
    </message>
    <message>
        <source>Times are torch&apos;s own, on the GPU of this capture. For a matrix product they are of templates and library calls (max-autotune); for a generated kernel of its blocks and warps, at the first launch.</source>
        <translation>时间由 torch 在此捕获的 GPU 上测得。对矩阵乘法是模板与库调用 (max-autotune)；对生成的内核是首次启动时的块大小与 warp 数。</translation>
    </message>
    <message>
        <source>Measured choices</source>
        <translation>测得的选择</translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>Over the fastest</source>
        <translation>与最快者之比</translation>
    </message>
    <message>
        <source>templates and libraries</source>
        <translation>模板和库</translation>
    </message>
    <message>
        <source>configurations</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>could not run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>Largest relative error</source>
        <translation>最大相对误差</translation>
    </message>
    <message>
        <source>Interpreted</source>
        <translation>解释执行</translation>
    </message>
    <message>
        <source>Each kernel runs on the CPU, and what it makes is compared with its part of the graph in float64, computed from what the kernel was given. Mathematics and masks are checked; races, layouts and the GPU&apos;s own arithmetic are not.</source>
        <translation>每个内核都在 CPU 上运行，并用内核得到的输入，在 float64 下与图中对应部分的结果比较。检查的是数学和掩码；不检查竞争、布局和 GPU 自身的算术。</translation>
    </message>
    <message>
        <source>Kernels checked on the CPU</source>
        <translation>在 CPU 上检查的内核</translation>
    </message>
    <message>
        <source>Running the kernels through Triton&apos;s interpreter…</source>
        <translation>正在用 Triton 的解释器运行内核…</translation>
    </message>
    <message>
        <source>Kernels checked on the CPU: {right} of {count} agree</source>
        <translation>在 CPU 上检查的内核：{count} 个中 {right} 个一致</translation>
    </message>
    <message>
        <source>, {wrong} do not</source>
        <translation>，{wrong} 个不一致</translation>
    </message>
    <message>
        <source>{blocks} (Inductor&apos;s are smaller)</source>
        <translation>{blocks}（Inductor 的更小）</translation>
    </message>
    <message>
        <source>largest error {error}</source>
        <translation>最大误差 {error}</translation>
    </message>
    <message>
        <source>This graph&apos;s kernels cannot be checked.</source>
        <translation>此图的内核无法检查。</translation>
    </message>
    <message>
        <source>Its graph or loop IR was not captured.</source>
        <translation>没有捕获它的图或循环 IR。</translation>
    </message>
    <message>
        <source>What Inductor&apos;s heuristic would try on the GPU is replaced by these, in the kernel&apos;s source. The first one is lowered and shown; on a GPU the fastest of them is measured at the first launch. Undo brings the heuristic back.</source>
        <translation>Inductor 的启发式在 GPU 上会尝试的配置，在内核源码中由这些代替。第一个会被降级并显示；在 GPU 上首次启动时会测出最快的一个。撤销可恢复启发式。</translation>
    </message>
    <message>
        <source>Configurations of {name}</source>
        <translation>{name} 的配置</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>{value} is no number.</source>
        <translation>{value} 不是数字。</translation>
    </message>
    <message>
        <source>An empty cell</source>
        <translation>空单元格</translation>
    </message>
    <message>
        <source>Assembly of {name}</source>
        <translation>{name} 的汇编</translation>
    </message>
    <message>
        <source>Compiling the kernel as Inductor does…</source>
        <translation>正在像 Inductor 那样编译内核…</translation>
    </message>
    <message>
        <source>{total} instructions, {vectors} of them on vectors (striped). Compiled in {seconds:.1f} s with the command that Inductor uses; a line is what the compiler&apos;s debug information says.</source>
        <translation>{total} 条指令，其中 {vectors} 条作用于向量（带条纹）。用 Inductor 的命令编译，用时 {seconds:.1f} s；行号来自编译器的调试信息。</translation>
    </message>
    <message>
        <source>{bits}-bit vectors</source>
        <translation>{bits} 位向量</translation>
    </message>
    <message>
        <source>The edit takes effect when you recompile: only this kernel is built again, run and judged against the graph. Undo restores the generated source.</source>
        <translation>重新编译后编辑生效：只重新构建这个内核，运行并与图对照判断。撤销可恢复生成的源码。</translation>
    </message>
    <message>
        <source>The kernel is lowered again at once; what it needs then stands beside what it needed in GPU kernels. Nothing is run: whether it still computes the same is not judged. Undo restores the generated source.</source>
        <translation>内核会立即重新降级；它现在所需的资源与之前的一起显示在“GPU 内核”中。不运行任何东西：是否仍计算同样的结果不作判断。撤销可恢复生成的源码。</translation>
    </message>
    <message>
        <source>Edit {name}</source>
        <translation>编辑 {name}</translation>
    </message>
    <message>
        <source>Line {line}: {text}</source>
        <translation>第 {line} 行：{text}</translation>
    </message>
    <message>
        <source>Knobs of {kernel}</source>
        <translation>{kernel} 的参数</translation>
    </message>
    <message>
        <source>Generating the kernel&apos;s code with each knob…</source>
        <translation>正在用每个参数生成内核的代码…</translation>
    </message>
    <message>
        <source>Each knob was tried by generating this kernel&apos;s code. Only this kernel is built again, run and judged.</source>
        <translation>每个参数都已通过生成此内核的代码试过。只有这个内核会重新构建、运行和判断。</translation>
    </message>
    <message>
        <source> Without effect on it: {others}.</source>
        <translation> 对它没有影响：{others}。</translation>
    </message>
    <message>
        <source>As Inductor is set: {default}</source>
        <translation>按 Inductor 的设置：{default}</translation>
    </message>
    <message>
        <source>As Inductor is set</source>
        <translation>按 Inductor 的设置</translation>
    </message>
    <message numerus="yes">
        <source>   (%n line(s) change)</source>
        <translation>
            <numerusform>   （%n 行变化）</numerusform>
        </translation>
    </message>
    <message>
        <source> Torch: &quot;{comment}&quot;.</source>
        <translation> torch：“{comment}”。</translation>
    </message>
    <message>
        <source>The engine is started on that machine, with the torch and the GPU there; the window stays here. Torch Loupe must be installed there too, in the Python that has torch. Programs are then named by their paths on that machine.</source>
        <translation>引擎在那台机器上启动，使用那里的 torch 和 GPU；窗口留在这里。那里有 torch 的 Python 中也必须装有 Torch Loupe。之后程序用那台机器上的路径指明。</translation>
    </message>
    <message>
        <source>Run on another machine</source>
        <translation>在另一台机器上运行</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>这台计算机</translation>
    </message>
    <message>
        <source>Over ssh</source>
        <translation>通过 ssh</translation>
    </message>
    <message>
        <source>Through another command</source>
        <translation>通过其他命令</translation>
    </message>
    <message>
        <source>user@host, or a name of your ssh configuration</source>
        <translation>user@host，或 ssh 配置中的名称</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Python there</source>
        <translation>那里的 Python</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source> on {name}</source>
        <translation> · {name}</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Nothing can be changed here</source>
        <translation>这里没有可修改的内容</translation>
    </message>
    <message>
        <source>?  all keys</source>
        <translation>?  全部按键</translation>
    </message>
    <message>
        <source>Keys of the graph: </source>
        <translation>图的按键：</translation>
    </message>
    <message>
        <source>Keys of the graph</source>
        <translation>图的按键</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Show all problems</source>
        <translation>显示所有问题</translation>
    </message>
    <message>
        <source>Close the notice</source>
        <translation>关闭通知</translation>
    </message>
    <message>
        <source>Stop; what is on the screen of a first capture stays (Esc)</source>
        <translation>停止；首次捕获已显示的内容会保留 (Esc)</translation>
    </message>
    <message>
        <source>Trying the change</source>
        <translation>正在尝试修改</translation>
    </message>
    <message>
        <source>Comparing front ends, {running}</source>
        <translation>正在比较前端，{running}</translation>
    </message>
    <message>
        <source>{names} was saved, captured again</source>
        <translation>{names} 已保存，重新捕获</translation>
    </message>
    <message>
        <source>Capturing {name}</source>
        <translation>正在捕获 {name}</translation>
    </message>
    <message>
        <source>{built_before} more were built before</source>
        <translation>另有 {built_before} 个之前已构建</translation>
    </message>
    <message>
        <source>The compiler builds:</source>
        <translation>编译器正在构建：</translation>
    </message>
    <message>
        <source>, about {value:.0f} s left</source>
        <translation>，约剩 {value:.0f} s</translation>
    </message>
    <message>
        <source>and run backward</source>
        <translation>并运行反向</translation>
    </message>
    <message>
        <source>without values</source>
        <translation>不含数值</translation>
    </message>
    <message>
        <source>The model is built under fake tensors, so it may be larger than this machine: compiled, not run</source>
        <translation>模型在 fake tensor 下构建，因此可以大于这台机器：只编译，不运行</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>one graph, or fail</source>
        <translation>一张图，否则失败</translation>
    </message>
    <message>
        <source>None (as it turns out)</source>
        <translation>None（视情况而定）</translation>
    </message>
    <message>
        <source>do nothing</source>
        <translation>什么也不做</translation>
    </message>
    <message>
        <source>How the program is captured; the rest of this box is torch.compile&apos;s</source>
        <translation>怎样捕获程序；此框中其余各项属于 torch.compile</translation>
    </message>
    <message>
        <source>this machine&apos;s GPU, else its CPU</source>
        <translation>本机的 GPU，否则 CPU</translation>
    </message>
    <message>
        <source>the CPU of this machine</source>
        <translation>本机的 CPU</translation>
    </message>
    <message>
        <source>the GPU of this machine</source>
        <translation>本机的 GPU</translation>
    </message>
    <message>
        <source>{name} (need not be here)</source>
        <translation>{name}（不必在本机）</translation>
    </message>
    <message>
        <source>Inductor writes the very kernels it would write on that GPU, from fake tensors: to be read, not run</source>
        <translation>Inductor 从 fake tensor 出发，写出它在那块 GPU 上会写的内核：用于阅读，不运行</translation>
    </message>
    <message>
        <source>What to assume where the GPU would measure; afterwards File → Assumptions… has each choice. Without values: what a line finds that asks a tensor for its value, such as value@model.py:31=3</source>
        <translation>GPU 本应测量之处作何假设；之后可在 文件 → 假设… 中逐项选择。不含数值时：向张量要数值的那一行得到什么，例如 value@model.py:31=3</translation>
    </message>
    <message>
        <source>capture with</source>
        <translation>捕获方式</translation>
    </message>
    <message>
        <source>{part!r} is not of the form key=value.</source>
        <translation>{part!r} 不是 key=value 的形式。</translation>
    </message>
    <message>
        <source>as its architectures say</source>
        <translation>按其架构</translation>
    </message>
    <message>
        <source>Tokens of each input; of images the configuration has the size</source>
        <translation>每个输入的 token 数；图像的大小由配置决定</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>a size cannot be negative</source>
        <translation>大小不能为负</translation>
    </message>
    <message>
        <source>Shape or value</source>
        <translation>形状或值</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>From example_inputs() in the file</source>
        <translation>来自文件中的 example_inputs()</translation>
    </message>
    <message>
        <source>Typed as in a call</source>
        <translation>像调用那样输入</translation>
    </message>
    <message>
        <source>Argument by argument</source>
        <translation>逐个参数</translation>
    </message>
    <message>
        <source>The program takes no arguments.</source>
        <translation>程序没有参数。</translation>
    </message>
    <message>
        <source>The shape of {name} is no list of sizes: {value!r}.</source>
        <translation>{name} 的形状不是大小列表：{value!r}。</translation>
    </message>
    <message>
        <source>Open model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>How many</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>the same; other shards are kept</source>
        <translation>相同；保存的分片不同</translation>
    </message>
    <message>
        <source>the same but for numbers in it</source>
        <translation>除其中的数字外相同</translation>
    </message>
    <message>
        <source>tensors of other sizes: capture it with rank {rank}</source>
        <translation>张量大小不同：请以 rank {rank} 捕获</translation>
    </message>
    <message>
        <source>another stage of the pipeline: capture it with rank {rank}</source>
        <translation>流水线的另一段：请以 rank {rank} 捕获</translation>
    </message>
    <message>
        <source>not derived: capture it with rank {rank}</source>
        <translation>未能推导：请以 rank {rank} 捕获</translation>
    </message>
    <message>
        <source>Filter ranks</source>
        <translation>筛选 rank</translation>
    </message>
    <message>
        <source>Rank {rank} was captured. {why}</source>
        <translation>捕获的是 rank {rank}。{why}</translation>
    </message>
    <message>
        <source>Rank {rank} of {count} was captured.</source>
        <translation>在 {count} 个 rank 中捕获了 rank {rank}。</translation>
    </message>
    <message>
        <source>Every rank that is derived peaks at {size}.</source>
        <translation>所有已推导的 rank 的峰值均为 {size}。</translation>
    </message>
    <message>
        <source>Largest: {ranks}, {size}; smallest: {ranks2}, {less} less.</source>
        <translation>最大：{ranks}，{size}；最小：{ranks2}，少 {less}。</translation>
    </message>
    <message>
        <source>Peaks not derived: {count}.</source>
        <translation>未推导峰值的 rank：{count} 个。</translation>
    </message>
    <message>
        <source>captured (rank {rank})</source>
        <translation>已捕获（rank {rank}）</translation>
    </message>
    <message>
        <source>not derived</source>
        <translation>未推导</translation>
    </message>
    <message>
        <source>at most {size}</source>
        <translation>至多 {size}</translation>
    </message>
    <message>
        <source>{name}: {size} here, {size2} on rank {rank}</source>
        <translation>{name}：此处 {size}，rank {rank} 上 {size2}</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Parallel is for what nothing runs of: choose a GPU that need not be here, or “without values”.</source>
        <translation>“并行”用于不实际运行的情形：请选择不必在本机的 GPU，或“不含数值”。</translation>
    </message>
    <message>
        <source>Choose a program first.</source>
        <translation>请先选择程序。</translation>
    </message>
    <message>
        <source>Looking at the program…</source>
        <translation>正在查看程序…</translation>
    </message>
    <message>
        <source>Trying whether this torch can compile for an absent GPU…</source>
        <translation>正在尝试此 torch 能否为不在本机的 GPU 编译…</translation>
    </message>
    <message>
        <source>Compiling for an absent GPU {words}</source>
        <translation>为不在本机的 GPU 编译 {words}</translation>
    </message>
    <message>
        <source>Parallel: one of many processes, and its predicted step</source>
        <translation>并行：多个进程之一，及其预测的步</translation>
    </message>
    <message>
        <source>For a GPU that need not be here, or without values: under torch&apos;s fake process group</source>
        <translation>用于不必在本机的 GPU，或不含数值时：在 torch 的 fake process group 下</translation>
    </message>
    <message>
        <source>dp=8, tp=8; empty: the program makes its own, or is one process</source>
        <translation>dp=8, tp=8；留空：由程序自己建立，或只有一个进程</translation>
    </message>
    <message>
        <source>as the mesh has it</source>
        <translation>由 mesh 决定</translation>
    </message>
    <message>
        <source>Which rank is captured; the page of the predicted step says in what others differ</source>
        <translation>捕获哪个 rank；预测的步的页面会说明其他 rank 有何不同</translation>
    </message>
    <message>
        <source>a TOML file with [tp] &quot;layers.*.wq&quot; = &quot;colwise&quot;; empty: the model&apos;s own tp_plan</source>
        <translation>含 [tp] &quot;layers.*.wq&quot; = &quot;colwise&quot; 的 TOML 文件；留空：模型自己的 tp_plan</translation>
    </message>
    <message>
        <source>With pp in the mesh: which stage is captured</source>
        <translation>mesh 中有 pp 时：捕获哪个 stage</translation>
    </message>
    <message>
        <source>one microbatch</source>
        <translation>一个微批次</translation>
    </message>
    <message>
        <source>With pp in the mesh: the order of microbatches, by torch.distributed.pipelining</source>
        <translation>Mesh 含 pp 时：微批次的顺序，取自 torch.distributed.pipelining</translation>
    </message>
    <message>
        <source>How many a step of the pipeline has; the inputs are one</source>
        <translation>流水线一步中的微批次数；输入为其中之一</translation>
    </message>
    <message>
        <source>checkpoint each layer</source>
        <translation>对每层做 checkpoint</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>Mesh</translation>
    </message>
    <message>
        <source>World</source>
        <translation>总进程数</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Along dp</source>
        <translation>沿 dp</translation>
    </message>
    <message>
        <source>Plan of tp</source>
        <translation>tp 方案</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Microbatches</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>model.py, package.module, or config.json of transformers</source>
        <translation>model.py、package.module，或 transformers 的 config.json</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>The program is on {name}: type its path there</source>
        <translation>程序在 {name} 上：请在此输入那里的路径</translation>
    </message>
    <message>
        <source>File or module</source>
        <translation>文件或模块</translation>
    </message>
    <message>
        <source>what is neither installed nor PyTorch&apos;s; add folders, packages</source>
        <translation>既非安装的也非 PyTorch 的；可添加文件夹和包</translation>
    </message>
    <message>
        <source>Errors, breaks and guards are told of your own lines where there are any; later: File → Your files…</source>
        <translation>错误、图中断和 guard 尽量归到您自己的代码行；之后：文件 → 您的文件…</translation>
    </message>
    <message>
        <source>Your files</source>
        <translation>您的文件</translation>
    </message>
    <message>
        <source>Choose a program</source>
        <translation>选择程序</translation>
    </message>
    <message>
        <source>Programs, configurations (*.py *{config})</source>
        <translation>程序、配置 (*.py *{config})</translation>
    </message>
    <message>
        <source>Errors, graph breaks and guards are told of your own lines where there are any, and your files are listed first and loaded afresh for each capture. Yours is what is neither installed nor Python&apos;s nor PyTorch&apos;s, and what you name here.</source>
        <translation>错误、图中断和 guard 尽量归到您自己的代码行；您的文件列在最前，每次捕获都重新加载。既非安装的、也非 Python 或 PyTorch 的，以及您在此写明的，都算您的。</translation>
    </message>
    <message>
        <source>Packages of this capture that are yours</source>
        <translation>此捕获中属于您的包</translation>
    </message>
    <message>
        <source>Other folders and packages, separated by commas</source>
        <translation>其他文件夹和包，用逗号分隔</translation>
    </message>
    <message>
        <source>Why {first} and {second} are not in one kernel</source>
        <translation>为何 {first} 和 {second} 不在同一个内核中</translation>
    </message>
    <message>
        <source>Ask to fuse them</source>
        <translation>请求融合它们</translation>
    </message>
    <message>
        <source>Why fused?</source>
        <translation>为何融合？</translation>
    </message>
    <message>
        <source>{first} and {second} are in one kernel</source>
        <translation>{first} 和 {second} 在同一个内核中</translation>
    </message>
    <message>
        <source>Unsaved edits</source>
        <translation>未保存的编辑</translation>
    </message>
    <message>
        <source>There are edits, or changes that you kept, which no file holds.</source>
        <translation>有些编辑或您保留的修改还没有保存到任何文件。</translation>
    </message>
    <message>
        <source>Save them to a session file?</source>
        <translation>要保存到会话文件吗？</translation>
    </message>
    <message>
        <source>Models, sessions, logs, batches (*.py *{config} *.loupe *{saved} *.log *.log.gz {batch})</source>
        <translation>模型、会话、日志、批次 (*.py *{config} *.loupe *{saved} *.log *.log.gz {batch})</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Run the tour&apos;s program?</source>
        <translation>运行导览的程序？</translation>
    </message>
    <message>
        <source>The tour {visible_line} runs {visible_line2}</source>
        <translation>导览 {visible_line} 要运行 {visible_line2}</translation>
    </message>
    <message>
        <source>from the folder {visible_line}. Run it only if you trust where both come from.</source>
        <translation>来自文件夹 {visible_line}。只有在您信任两者的来源时才运行。</translation>
    </message>
    <message>
        <source>Open a tour</source>
        <translation>打开导览</translation>
    </message>
    <message>
        <source>Tours (*.toml)</source>
        <translation>导览 (*.toml)</translation>
    </message>
    <message>
        <source>Torch&apos;s record of a GPU: a file of the folder cache in its cache folder</source>
        <translation>torch 对某个 GPU 的记录：其缓存文件夹内 cache 文件夹中的一个文件</translation>
    </message>
    <message>
        <source>Trust this file?</source>
        <translation>信任此文件？</translation>
    </message>
    <message>
        <source>torch can run code while it loads {visible_line}</source>
        <translation>torch 在加载 {visible_line} 时可能运行代码</translation>
    </message>
    <message>
        <source>Load it only if you trust where it comes from. You are asked once for each file.</source>
        <translation>只有在您信任其来源时才加载。每个文件只询问一次。</translation>
    </message>
    <message>
        <source>Trust and load</source>
        <translation>信任并加载</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Export graph</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>Share as HTML</source>
        <translation>以 HTML 分享</translation>
    </message>
    <message>
        <source>Who gets the page sees the program as it was captured: its source and all that was made of it.</source>
        <translation>得到此页的人会看到捕获时的程序：它的源码以及由它生成的一切。</translation>
    </message>
    <message>
        <source>Without code it has no text of the program and no name that you gave; operators, types, links, the kinds of breaks and times stay. Either way it is one file that loads nothing and sends nothing.</source>
        <translation>不含代码时，页中没有程序文本，也没有您起的名称；保留运算、类型、链接、图中断的种类和时间。两种情况下都是一个文件，不加载也不发送任何东西。</translation>
    </message>
    <message>
        <source>With code…</source>
        <translation>含代码…</translation>
    </message>
    <message>
        <source>Without code…</source>
        <translation>不含代码…</translation>
    </message>
    <message>
        <source>Web pages (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Export edits as code</source>
        <translation>把编辑导出为代码</translation>
    </message>
    <message>
        <source>{stem!r} cannot be imported. Use letters and _.</source>
        <translation>{stem!r} 无法导入。请使用字母和 _。</translation>
    </message>
    <message>
        <source>What came of the capture</source>
        <translation>捕获的结果</translation>
    </message>
    <message>
        <source>  so far</source>
        <translation>  目前为止</translation>
    </message>
    <message>
        <source>← Back</source>
        <translation>← 返回</translation>
    </message>
    <message>
        <source>Other ways to look at the program that is open, and at PyTorch itself</source>
        <translation>查看当前程序和 PyTorch 本身的其他方式</translation>
    </message>
    <message>
        <source>Engine: starting</source>
        <translation>引擎：正在启动</translation>
    </message>
    <message>
        <source>Engine: ready</source>
        <translation>引擎：就绪</translation>
    </message>
    <message>
        <source>Engine: busy</source>
        <translation>引擎：忙</translation>
    </message>
    <message>
        <source>Engine: stopped</source>
        <translation>引擎：已停止</translation>
    </message>
    <message>
        <source>Stop what the engine is doing; nothing is lost (Esc)</source>
        <translation>停止引擎正在做的事；不会丢失任何东西 (Esc)</translation>
    </message>
    <message>
        <source>Engine: not started</source>
        <translation>引擎：未启动</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>Python {python_version}, torch {torch_version}</source>
        <translation>Python {python_version}，torch {torch_version}</translation>
    </message>
    <message>
        <source>Read from a log of torch {torch}</source>
        <translation>读自 torch {torch} 的日志</translation>
    </message>
    <message>
        <source>Captured with Python {python}, torch {torch}</source>
        <translation>捕获时为 Python {python}，torch {torch}</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>What this step is about</source>
        <translation>这一步的内容</translation>
    </message>
    <message>
        <source>The same tour in the other language</source>
        <translation>换一种语言看此导览</translation>
    </message>
    <message>
        <source>End the tour; what is open stays</source>
        <translation>结束导览；已打开的内容保留</translation>
    </message>
    <message>
        <source>End the tour</source>
        <translation>结束导览</translation>
    </message>
    <message>
        <source>Restricted: not written on this computer. It is shown; nothing of it is run.</source>
        <translation>受限：此文件并非在本机写成。仅供查看，不会运行其中任何内容。</translation>
    </message>
    <message>
        <source>Trust…</source>
        <translation>信任…</translation>
    </message>
    <message>
        <source>Show all that would be run of this file, and decide</source>
        <translation>显示此文件会运行的一切，然后决定</translation>
    </message>
    <message>
        <source>Run the program?</source>
        <translation>运行程序？</translation>
    </message>
    <message>
        <source>Trust and run</source>
        <translation>信任并运行</translation>
    </message>
    <message>
        <source>Do not run</source>
        <translation>不运行</translation>
    </message>
    <message>
        <source>This session file was not written on this computer. All of this would be run:</source>
        <translation>此会话文件不是在这台计算机上写的。以下一切都会运行：</translation>
    </message>
    <message>
        <source>Only agree if you trust where the file and this program come from.</source>
        <translation>只有在您信任文件和此程序的来源时才同意。</translation>
    </message>
    <message>
        <source>All panes of this place</source>
        <translation>此处的所有面板</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>{about} (Ctrl+{number}; double click puts its panes back)</source>
        <translation>{about}（Ctrl+{number}；双击恢复其面板布局）</translation>
    </message>
    <message>
        <source>Remove dropout</source>
        <translation>删除 dropout</translation>
    </message>
    <message>
        <source>Takes out every dropout; its input takes its place. Attention is given a dropout of 0.</source>
        <translation>删除每个 dropout；由其输入代替。注意力的 dropout 设为 0。</translation>
    </message>
    <message>
        <source>relu → gelu</source>
        <translation>relu → gelu</translation>
    </message>
    <message>
        <source>Lets every relu call gelu. The function computed is another one.</source>
        <translation>让每个 relu 改为调用 gelu。所计算的函数因此不同。</translation>
    </message>
    <message>
        <source>Fold batch norm into convolution</source>
        <translation>把 batch norm 折叠进卷积</translation>
    </message>
    <message>
        <source>A batch norm in evaluation mode that alone uses a convolution is folded into its weight and bias, computed by nodes from the module&apos;s own parameters and statistics.</source>
        <translation>评估模式下独占一个卷积的 batch norm，折叠进卷积的权重和偏置；由节点根据模块自己的参数和统计量计算。</translation>
    </message>
    <message>
        <source>Attention → scaled_dot_product_attention</source>
        <translation>注意力 → scaled_dot_product_attention</translation>
    </message>
    <message>
        <source>softmax(q @ kᵀ · scale + mask) @ v, with or without dropout, becomes one call that picks the fastest kernel.</source>
        <translation>softmax(q @ kᵀ · scale + mask) @ v，含或不含 dropout，变为一次会选择最快内核的调用。</translation>
    </message>
    <message>
        <source>Run in bfloat16</source>
        <translation>以 bfloat16 运行</translation>
    </message>
    <message>
        <source>Casts what goes into the selected calls (all, where none is selected) to bfloat16 and what comes out back; what is written to in place stays as it is.</source>
        <translation>把进入选中调用（未选择时为全部）的内容转换为 bfloat16，再把结果转换回来；被原地写入的内容保持不变。</translation>
    </message>
    <message>
        <source>Remove dead code</source>
        <translation>删除无用代码</translation>
    </message>
    <message>
        <source>Takes out calls without side effects whose results nobody uses; random numbers are drawn as before. Inductor does so too; here one sees which.</source>
        <translation>删除结果无人使用且无副作用的调用；随机数照旧抽取。Inductor 也会这样做；在这里可以看到是哪些。</translation>
    </message>
    <message>
        <source>Make common subexpressions once</source>
        <translation>公共子表达式只算一次</translation>
    </message>
    <message>
        <source>Equal calls on equal arguments are made once; random numbers, what works in place and what is written to are left alone.</source>
        <translation>参数相同的相同调用只做一次；随机数、原地操作和之后被写入的结果保持不变。</translation>
    </message>
    <message>
        <source>Probe: print values</source>
        <translation>探针：打印数值</translation>
    </message>
    <message>
        <source>Puts a probe behind the selected calls (all, where none is selected): values and statistics come to the Output pane and the inspector. A probe is no part of any kernel, so fusions around it are lost.</source>
        <translation>在选中的调用（未选择时为全部）之后放置探针：数值和统计量显示在“输出”面板和检查器中。探针不属于任何内核，因此其周围的融合会消失。</translation>
    </message>
    <message>
        <source>Probe: histograms</source>
        <translation>探针：直方图</translation>
    </message>
    <message>
        <source>Probes behind the selected calls (all, where none is selected) that show how values are distributed, in the Output pane and the inspector. A probe is no part of any kernel, so fusions around it are lost.</source>
        <translation>在选中的调用（未选择时为全部）之后放置探针，在“输出”面板和检查器中显示数值的分布。探针不属于任何内核，因此其周围的融合会消失。</translation>
    </message>
    <message>
        <source>Probe: find NaN and Inf</source>
        <translation>探针：查找 NaN 和 Inf</translation>
    </message>
    <message>
        <source>Probes behind the selected calls (all, where none is selected) that tell the first node whose values are not finite.</source>
        <translation>在选中的调用（未选择时为全部）之后放置探针，指出第一个数值非有限的节点。</translation>
    </message>
    <message>
        <source>Remove every probe</source>
        <translation>删除所有探针</translation>
    </message>
    <message>
        <source>Takes all probes out again.</source>
        <translation>取出所有探针。</translation>
    </message>
    <message>
        <source>no operation in its graph</source>
        <translation>图中没有任何运算</translation>
    </message>
    <message>
        <source>Dynamo left it to Python; the log does not say why</source>
        <translation>Dynamo 把它留给了 Python;日志没有说明原因</translation>
    </message>
    <message>
        <source>{count:,} op</source>
        <translation>{count:,} 个运算</translation>
    </message>
    <message>
        <source>{count:,} ops</source>
        <translation>{count:,} 个运算</translation>
    </message>
    <message>
        <source>{count:,} graph</source>
        <translation>{count:,} 张图</translation>
    </message>
    <message>
        <source>{count:,} graphs</source>
        <translation>{count:,} 张图</translation>
    </message>
    <message>
        <source>{ops} in {graphs}</source>
        <translation>{graphs}，{ops}</translation>
    </message>
    <message>
        <source>captured with {front_end}</source>
        <translation>用 {front_end} 捕获</translation>
    </message>
    <message>
        <source>run eagerly</source>
        <translation>以 eager 方式运行</translation>
    </message>
    <message>
        <source>no graph was captured</source>
        <translation>没有捕获到图</translation>
    </message>
    <message>
        <source>Nothing was compiled; what went wrong is listed there</source>
        <translation>什么都没有编译；那里列出了出错之处</translation>
    </message>
    <message>
        <source>rank {rank} of {world}</source>
        <translation>{world} 个 rank 中的 rank {rank}</translation>
    </message>
    <message>
        <source>stage {stage} of {count}</source>
        <translation>{count} 个阶段中的阶段 {stage}</translation>
    </message>
    <message>
        <source>One process of many was captured; the others are listed there</source>
        <translation>只捕获了众多进程中的一个；其余的列在那里</translation>
    </message>
    <message>
        <source>{count:,} break</source>
        <translation>{count:,} 个图中断</translation>
    </message>
    <message>
        <source>{count:,} breaks</source>
        <translation>{count:,} 个图中断</translation>
    </message>
    <message>
        <source>{count:,} kernel</source>
        <translation>{count:,} 个内核</translation>
    </message>
    <message>
        <source>{count:,} kernels</source>
        <translation>{count:,} 个内核</translation>
    </message>
    <message>
        <source>{count:,} recompile</source>
        <translation>重新编译 {count:,} 次</translation>
    </message>
    <message>
        <source>{count:,} recompiles</source>
        <translation>重新编译 {count:,} 次</translation>
    </message>
    <message>
        <source>Operations of the graphs that Dynamo captured</source>
        <translation>Dynamo 捕获的图中的运算</translation>
    </message>
    <message>
        <source>Where Dynamo stopped, and why</source>
        <translation>Dynamo 在哪里、为何停下</translation>
    </message>
    <message>
        <source>Kernels that Inductor generated</source>
        <translation>Inductor 生成的内核</translation>
    </message>
    <message>
        <source>Why earlier code did not fit</source>
        <translation>之前的代码为何不适用</translation>
    </message>
    <message>
        <source>One step of the compiled program beside one of the eager program, measured interleaved on this machine</source>
        <translation>编译的程序一步与 eager 程序一步对照，在本机交替测量</translation>
    </message>
    <message>
        <source>{size} saved for backward</source>
        <translation>为反向保存 {size}</translation>
    </message>
    <message>
        <source>What the forward keeps for the backward</source>
        <translation>前向为反向保留的内容</translation>
    </message>
    <message>
        <source>Built under fake tensors: no parameter was allocated, nothing was run or measured</source>
        <translation>在 fake tensor 下构建：没有分配参数，没有运行或测量</translation>
    </message>
    <message>
        <source>for {gpu}</source>
        <translation>面向 {gpu}</translation>
    </message>
    <message>
        <source>That GPU is not asked: kernels are Inductor&apos;s own for it, nothing was run or measured</source>
        <translation>未使用该 GPU：内核由 Inductor 为其生成，未运行或测量任何内容</translation>
    </message>
    <message>
        <source>too few steps to compare with eager</source>
        <translation>步数太少，无法与 eager 比较</translation>
    </message>
    <message>
        <source>not told apart from eager ({low:.2f}–{high:.2f} times as long)</source>
        <translation>与 eager 无法区分（用时为 {low:.2f}–{high:.2f} 倍）</translation>
    </message>
    <message>
        <source>compiled {ratio:.2f}× faster ({low:.2f}–{high:.2f})</source>
        <translation>编译后快 {ratio:.2f} 倍（{low:.2f}–{high:.2f}）</translation>
    </message>
    <message>
        <source>compiled {ratio:.2f}× slower ({low:.2f}–{high:.2f})</source>
        <translation>编译后慢 {ratio:.2f} 倍（{low:.2f}–{high:.2f}）</translation>
    </message>
    <message>
        <source>other code was timed</source>
        <translation>计时的是其他代码</translation>
    </message>
    <message>
        <source>No captured graph ran in the steps that were timed: after the first call its guards do not hold any more or nothing calls it, and torch goes on in other code, of which the times are.</source>
        <translation>计时的各步没有运行任何捕获的图：首次调用之后，其守卫不再成立，或不再有调用，torch 转而运行其他代码，这些时间属于那些代码。</translation>
    </message>
    <message>
        <source>Torch names the guard that does not hold: {guards}</source>
        <translation>torch 指出不成立的守卫：{guards}</translation>
    </message>
    <message>
        <source>in kernels</source>
        <translation>在内核中</translation>
    </message>
    <message>
        <source>library calls {share:.0%}</source>
        <translation>库调用 {share:.0%}</translation>
    </message>
    <message>
        <source>their medians add up to {share:.0%}: in most steps some took far longer</source>
        <translation>其中位数之和为 {share:.0%}：在多数步中有内核耗时远超平常</translation>
    </message>
    <message>
        <source>in generated wrappers between kernels</source>
        <translation>在内核之间生成的 wrapper 中</translation>
    </message>
    <message>
        <source>in AOTAutograd&apos;s runtime around them</source>
        <translation>在外围的 AOTAutograd 运行时中</translation>
    </message>
    <message>
        <source>outside compiled graphs</source>
        <translation>在编译的图之外</translation>
    </message>
    <message>
        <source>with no kernel of a graph on the GPU</source>
        <translation>用于 GPU 上没有图的内核在运行时</translation>
    </message>
    <message>
        <source>outside the captured graphs</source>
        <translation>在捕获的图之外</translation>
    </message>
    <message>
        <source>with no kernel of a captured graph on the GPU</source>
        <translation>GPU 上没有捕获的图的内核</translation>
    </message>
    <message>
        <source>Of what was captured {graphs} did not run in these steps: after the first call its guards do not hold any more. Torch goes on in other code, whose kernels are in none of these rows.</source>
        <translation>捕获的内容中，{graphs} 在这些步中没有运行：第一次调用之后其守卫不再成立。Torch 转而运行其他代码，其内核不在这些行中。</translation>
    </message>
    <message>
        <source>guards about {share:.0%}</source>
        <translation>guard 约 {share:.0%}</translation>
    </message>
    <message>
        <source>{share:.0%} of the step is spent {where}</source>
        <translation>一步的 {share:.0%} {where}</translation>
    </message>
    <message>
        <source>{share:.0%} {where}</source>
        <translation>{share:.0%} {where}</translation>
    </message>
    <message>
        <source>branches on a tensor&apos;s value</source>
        <translation>根据张量的值分支</translation>
    </message>
    <message>
        <source>branches on a value that depends on a tensor</source>
        <translation>根据依赖张量的值分支</translation>
    </message>
    <message>
        <source>asserts on a tensor&apos;s value</source>
        <translation>对张量的值断言</translation>
    </message>
    <message>
        <source>the result is a Python value that depends on the data</source>
        <translation>结果是依赖数据的 Python 值</translation>
    </message>
    <message>
        <source>the size of the result depends on the data</source>
        <translation>结果的大小依赖数据</translation>
    </message>
    <message>
        <source>asks for a graph break</source>
        <translation>要求图中断</translation>
    </message>
    <message>
        <source>asks Dynamo to skip the function</source>
        <translation>要求 Dynamo 跳过此函数</translation>
    </message>
    <message>
        <source>takes a number out of a tensor</source>
        <translation>从张量中取出数字</translation>
    </message>
    <message>
        <source>takes numbers out of a tensor</source>
        <translation>从张量中取出多个数字</translation>
    </message>
    <message>
        <source>a generator can&apos;t be compiled by itself</source>
        <translation>生成器不能单独编译</translation>
    </message>
    <message>
        <source>raises an exception</source>
        <translation>抛出异常</translation>
    </message>
    <message>
        <source>enters a context manager that Dynamo does not know</source>
        <translation>进入 Dynamo 不认识的上下文管理器</translation>
    </message>
    <message>
        <source>runs backward inside the compiled function</source>
        <translation>在编译的函数内运行反向</translation>
    </message>
    <message>
        <source>logs a message</source>
        <translation>记录日志消息</translation>
    </message>
    <message>
        <source>compiled too often: from here on it runs eagerly</source>
        <translation>编译次数过多：从此以 eager 方式运行</translation>
    </message>
    <message>
        <source>in a loop</source>
        <translation>在循环中</translation>
    </message>
    <message>
        <source>reads a clock</source>
        <translation>读取时钟</translation>
    </message>
    <message>
        <source>calls an operator that does not say what shape its result has</source>
        <translation>调用的算子没有说明其结果的形状</translation>
    </message>
    <message>
        <source>calls torch.compiler.disable while it is compiled</source>
        <translation>在编译时调用 torch.compiler.disable</translation>
    </message>
    <message>
        <source>a generator goes over a function that Dynamo does not look into</source>
        <translation>生成器经过 Dynamo 不查看的函数</translation>
    </message>
    <message>
        <source>no variable of it holds a tensor</source>
        <translation>它的变量都不含张量</translation>
    </message>
    <message>
        <source>it has no tensor operation</source>
        <translation>它没有张量运算</translation>
    </message>
    <message>
        <source>it is on Dynamo&apos;s list of code never traced</source>
        <translation>它在 Dynamo 从不追踪的代码列表中</translation>
    </message>
    <message>
        <source>Dynamo can&apos;t trace {callee}()</source>
        <translation>Dynamo 无法追踪 {callee}()</translation>
    </message>
    <message>
        <source>Dynamo does not look into {callee}()</source>
        <translation>Dynamo 不查看 {callee}() 的内部</translation>
    </message>
    <message>
        <source>{callee}() is kept out by torch.compiler.disable</source>
        <translation>{callee}() 被 torch.compiler.disable 排除</translation>
    </message>
    <message>
        <source>Dynamo does not know how to call {callee}()</source>
        <translation>Dynamo 不知道怎样调用 {callee}()</translation>
    </message>
    <message>
        <source>Dynamo gave the whole function up: it runs eagerly. Functions it calls are compiled as frames of their own.</source>
        <translation>Dynamo 放弃了整个函数：它以 eager 方式运行。它所调用的函数各自作为帧编译。</translation>
    </message>
    <message>
        <source>The break is in a loop. Dynamo can&apos;t resume there, so it gave the whole function up: it runs eagerly.</source>
        <translation>图中断在循环中。Dynamo 无法在那里恢复，因此放弃了整个函数：它以 eager 方式运行。</translation>
    </message>
    <message>
        <source>Dynamo will not look into the function that is called; it runs eagerly.</source>
        <translation>Dynamo 不会查看被调用的函数；它以 eager 方式运行。</translation>
    </message>
    <message>
        <source>Compiled so often that torch stopped: whatever fits no earlier compile runs eagerly.</source>
        <translation>编译次数过多，torch 已停止：不适用之前任何编译的都以 eager 方式运行。</translation>
    </message>
    <message>
        <source>With fullgraph=True a break is an error: torch.compile raised here.</source>
        <translation>fullgraph=True 时图中断是错误：torch.compile 在这里抛出异常。</translation>
    </message>
    <message>
        <source>This is no graph break: torch._dynamo.export makes one graph or none, and raised here.</source>
        <translation>这不是图中断：torch._dynamo.export 只生成一个图，否则就在这里抛出异常。</translation>
    </message>
    <message>
        <source>This is no graph break: torch.compile raised an error here.</source>
        <translation>这不是图中断：torch.compile 在这里引发了错误。</translation>
    </message>
    <message>
        <source>No variable of this function holds a tensor, so Dynamo had nothing to compile in it.</source>
        <translation>此函数的变量都不含张量，因此 Dynamo 没有可编译的内容。</translation>
    </message>
    <message>
        <source>Dynamo traced this function and found no tensor operation in it.</source>
        <translation>Dynamo 追踪了此函数，没有发现张量运算。</translation>
    </message>
    <message>
        <source>Dynamo has this file or function on its list of code that it never traces.</source>
        <translation>此文件或函数在 Dynamo 从不追踪的代码列表中。</translation>
    </message>
    <message>
        <source>Dynamo never compiles __setattr__ by itself.</source>
        <translation>Dynamo 从不单独编译 __setattr__。</translation>
    </message>
    <message>
        <source>A torch dispatch mode was active; Dynamo compiles nothing under one.</source>
        <translation>有 torch dispatch mode 处于激活状态；Dynamo 在其下不编译任何东西。</translation>
    </message>
    <message>
        <source>torch.compiler.disable(recursive=False) keeps Dynamo out of this function.</source>
        <translation>torch.compiler.disable(recursive=False) 使 Dynamo 不进入此函数。</translation>
    </message>
    <message>
        <source>function runs eagerly: {words}</source>
        <translation>函数以 eager 方式运行：{words}</translation>
    </message>
    <message>
        <source>{words}; the whole function runs eagerly</source>
        <translation>{words}；整个函数以 eager 方式运行</translation>
    </message>
    <message>
        <source>{words}; the rest of the function runs eagerly</source>
        <translation>{words}；函数的其余部分以 eager 方式运行</translation>
    </message>
    <message>
        <source>The whole function was given up: it runs eagerly.</source>
        <translation>整个函数被放弃：它以 eager 方式运行。</translation>
    </message>
    <message>
        <source>Dynamo found no place to resume at: the rest of the function runs eagerly.</source>
        <translation>Dynamo 没有找到可恢复之处：函数的其余部分以 eager 方式运行。</translation>
    </message>
    <message>
        <source>Wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Not judged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <source>✓ edit is right</source>
        <translation>✓ 编辑正确</translation>
    </message>
    <message>
        <source>✗ edit is wrong</source>
        <translation>✗ 编辑错误</translation>
    </message>
    <message>
        <source>? edit is not judged</source>
        <translation>? 编辑未评判</translation>
    </message>
    <message>
        <source>✓ results are right</source>
        <translation>✓ 结果正确</translation>
    </message>
    <message>
        <source>✗ results are wrong</source>
        <translation>✗ 结果错误</translation>
    </message>
    <message>
        <source>? results are not judged</source>
        <translation>? 结果未评判</translation>
    </message>
    <message>
        <source>{words}, {speed}</source>
        <translation>{words}，{speed}</translation>
    </message>
    <message>
        <source>What was compared with float64 and with eager, how far off it is, and how long a step takes</source>
        <translation>与 float64 和 eager 比较了什么、偏差多大，以及一步用时多长</translation>
    </message>
    <message>
        <source>{ratio:.2f}× faster</source>
        <translation>快 {ratio:.2f} 倍</translation>
    </message>
    <message>
        <source>{ratio:.2f}× slower</source>
        <translation>慢 {ratio:.2f} 倍</translation>
    </message>
    <message>
        <source>nothing was compared with a reference</source>
        <translation>没有与参照比较</translation>
    </message>
    <message>
        <source>of the largest value of {tensor}: more than rounding explains, eager is nearer to float64</source>
        <translation>{tensor} 最大值的：超出舍入所能解释，eager 更接近 float64</translation>
    </message>
    <message>
        <source>{sentence}; eager is nearer to float64</source>
        <translation>{sentence}；eager 更接近 float64</translation>
    </message>
    <message>
        <source>{tensor} is 0 in float64: rounding, as in eager</source>
        <translation>{tensor} 在 float64 中为 0：属于舍入误差，与 eager 相同</translation>
    </message>
    <message>
        <source>After the edit {sentence}.</source>
        <translation>编辑之后：{sentence}。</translation>
    </message>
    <message>
        <source>the same as float64, to the last digit</source>
        <translation>与 float64 逐位相同</translation>
    </message>
    <message>
        <source>what the kernels before the edit write from the same inputs, bit for bit</source>
        <translation>与编辑前的内核在相同输入下写出的值逐位相同</translation>
    </message>
    <message>
        <source>{sentence}, unlike what the kernel before the edit writes</source>
        <translation>{sentence}，与编辑前的内核写出的值不同</translation>
    </message>
    <message>
        <source>of the largest value that the kernel before the edit writes to {tensor}, from the same inputs</source>
        <translation>（相对于编辑前的内核在相同输入下写入 {tensor} 的最大值）</translation>
    </message>
    <message>
        <source>of the largest value of {tensor}: rounding, as in eager</source>
        <translation>{tensor} 最大值的：舍入误差，与 eager 相同</translation>
    </message>
    <message>
        <source>The edit changes no result.</source>
        <translation>编辑没有改变任何结果。</translation>
    </message>
    <message>
        <source>The edit moves no result farther from eager than compiling does.</source>
        <translation>此编辑没有让任何结果比编译本身更远离 eager。</translation>
    </message>
    <message>
        <source>The code as it was before the edit gives wrong results.</source>
        <translation>编辑之前的代码给出的结果是错误的。</translation>
    </message>
    <message>
        <source>The edit moves results by up to {amount} ({tensor}).</source>
        <translation>编辑使结果最多改变 {amount}（{tensor}）。</translation>
    </message>
    <message>
        <source>Skipped frame</source>
        <translation>跳过的帧</translation>
    </message>
    <message>
        <source>Break in a loop</source>
        <translation>循环中的图中断</translation>
    </message>
    <message>
        <source>Inlining refused</source>
        <translation>拒绝内联</translation>
    </message>
    <message>
        <source>Recompile limit</source>
        <translation>重新编译上限</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Export error</source>
        <translation>导出错误</translation>
    </message>
    <message>
        <source>Failure</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>{first} and {second}: too few pairs to compare</source>
        <translation>{first} 与 {second}：成对的步太少，无法比较</translation>
    </message>
    <message>
        <source>{first} cannot be told apart from {second}: {why}</source>
        <translation>{first} 相对于 {second} 无法区分：{why}</translation>
    </message>
    <message>
        <source>{first} cannot be compared with {second}: {why}</source>
        <translation>{first} 相对于 {second} 无法比较：{why}</translation>
    </message>
    <message>
        <source>{first} is {ratio:.2f}× faster than {second} (95 %: {low:.2f}–{high:.2f}, {pairs} pairs)</source>
        <translation>{first} 比 {second} 快 {ratio:.2f} 倍（95 %：{low:.2f}–{high:.2f}，{pairs} 对）</translation>
    </message>
    <message>
        <source>{first} is {ratio:.2f}× slower than {second} (95 %: {low:.2f}–{high:.2f}, {pairs} pairs)</source>
        <translation>{first} 比 {second} 慢 {ratio:.2f} 倍（95 %：{low:.2f}–{high:.2f}，{pairs} 对）</translation>
    </message>
    <message>
        <source>{low:.2f} to {high:.2f} times as long (95 % of {pairs} pairs) on a machine that is busy (other processes used {others:.1f} cores)</source>
        <translation>用时为 {low:.2f} 至 {high:.2f} 倍（{pairs} 对中的 95 %），但机器繁忙（其他进程占用 {others:.1f} 个核）</translation>
    </message>
    <message>
        <source>steps of the same turn say {ratio:.2f} times as long, the medians {medians:.2f} times: the machine changed its speed meanwhile</source>
        <translation>同一轮的步显示用时为 {ratio:.2f} 倍，中位数显示为 {medians:.2f} 倍：其间机器的速度有变化</translation>
    </message>
    <message>
        <source>{low:.2f} to {high:.2f} times as long (95 % of {pairs} pairs) is within the noise</source>
        <translation>用时为 {low:.2f} 至 {high:.2f} 倍（{pairs} 对的 95 %），在噪声之内</translation>
    </message>
    <message>
        <source>{low:.3f} to {high:.3f} times as long (95 % of {pairs} pairs) is no more than two copies of one program differ by where they lie in memory</source>
        <translation>用时为 {low:.3f} 至 {high:.3f} 倍（{pairs} 对的 95 %），不超过同一程序的两份副本因在内存中位置不同而产生的差别</translation>
    </message>
    <message>
        <source>Extern kernels: library calls such as matrix products</source>
        <translation>外部内核：库调用，例如矩阵乘法</translation>
    </message>
    <message>
        <source>Generated wrappers less their kernels: allocating, checking inputs, calling</source>
        <translation>生成的 wrapper 减去内核：分配、检查输入、调用</translation>
    </message>
    <message>
        <source>Compiled graphs less their wrappers: AOTAutograd&apos;s runtime around the forward</source>
        <translation>编译的图减去 wrapper：前向外围的 AOTAutograd 运行时</translation>
    </message>
    <message>
        <source>The rest: guards, Dynamo&apos;s bytecode, code at graph breaks, the autograd engine</source>
        <translation>其余：guard、Dynamo 的字节码、图中断处的代码、autograd 引擎</translation>
    </message>
    <message>
        <source>The rest: wrappers, launching kernels, guards, Dynamo&apos;s bytecode, code at graph breaks, the autograd engine</source>
        <translation>其余：包装器、启动内核、守卫、Dynamo 的字节码、图中断处的代码、自动求导引擎</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Matrix products of sizes that are not aligned</source>
        <translation>尺寸未对齐的矩阵乘法</translation>
    </message>
    <message>
        <source>Winner of max-autotune</source>
        <translation>max-autotune 的胜出者</translation>
    </message>
    <message>
        <source>Configuration of a kernel</source>
        <translation>内核的配置</translation>
    </message>
    <message>
        <source>Fusions that torch would time</source>
        <translation>torch 会计时的融合</translation>
    </message>
    <message>
        <source>as torch prefers on this GPU</source>
        <translation>按 torch 在此 GPU 上的偏好</translation>
    </message>
    <message>
        <source>flash attention</source>
        <translation>flash attention</translation>
    </message>
    <message>
        <source>memory-efficient</source>
        <translation>内存高效</translation>
    </message>
    <message>
        <source>written out (math)</source>
        <translation>展开写出（math）</translation>
    </message>
    <message>
        <source>each as measured of similar ones on an H100; for other GPUs not padded</source>
        <translation>各按在 H100 上测得的相似情形；其他 GPU 不填充</translation>
    </message>
    <message>
        <source>not padded</source>
        <translation>不填充</translation>
    </message>
    <message>
        <source>padded to aligned sizes</source>
        <translation>填充到对齐的尺寸</translation>
    </message>
    <message>
        <source>the first Triton template</source>
        <translation>第一个 Triton 模板</translation>
    </message>
    <message>
        <source>the library&apos;s (cuBLAS, cuDNN)</source>
        <translation>库的（cuBLAS、cuDNN）</translation>
    </message>
    <message>
        <source>Looking at {name}</source>
        <translation>正在查看 {name}</translation>
    </message>
    <message>
        <source>Looking for operations that fit {node}</source>
        <translation>正在查找适合 {node} 的运算</translation>
    </message>
    <message>
        <source>Looking up what {node} takes</source>
        <translation>正在查询 {node} 的参数</translation>
    </message>
    <message>
        <source>Looking at what {compile} is called with</source>
        <translation>正在查看 {compile} 的调用参数</translation>
    </message>
    <message>
        <source>Timing the guards of {compile}</source>
        <translation>正在为 {compile} 的 guard 计时</translation>
    </message>
    <message>
        <source>Trying a change of {name} on a copy</source>
        <translation>正在副本上尝试 {name} 的修改</translation>
    </message>
    <message>
        <source>Capturing with {way}</source>
        <translation>正在用 {way} 捕获</translation>
    </message>
    <message>
        <source>Running {way} of {name}</source>
        <translation>正在运行 {name} 的 {way}</translation>
    </message>
    <message>
        <source>Trying backend {name}</source>
        <translation>正在尝试后端 {name}</translation>
    </message>
    <message>
        <source>Checking the edits</source>
        <translation>正在检查编辑</translation>
    </message>
    <message>
        <source>Compiling the edits</source>
        <translation>正在编译编辑</translation>
    </message>
    <message>
        <source>Trying Inductor&apos;s knobs for this kernel</source>
        <translation>正在尝试 Inductor 对此内核的参数</translation>
    </message>
    <message>
        <source>Looking for matches of the pattern</source>
        <translation>正在查找模式的匹配</translation>
    </message>
    <message>
        <source>Reading the edited graphs</source>
        <translation>正在读取编辑后的图</translation>
    </message>
    <message>
        <source>Asking the partitioner</source>
        <translation>正在询问分割器</translation>
    </message>
    <message>
        <source>Compiling and timing partitions</source>
        <translation>正在编译分割并计时</translation>
    </message>
    <message>
        <source>Checking guards</source>
        <translation>正在检查 guard</translation>
    </message>
    <message>
        <source>Timing what runs outside compiled graphs</source>
        <translation>正在为编译的图之外的运行计时</translation>
    </message>
    <message>
        <source>Calling it again with the same arguments</source>
        <translation>正在以相同的参数再次调用</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>正在计时</translation>
    </message>
    <message>
        <source>Timing two states interleaved</source>
        <translation>正在交替为两个状态计时</translation>
    </message>
    <message>
        <source>Measuring ways to call torch.compile</source>
        <translation>正在测量调用 torch.compile 的各种方式</translation>
    </message>
    <message>
        <source>Calling with other sizes</source>
        <translation>正在用其他大小调用</translation>
    </message>
    <message>
        <source>Tracing the dispatcher</source>
        <translation>正在追踪分派器</translation>
    </message>
    <message>
        <source>Listing the instructions of a kernel</source>
        <translation>正在列出内核的指令</translation>
    </message>
    <message>
        <source>Looking at the values of a step</source>
        <translation>正在查看一步中的数值</translation>
    </message>
    <message>
        <source>Making the program smaller</source>
        <translation>正在缩小程序</translation>
    </message>
    <message>
        <source>Looking for what fails</source>
        <translation>正在查找失败之处</translation>
    </message>
    <message>
        <source>Looking for the cause</source>
        <translation>正在查找原因</translation>
    </message>
    <message>
        <source>Looking for what is slow</source>
        <translation>正在查找慢的原因</translation>
    </message>
    <message>
        <source>Looking for what it costs</source>
        <translation>正在查找代价</translation>
    </message>
    <message>
        <source>Lowering a kernel</source>
        <translation>正在降级内核</translation>
    </message>
    <message>
        <source>Interpreting kernels</source>
        <translation>正在解释执行内核</translation>
    </message>
    <message>
        <source>Trying whether GPUs can be compiled for</source>
        <translation>正在尝试能否为 GPU 编译</translation>
    </message>
    <message>
        <source>Reading torch.compile&apos;s options</source>
        <translation>正在读取 torch.compile 的选项</translation>
    </message>
    <message>
        <source>Measuring what this machine reaches</source>
        <translation>正在测量本机的上限</translation>
    </message>
    <message>
        <source>Looking at this computer</source>
        <translation>正在查看这台计算机</translation>
    </message>
    <message>
        <source>Listing torch&apos;s operators</source>
        <translation>正在列出 torch 的算子</translation>
    </message>
    <message>
        <source>Looking at the dispatch keys of tensors</source>
        <translation>正在查看张量的分派键</translation>
    </message>
    <message>
        <source>Reading a dispatch table</source>
        <translation>正在读取分派表</translation>
    </message>
    <message>
        <source>Taking an operator apart</source>
        <translation>正在拆开算子</translation>
    </message>
    <message>
        <source>Running a lesson</source>
        <translation>正在运行课程</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Rewritten bytecode</source>
        <translation>改写后的字节码</translation>
    </message>
    <message>
        <source>Dynamo graph</source>
        <translation>Dynamo 图</translation>
    </message>
    <message>
        <source>Graph after pre-grad passes</source>
        <translation>pre-grad pass 之后的图</translation>
    </message>
    <message>
        <source>Joint graph</source>
        <translation>联合图</translation>
    </message>
    <message>
        <source>Runtime wrappers</source>
        <translation>运行时 wrapper</translation>
    </message>
    <message>
        <source>Forward graph</source>
        <translation>前向图</translation>
    </message>
    <message>
        <source>Forward graph after post-grad passes</source>
        <translation>post-grad pass 之后的前向图</translation>
    </message>
    <message>
        <source>Forward loop IR</source>
        <translation>前向循环 IR</translation>
    </message>
    <message>
        <source>Forward loop IR, fused</source>
        <translation>前向循环 IR（融合后）</translation>
    </message>
    <message>
        <source>Forward kernels</source>
        <translation>前向内核</translation>
    </message>
    <message>
        <source>Forward wrapper</source>
        <translation>前向 wrapper</translation>
    </message>
    <message>
        <source>Backward graph</source>
        <translation>反向图</translation>
    </message>
    <message>
        <source>Backward graph after post-grad passes</source>
        <translation>post-grad pass 之后的反向图</translation>
    </message>
    <message>
        <source>Backward loop IR</source>
        <translation>反向循环 IR</translation>
    </message>
    <message>
        <source>Backward loop IR, fused</source>
        <translation>反向循环 IR（融合后）</translation>
    </message>
    <message>
        <source>Backward kernels</source>
        <translation>反向内核</translation>
    </message>
    <message>
        <source>Backward wrapper</source>
        <translation>反向 wrapper</translation>
    </message>
    <message>
        <source>Inference graph</source>
        <translation>推理图</translation>
    </message>
    <message>
        <source>Inference graph after post-grad passes</source>
        <translation>post-grad pass 之后的推理图</translation>
    </message>
    <message>
        <source>Inference loop IR</source>
        <translation>推理循环 IR</translation>
    </message>
    <message>
        <source>Inference loop IR, fused</source>
        <translation>推理循环 IR（融合后）</translation>
    </message>
    <message>
        <source>Inference kernels</source>
        <translation>推理内核</translation>
    </message>
    <message>
        <source>Inference wrapper</source>
        <translation>推理 wrapper</translation>
    </message>
    <message>
        <source>Loop IR</source>
        <translation>循环 IR</translation>
    </message>
    <message>
        <source>Loop IR, fused</source>
        <translation>循环 IR（融合后）</translation>
    </message>
    <message>
        <source>Wrapper</source>
        <translation>Wrapper</translation>
    </message>
    <message>
        <source>{what} of {name}</source>
        <translation>{what} · {name}</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>第 {number} 次，共 {count} 次</translation>
    </message>
    <message>
        <source>Repetitions {first}–{last} of {count}, each of {lines} lines: equal to the first but for names and the numbers of random seeds.
Click to unfold</source>
        <translation>共 {count} 次重复中的第 {first}–{last} 次，每次 {lines} 行：除名称和随机种子的编号外与第一次相同。
单击展开</translation>
    </message>
    <message>
        <source>{first}: only names or seeds differ · lines {from_line}–{to_line}</source>
        <translation>{first}：仅名称或种子不同 · 第 {from_line}–{to_line} 行</translation>
    </message>
    <message>
        <source>{first}–{last}: only names or seeds differ · lines {from_line}–{to_line}</source>
        <translation>{first}–{last}：仅名称或种子不同 · 第 {from_line}–{to_line} 行</translation>
    </message>
    <message>
        <source>in {numbers}</source>
        <translation>位于 {numbers}</translation>
    </message>
    <message>
        <source>The first of {count} repetitions: click to fold the others</source>
        <translation>{count} 次重复中的第一次：单击折叠其余各次</translation>
    </message>
    <message>
        <source>Repetition {number} of {count}: click to fold it</source>
        <translation>第 {number} 次重复，共 {count} 次：单击折叠</translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation>没有文件 {path}。</translation>
    </message>
    <message>
        <source>{name}, line {line}: {error}. Correct it first: nothing of the file can be captured.</source>
        <translation>{name} 第 {line} 行：{error}。请先改正：该文件中的任何内容都无法捕获。</translation>
    </message>
    <message>
        <source>{name} cannot be read: {error}.</source>
        <translation>无法读取 {name}：{error}。</translation>
    </message>
    <message>
        <source>{name} defines no nn.Module and no function at its top. Type the name of what it makes otherwise.</source>
        <translation>{name} 的顶层没有定义 nn.Module 或函数。请输入它以其他方式创建的对象的名称。</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>parts failed</source>
        <translation>部分失败</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>too long</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>too much memory</source>
        <translation>内存过多</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>Batch {name}</source>
        <translation>批次 {name}</translation>
    </message>
    <message>
        <source>Filter jobs</source>
        <translation>筛选作业</translation>
    </message>
    <message numerus="yes">
        <source>%n job(s)</source>
        <translation>
            <numerusform>%n 个作业</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} failed</source>
        <translation>{count} 个失败</translation>
    </message>
    <message>
        <source>{count} not done yet</source>
        <translation>{count} 个尚未完成</translation>
    </message>
    <message>
        <source>not done yet</source>
        <translation>尚未完成</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>随时间变化</translation>
    </message>
    <message>
        <source>Every kernel of every iteration, and curves of those that are selected</source>
        <translation>每次迭代的每个内核，以及选中内核的曲线</translation>
    </message>
    <message>
        <source>Edits not saved</source>
        <translation>未保存的编辑</translation>
    </message>
    <message numerus="yes">
        <source>Recover %n edit(s) of {name}</source>
        <translation>
            <numerusform>恢复 {name} 的 %n 个编辑</numerusform>
        </translation>
    </message>
    <message>
        <source>Open {path}, and make them again</source>
        <translation>打开 {path} 并重新进行这些编辑</translation>
    </message>
    <message>
        <source>Capture it as it was then, and make them again</source>
        <translation>按当时的方式捕获，并重新进行这些编辑</translation>
    </message>
    <message>
        <source>Give these edits up</source>
        <translation>放弃这些编辑</translation>
    </message>
    <message numerus="yes">
        <source>%n process(es) of the program load torch and are not recorded:</source>
        <translation>
            <numerusform>程序有 %n 个进程加载了 torch 却没有被记录：</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… 以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>python -I, -E and -S leave out what records them, and so does a program that sets PYTHONPATH anew: add to it, as in PYTHONPATH=.:$PYTHONPATH.</source>
        <translation>python -I、-E 和 -S 会略去记录它们的部分，重新设置 PYTHONPATH 的程序也一样：请在其中追加，例如 PYTHONPATH=.:$PYTHONPATH。</translation>
    </message>
    <message>
        <source>Edit {count} nodes as text</source>
        <translation>以文本编辑 {count} 个节点</translation>
    </message>
    <message>
        <source>Edit {count} node as text</source>
        <translation>以文本编辑 {count} 个节点</translation>
    </message>
    <message>
        <source>Edit the source of {kernel}</source>
        <translation>编辑 {kernel} 的源代码</translation>
    </message>
    <message>
        <source>Let {node} use {other}</source>
        <translation>让 {node} 使用 {other}</translation>
    </message>
    <message>
        <source>Edit the wrapper</source>
        <translation>编辑包装代码</translation>
    </message>
    <message>
        <source>Edit the generated Python</source>
        <translation>编辑生成的 Python</translation>
    </message>
    <message>
        <source>Edit the IR</source>
        <translation>编辑 IR</translation>
    </message>
    <message>
        <source>{node}: call {target}</source>
        <translation>{node}：调用 {target}</translation>
    </message>
    <message>
        <source>{node}: arguments ({arguments})</source>
        <translation>{node}：参数 ({arguments})</translation>
    </message>
    <message>
        <source>Remove {count} nodes</source>
        <translation>移除 {count} 个节点</translation>
    </message>
    <message>
        <source>Remove {node}, {replacement} takes its place</source>
        <translation>移除 {node}，由 {replacement} 代替</translation>
    </message>
    <message>
        <source>Remove {node}</source>
        <translation>移除 {node}</translation>
    </message>
    <message>
        <source>Insert {node}: {target}</source>
        <translation>插入 {node}：{target}</translation>
    </message>
    <message>
        <source>Replace {count} of the nodes that call {name} by {other}</source>
        <translation>将调用 {name} 的 {count} 个节点替换为 {other}</translation>
    </message>
    <message>
        <source>Replace every {name} by {other}</source>
        <translation>将所有 {name} 替换为 {other}</translation>
    </message>
    <message>
        <source>Set {node} to {value}</source>
        <translation>将 {node} 设为 {value}</translation>
    </message>
    <message>
        <source>Leave it to Inductor whether {node} and {other} are fused</source>
        <translation>由 Inductor 决定是否融合 {node} 与 {other}</translation>
    </message>
    <message>
        <source>Leave the fusion of {nodes} to Inductor</source>
        <translation>由 Inductor 决定 {nodes} 的融合</translation>
    </message>
    <message>
        <source>Leave it to torch whether {node} is saved</source>
        <translation>由 torch 决定是否保存 {node}</translation>
    </message>
    <message>
        <source>Do not fuse {node} and {other}</source>
        <translation>不融合 {node} 与 {other}</translation>
    </message>
    <message>
        <source>Keep {nodes} apart</source>
        <translation>使 {nodes} 保持分开</translation>
    </message>
    <message>
        <source>Fuse {nodes}</source>
        <translation>融合 {nodes}</translation>
    </message>
    <message>
        <source>Save {count} tensors</source>
        <translation>保存 {count} 个张量</translation>
    </message>
    <message>
        <source>Recompute {count} tensors</source>
        <translation>重新计算 {count} 个张量</translation>
    </message>
    <message>
        <source>Leave to torch {count} tensors</source>
        <translation>由 torch 决定 {count} 个张量</translation>
    </message>
    <message>
        <source>Save {node}</source>
        <translation>保存 {node}</translation>
    </message>
    <message>
        <source>Recompute {node}</source>
        <translation>重新计算 {node}</translation>
    </message>
    <message>
        <source>Memory budget as torch is set</source>
        <translation>内存预算按 torch 的设置</translation>
    </message>
    <message>
        <source>Memory budget {budget}</source>
        <translation>内存预算 {budget}</translation>
    </message>
    <message>
        <source>Run {nodes} in this order</source>
        <translation>按此顺序运行 {nodes}</translation>
    </message>
    <message>
        <source>Move {nodes} ({count} nodes)</source>
        <translation>移动 {nodes}（{count} 个节点）</translation>
    </message>
    <message>
        <source>{changed} of {count} nodes</source>
        <translation>{count} 个节点的 {changed}</translation>
    </message>
    <message>
        <source>{knob} of {node} as Inductor is set</source>
        <translation>{node} 的 {knob} 按 Inductor 的设置</translation>
    </message>
    <message>
        <source>{knob} of {node}: {value}</source>
        <translation>{node} 的 {knob}：{value}</translation>
    </message>
    <message>
        <source>Set {name}</source>
        <translation>设置 {name}</translation>
    </message>
    <message>
        <source>Raise the recompile limit</source>
        <translation>提高重新编译的上限</translation>
    </message>
    <message>
        <source>Compile with dynamic shapes</source>
        <translation>以动态形状编译</translation>
    </message>
    <message>
        <source>Let the called function break by itself</source>
        <translation>让被调用的函数自己中断</translation>
    </message>
    <message>
        <source>Let {name} run after the graph</source>
        <translation>让 {name} 在图之后运行</translation>
    </message>
    <message>
        <source>Leave {name} out</source>
        <translation>略去 {name}</translation>
    </message>
    <message>
        <source>Move the call to the end of {function}</source>
        <translation>把该调用移到 {function} 的末尾</translation>
    </message>
    <message>
        <source>Move {name} to the end of {function}</source>
        <translation>把 {name} 移到 {function} 的末尾</translation>
    </message>
    <message>
        <source>Call {name} only in eager mode</source>
        <translation>只在 eager 模式下调用 {name}</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>删除 {name}</translation>
    </message>
    <message>
        <source>Choose with torch.where</source>
        <translation>用 torch.where 选择</translation>
    </message>
    <message>
        <source>Choose with torch.cond</source>
        <translation>用 torch.cond 选择</translation>
    </message>
    <message>
        <source>Choose with torch.switch</source>
        <translation>用 torch.switch 选择</translation>
    </message>
    <message>
        <source>Go on with the tensor instead of a number</source>
        <translation>继续使用张量而不是数字</translation>
    </message>
    <message>
        <source>Take torch.compiler.disable off {name}</source>
        <translation>去掉 {name} 上的 torch.compiler.disable</translation>
    </message>
    <message>
        <source>Put {name} into the graph unseen</source>
        <translation>把 {name} 不经查看地放入图中</translation>
    </message>
    <message>
        <source>Run {name} eagerly as a whole</source>
        <translation>整个 {name} 以 eager 方式运行</translation>
    </message>
    <message>
        <source>Trace {name} without Dynamo</source>
        <translation>不经 Dynamo 跟踪 {name}</translation>
    </message>
    <message>
        <source>{count} line of {file} edited</source>
        <translation>编辑了 {file} 的 {count} 行</translation>
    </message>
    <message>
        <source>{count} lines of {file} edited</source>
        <translation>编辑了 {file} 的 {count} 行</translation>
    </message>
    <message>
        <source>Make dimension {dimension} of {name} dynamic</source>
        <translation>让 {name} 的第 {dimension} 维成为动态</translation>
    </message>
    <message>
        <source>Dynamo takes .item() into the graph and goes on with a symbolic number.</source>
        <translation>Dynamo 把 .item() 放入图中，并以符号数继续。</translation>
    </message>
    <message>
        <source>Operators whose result&apos;s size depends on data (nonzero, unique, boolean masks) go into the graph.</source>
        <translation>结果大小取决于数据的算子（nonzero、unique、布尔掩码）进入图中。</translation>
    </message>
    <message>
        <source>Dynamo traces through recurrent layers.</source>
        <translation>Dynamo 跟踪进入循环层。</translation>
    </message>
    <message>
        <source>Dynamo traces NumPy calls as tensor operations.</source>
        <translation>Dynamo 把 NumPy 调用作为张量运算来跟踪。</translation>
    </message>
    <message>
        <source>torch.autograd.grad and Tensor.backward go into the graph.</source>
        <translation>torch.autograd.grad 和 Tensor.backward 进入图中。</translation>
    </message>
    <message>
        <source>Torch names this setting.</source>
        <translation>torch 指出了这个设置。</translation>
    </message>
    <message>
        <source>Dynamo compiles the frame up to 64 times before it gives up.</source>
        <translation>Dynamo 最多编译该帧 64 次才放弃。</translation>
    </message>
    <message>
        <source>Sizes become symbols at the first compile, so that other sizes need no compile of their own.</source>
        <translation>大小在第一次编译时就成为符号，这样其他大小无需各自编译。</translation>
    </message>
    <message>
        <source>With nested graph breaks Dynamo cuts the graph inside the function that was called, instead of leaving the whole call to eager mode.</source>
        <translation>启用嵌套图中断后，Dynamo 在被调用的函数内部切开图，而不是把整个调用留给 eager 模式。</translation>
    </message>
    <message>
        <source>Dynamo remembers what {name} was called with and calls it at the end of the graph.</source>
        <translation>Dynamo 记住 {name} 的调用参数，并在图的末尾调用它。</translation>
    </message>
    <message>
        <source>Dynamo ignores calls of this method while it compiles; compiled code does not log.</source>
        <translation>Dynamo 在编译时忽略对该方法的调用；编译后的代码不写日志。</translation>
    </message>
    <message>
        <source>The graph is whole before it is called.</source>
        <translation>调用它之前，图是完整的。</translation>
    </message>
    <message>
        <source>if not torch.compiler.is_compiling(): compiled code leaves it out.</source>
        <translation>if not torch.compiler.is_compiling()：编译后的代码略去它。</translation>
    </message>
    <message>
        <source>The call is taken out.</source>
        <translation>去掉这个调用。</translation>
    </message>
    <message>
        <source>Both sides are computed and the condition picks, so that no Python if depends on a tensor&apos;s value.</source>
        <translation>两边都计算，由条件选取，这样就没有 Python 的 if 取决于张量的值。</translation>
    </message>
    <message>
        <source>Both sides go into the graph as subgraphs, and only one runs.</source>
        <translation>两边作为子图进入图中，只有一边运行。</translation>
    </message>
    <message>
        <source>All cases go into the graph as subgraphs, and only the one that a tensor&apos;s value names runs. torch calls it a prototype; it is torch._higher_order_ops.switch.</source>
        <translation>所有分支作为子图进入图中，只有张量的值指出的那个运行。torch 称之为原型；它是 torch._higher_order_ops.switch。</translation>
    </message>
    <message>
        <source>.item() and float() are taken out; a tensor of no dimensions works in arithmetic like a number, and detached it is no part of a gradient either.</source>
        <translation>去掉 .item() 和 float()；零维张量在算术中与数字一样可用，分离（detach）后也不参与梯度。</translation>
    </message>
    <message>
        <source>Dynamo then traces into it.</source>
        <translation>此后 Dynamo 会跟踪进入其中。</translation>
    </message>
    <message>
        <source>The call becomes one node; Dynamo does not look into it, AOTAutograd does.</source>
        <translation>该调用成为一个节点；Dynamo 不查看其内部，AOTAutograd 会查看。</translation>
    </message>
    <message>
        <source>torch.compiler.disable on it: one break around the call, nothing compiled inside it.</source>
        <translation>对它使用 torch.compiler.disable：调用处只有一次中断，其内部什么也不编译。</translation>
    </message>
    <message>
        <source>{module}.nonstrict_trace: the call is one node of Dynamo&apos;s graph, which does not look into it; AOTAutograd runs it once and compiles the operations it sees.</source>
        <translation>{module}.nonstrict_trace：该调用是 Dynamo 图中的一个节点，Dynamo 不查看其内部；AOTAutograd 运行它一次，并编译所见的运算。</translation>
    </message>
    <message>
        <source>As typed in the source pane.</source>
        <translation>如在源代码窗格中所输入。</translation>
    </message>
    <message>
        <source>The size becomes a symbol at the first compile. Where the program needs a fixed size, torch says so.</source>
        <translation>该大小在第一次编译时成为符号。如果程序需要固定大小，torch 会说明。</translation>
    </message>
    <message>
        <source>Each compile takes its time, and each call checks the guards of all of them.</source>
        <translation>每次编译都要花时间，每次调用都要检查所有编译结果的守卫。</translation>
    </message>
    <message>
        <source>Helps where sizes differ from call to call; kernels for symbolic sizes may be slower.</source>
        <translation>在各次调用大小不同时有用；符号大小的内核可能更慢。</translation>
    </message>
    <message>
        <source>It prints the values at that moment, and only tensors, constants and formatted strings.</source>
        <translation>它打印那一刻的值，而且只能是张量、常量和格式化字符串。</translation>
    </message>
    <message>
        <source>Nothing is logged in compiled code.</source>
        <translation>编译后的代码不写任何日志。</translation>
    </message>
    <message>
        <source>Only if what follows does not need what it does.</source>
        <translation>仅当后面的代码不需要它所做的事时。</translation>
    </message>
    <message>
        <source>Compiled code does not do what the call does.</source>
        <translation>编译后的代码不做该调用所做的事。</translation>
    </message>
    <message>
        <source>Only if nobody needs it.</source>
        <translation>仅当无人需要它时。</translation>
    </message>
    <message>
        <source>Both sides always run: mind their cost, and NaN in the one that is not chosen (in gradients too).</source>
        <translation>两边总是都运行：请注意其开销，以及未选中一边的 NaN（梯度中也是）。</translation>
    </message>
    <message>
        <source>The sides must give the same shape and dtype, and may change nothing outside them.</source>
        <translation>两边必须给出相同的形状和 dtype，并且不得改变外部的任何东西。</translation>
    </message>
    <message>
        <source>The cases must give the same shape and dtype, and may change nothing outside them.</source>
        <translation>各分支必须给出相同的形状和 dtype，并且不得改变外部的任何东西。</translation>
    </message>
    <message>
        <source>An index that is out of range is clamped: it is no error, and negative ones do not count from the end.</source>
        <translation>超出范围的索引会被截到范围内：不会报错，负索引也不从末尾数起。</translation>
    </message>
    <message>
        <source>Not where Python really needs a number: an if, a range, an index.</source>
        <translation>不适用于 Python 确实需要数字之处：if、range、索引。</translation>
    </message>
    <message>
        <source>Somebody put it there: see whether what it holds can be compiled now.</source>
        <translation>这是有人特意加上的：请看它所包含的代码现在能否编译。</translation>
    </message>
    <message>
        <source>Only for functions of tensors without side effects, whose Python does not depend on values.</source>
        <translation>仅用于没有副作用、其 Python 代码不取决于值的张量函数。</translation>
    </message>
    <message>
        <source>The break stays; it is tidier where the function breaks several times.</source>
        <translation>中断仍在；在函数多次中断时更整洁。</translation>
    </message>
    <message>
        <source>Its Python runs while it is compiled only: what it prints, draws or keeps is not done again, and a tensor that it does not get as an argument is a constant.</source>
        <translation>它的 Python 代码只在编译时运行：打印、抽取随机数或保存的内容不会再次进行，未作为参数得到的张量是常量。</translation>
    </message>
    <message>
        <source>Kernels for symbolic sizes may be slower.</source>
        <translation>符号大小的内核可能更慢。</translation>
    </message>
</context>
</TS>
