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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select other nodes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy nodes of a graph first (Ctrl+C).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was edited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not equal to {name}, and left as they are: {left_out}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit these by themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Copy the selected nodes and remove them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the selected nodes as JSON text, to be pasted into this graph or another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste…</source>
        <translation>粘贴…</translation>
    </message>
    <message>
        <source>Put copied nodes into the graph in front</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pattern from the selection</source>
        <translation>由选择生成模式</translation>
    </message>
    <message>
        <source>Look for every place like the selected calls, by torch&apos;s own matcher, and replace them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select every node like this</source>
        <translation>选择所有同类节点</translation>
    </message>
    <message>
        <source>Nodes that call the same with the same constants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select every call of this operation</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply the last edits to all equal layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was last edited in one layer of the graph in front, edited in every layer that was equal to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>比较…</translation>
    </message>
    <message>
        <source>Lay the stage in front beside any other stage, pass, capture or file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with the pass before</source>
        <translation>与前一个 pass 比较</translation>
    </message>
    <message>
        <source>What the pass on show did to the graph; without one, what all passes did</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with the capture before</source>
        <translation>与前一次捕获比较</translation>
    </message>
    <message>
        <source>The stage in front beside the same one of the capture before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select another node.</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace every node like this…</source>
        <translation>替换所有同类节点…</translation>
    </message>
    <message>
        <source>Let every node that calls the same call another operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert op on edge…</source>
        <translation>在边上插入运算…</translation>
    </message>
    <message>
        <source>Put an operation behind the selected node; select a node and its user for one edge only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert op before…</source>
        <translation>在前面插入运算…</translation>
    </message>
    <message>
        <source>Put an operation on an input of the selected node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arguments…</source>
        <translation>参数…</translation>
    </message>
    <message>
        <source>Change the arguments of the selected node, or of several that call the same, in a form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set to a constant…</source>
        <translation>设为常量…</translation>
    </message>
    <message>
        <source>Let the selected node give a constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use another input…</source>
        <translation>改用其他输入…</translation>
    </message>
    <message>
        <source>Let the selected node use another node; on the canvas, drag the end of an arrow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate node…</source>
        <translation>复制节点…</translation>
    </message>
    <message>
        <source>Make a second node like the selected one and choose who uses it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Remove the selected nodes; what they use takes their place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit as text</source>
        <translation>以文本编辑</translation>
    </message>
    <message>
        <source>Change the program of the graph, the wrapper or the text in front; what is typed becomes edits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open line in editor</source>
        <translation>在编辑器中打开该行</translation>
    </message>
    <message>
        <source>Open the selected line, or the line that the selection was made on, in your own editor</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompile by itself</source>
        <translation>自动重新编译</translation>
    </message>
    <message>
        <source>Compile a moment after the last edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Editor command…</source>
        <translation>编辑器命令…</translation>
    </message>
    <message>
        <source>Set how lines are opened in your own editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop what the engine is doing; nothing is lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart engine</source>
        <translation>重启引擎</translation>
    </message>
    <message>
        <source>End the worker and start another; captures and edits are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find what makes it wrong</source>
        <translation>查找结果错误的原因</translation>
    </message>
    <message>
        <source>Take parts of the pipeline out, one after the other, until what makes compiled results wrong is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find why it does not compile</source>
        <translation>查找无法编译的原因</translation>
    </message>
    <message>
        <source>Compile the program one step of the pipeline further each time, in processes of their own, until it fails; then make it smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find what makes it slow</source>
        <translation>查找变慢的原因</translation>
    </message>
    <message>
        <source>Try on copies what could make the step faster, each timed in turns with the step as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find what compiling costs</source>
        <translation>查找编译的代价</translation>
    </message>
    <message>
        <source>By line and module: seconds of a cold compile, memory of a step, recompiles; and what one change saves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at values</source>
        <translation>查看数值</translation>
    </message>
    <message>
        <source>Run a step and colour post-grad graphs by NaN, infinities, overflow beyond float16 and zeros of every node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tours…</source>
        <translation>导览…</translation>
    </message>
    <message>
        <source>Walks through the window, on a program that comes with it or one of yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>起始页</translation>
    </message>
    <message>
        <source>Open, recent, tours, examples; what is open stays open</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>A session, a log of torch&apos;s, a Python file, or what torch.export saved; no code of a session or log is run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run on another machine…</source>
        <translation>在另一台机器上运行…</translation>
    </message>
    <message>
        <source>Start the engine where the GPU is, over your own ssh or another command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture again</source>
        <translation>重新捕获</translation>
    </message>
    <message>
        <source>Run the program that is open once more, from the files as they are now; edits start afresh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assumptions…</source>
        <translation>假设…</translation>
    </message>
    <message>
        <source>What the absent GPU would have measured, and what to assume instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your files…</source>
        <translation>您的文件…</translation>
    </message>
    <message>
        <source>Say which installed packages and which folders are yours, and capture so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured choices…</source>
        <translation>测得的选择…</translation>
    </message>
    <message>
        <source>Every candidate that torch timed on the GPU while it compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch the file</source>
        <translation>监视文件</translation>
    </message>
    <message>
        <source>Capture again whenever a file of the program is saved, and say what changed; edits that fit are made again</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export graph…</source>
        <translation>导出图…</translation>
    </message>
    <message>
        <source>Write the graph in front as GraphML or DOT, for yEd, Gephi, Graphviz or networkx</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share as HTML…</source>
        <translation>以 HTML 分享…</translation>
    </message>
    <message>
        <source>Write what is shown as one page that any browser opens, with its code or without</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fuse</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Ask for one kernel for the selected nodes; Inductor still refuses what would be wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave fusion to Inductor</source>
        <translation>由 Inductor 决定融合</translation>
    </message>
    <message>
        <source>Take back what was chosen of the selected nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why not fused?</source>
        <translation>为何没有融合?</translation>
    </message>
    <message>
        <source>What Inductor said of fusing the two selected nodes, and the memory traffic that it saves or would save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit kernel source…</source>
        <translation>编辑内核源码…</translation>
    </message>
    <message>
        <source>Change the generated source of the selected kernel; only it is built again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Knobs of the kernel…</source>
        <translation>内核参数…</translation>
    </message>
    <message>
        <source>What Inductor can be told for the selected kernel alone: vectorisation, threads, tiling, loop order; of a Triton kernel that was lowered block sizes, warps and stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assembly of the kernel…</source>
        <translation>内核的汇编…</translation>
    </message>
    <message>
        <source>What is made of the selected kernel beside its source, line by line: C++ to instructions, Triton to PTX and SASS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the kernel on the CPU…</source>
        <translation>在 CPU 上检查内核…</translation>
    </message>
    <message>
        <source>Run the Triton kernels of this graph through Triton&apos;s interpreter, without a GPU, and compare each with the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No way leads from {first} to {picked}, nor back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select two nodes of which one uses the other&apos;s result.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing leads there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The critical path takes {time} of measured kernel time, in {count} nodes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is selected. Colour by Measured time to see what it costs where.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the timings first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide selected</source>
        <translation>隐藏所选</translation>
    </message>
    <message>
        <source>Leave the selected nodes out of the drawing; arrows lead on through them, dashed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide everything else</source>
        <translation>隐藏其余部分</translation>
    </message>
    <message>
        <source>Draw the selected nodes only; I and O reveal what is around</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Draw everything again; filters are switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filters…</source>
        <translation>过滤器…</translation>
    </message>
    <message>
        <source>An ordered list of queries that hide or show nodes, to be saved under a name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Way between two nodes</source>
        <translation>两个节点之间的路径</translation>
    </message>
    <message>
        <source>Select everything on any way between the two selected nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What all leads through</source>
        <translation>必经节点</translation>
    </message>
    <message>
        <source>Select the nodes that every way to the selected one passes (its dominators)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slowest line</source>
        <translation>最慢的行</translation>
    </message>
    <message>
        <source>Select the source line with most measured kernel time of its own, once more for the next; times the program first where it was not timed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Select the way with the most measured time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save for the backward</source>
        <translation>为反向保存</translation>
    </message>
    <message>
        <source>Let the forward keep the selected results of the joint graph for the backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute in the backward</source>
        <translation>在反向中重算</translation>
    </message>
    <message>
        <source>Let the backward compute the selected results of the joint graph again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave it to the partitioner</source>
        <translation>由分割器决定</translation>
    </message>
    <message>
        <source>Take back what was chosen of the selected results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extract to a submodule…</source>
        <translation>提取为子模块…</translation>
    </message>
    <message>
        <source>Make the selected nodes one call of a submodule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrap in a custom operator…</source>
        <translation>包装为自定义算子…</translation>
    </message>
    <message>
        <source>Make the selected nodes one operator that Inductor cannot look into</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inline</source>
        <translation>内联</translation>
    </message>
    <message>
        <source>Put what the selected node holds back in its place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next stage</source>
        <translation>下一阶段</translation>
    </message>
    <message>
        <source>Bring the next stage to the front; the selection follows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous stage</source>
        <translation>上一阶段</translation>
    </message>
    <message>
        <source>Bring the stage before to the front</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pass forward</source>
        <translation>下一个 pass</translation>
    </message>
    <message>
        <source>The graph in front after the next pass that changed it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History of the node</source>
        <translation>节点的历史</translation>
    </message>
    <message>
        <source>What every stage and every pass made of the selected node, in the inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation>清除选择</translation>
    </message>
    <message>
        <source>Select nothing; while the engine works, Esc cancels instead</source>
        <translation type="unfinished"></translation>
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
        <translation>菜单、面板和起始页的语言,下次启动时生效</translation>
    </message>
    <message>
        <source>Workspace: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring the panes of the {title} workspace to the front</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset arrangement</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>Put the panes of this workspace where they are at first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pane alone</source>
        <translation>仅显示此面板</translation>
    </message>
    <message>
        <source>All the room for the pane that has the focus, or everything where it was; a double click on a tab does the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labs</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Front ends, GPU kernels, dispatcher, PrimTorch, TorchScript, options of torch.compile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>下一个面板</translation>
    </message>
    <message>
        <source>The keyboard to the next pane that is seen</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>All text of this workspace, as for a projector</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>探索</translation>
    </message>
    <message>
        <source>Your code, every stage that torch makes of it, and what is known of what you select</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Breaks</source>
        <translation>图中断</translation>
    </message>
    <message>
        <source>Where and why Dynamo stopped, and remedies that are tried on a copy of your program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Change nodes, fusions and kernels, recompile, and go back to any state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>What the time goes to, by line, kernel and part of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>A program that runs by itself: its compiles, their causes, its steps, its processes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Teach</source>
        <translation>教学</translation>
    </message>
    <message>
        <source>From a line of code to the graph and to the generated code; Ctrl+= makes the text larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Panes</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Panes that this workspace does not show: front ends, dispatcher, GPU kernels, patterns, …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph breaks</source>
        <translation>图中断</translation>
    </message>
    <message numerus="yes">
        <source>%n function(s) changed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Source: %n line(s) changed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>capture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved for backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{gone} gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{new} new</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n graph(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n op(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guard(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{compile_id} {title}: {signs} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphs gone and new: {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lines are gone behind this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>− problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+ problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comes from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>No link to another stage was recorded for it.</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model to begin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graphs of every stage appear here once it is captured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything is hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all (Shift+U), or change the filters (Ctrl+Shift+L).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This graph could not be laid out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its program is in the code pane; the log says why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not laid out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You stopped it. Choose the stage again to lay it out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept on {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{nodes}, {edges}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edge(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{text} Selected: {reported}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage that is shown, as boxes and arrows</source>
        <translation>当前阶段,以方框和箭头显示</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Every stage of the program, in the order torch makes them</source>
        <translation>程序的每个阶段,按 torch 生成的顺序</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Op</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Used by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strides ({names})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>requires grad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} (Inductor&apos;s count)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fuses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Knob</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{knob} = {value}, turned by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lowered from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not fused with {value}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loop body</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (it would save {size} of memory traffic)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  size {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{id}, line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{language} kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>library call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>none: the wrapper calls a library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Called</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrapper line {call_line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>instruction at offset {offset}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>traced it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>did not trace it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line of the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your file, with what became of each line</source>
        <translation>您的文件,以及每一行变成了什么</translation>
    </message>
    <message>
        <source>Bytecode</source>
        <translation>字节码</translation>
    </message>
    <message>
        <source>What Python runs, and what Dynamo made of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Value and checks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}:{line} in {function}
{text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage that is shown, as a program</source>
        <translation>当前阶段,以程序显示</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let this node call something else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the arguments of this node in a form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put an operation on this node&apos;s result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take this node out; an input of it takes its place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for every place like these nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extract…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make these nodes one call of a submodule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrap…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make these nodes one operator that Inductor cannot look into</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take these nodes out; what they use takes their place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a box of the graph, a line of code or an instruction.

Hovering previews where it came from and what it became; a click keeps it. Nodes of every graph can be edited and recompiled, loops fused or kept apart, kernels rewritten.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>taken out by {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an edit that is not compiled yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything known of what is selected</source>
        <translation>关于所选内容的一切信息</translation>
    </message>
    <message>
        <source>Where and why Dynamo stopped, what it costs, and what helps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>What became of each Python frame: its graph, the break that ended it, the function that resumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分割</translation>
    </message>
    <message>
        <source>What the forward keeps for the backward, and what it costs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>分派器</translation>
    </message>
    <message>
        <source>Which kernel an operator reaches for which tensors, and the path of a real call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PrimTorch</source>
        <translation>PrimTorch</translation>
    </message>
    <message>
        <source>Operators taken apart, from torch down to prims, with where each step is written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try a change</source>
        <translation>尝试修改</translation>
    </message>
    <message>
        <source>Try a remedy or another option on a copy of the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>torch.compile</source>
        <translation>torch.compile</translation>
    </message>
    <message>
        <source>Every argument and option of torch.compile, and what they change for this program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patterns</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Find and replace parts of graphs with torch&apos;s own matcher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>Guards</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled again ({index}): {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dynamo began again: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Graph {id} with %n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Skipped, runs eagerly: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{calls} traced into it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{calls} not taken in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> at line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
Because of: {describe}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>, %n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>: not taken in, {refused}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} resumes after line {line} ({id})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What compiled code assumes, and what would compile again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timings</source>
        <translation>计时</translation>
    </message>
    <message>
        <source>Kernels on a clock while the program runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A program that runs by itself: every compile and its cause, steps, and where the time went</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>The processes of a distributed program: which compiled the same, and where others went apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU kernels</source>
        <translation>GPU 内核</translation>
    </message>
    <message>
        <source>Triton kernels down to PTX and SASS or AMDGCN, registers and occupancy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every edit and every state, as a tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lay the first stage that was edited beside itself in the other state, drawn and as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not compiled: {missing}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go there and recompile to compare graphs, kernels and times.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same graphs and the same kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>编辑记录</translation>
    </message>
    <message>
        <source>first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not timed both. Right: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One step {time} → {time2}: {ratio}, measured in {runs}. Right: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>What makes compiled results wrong: the stage, the pass, the fusion, the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Time ÷ as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choices and what came of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time over that of the program as it is, median and 95 % interval. {time_words}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value}; other results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quartiles {time} to {time2}, {count} steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the last save of the file or the last capture changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before fusion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After all fusion steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before the first line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the last line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After all passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One pass or line back ([)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One pass or line onwards (])</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also stop at passes that changed nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>What this pass did: the graph before it beside the graph after it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with the graph before this pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} of {count} steps that lines made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none changed anything · {ran}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · only looked at: edits are made after all passes (])</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{at} of {count} that changed something · {ran}{edits}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reordered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and {value} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any two graphs: added, removed, changed and moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Front end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run (median)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quartiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls in its graphs; of eager the aten operations that were dispatched in the forward.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The capture itself; of torch.compile the first call, which compiles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward on the example, interleaved with eager in the same process.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its time over eager&apos;s, of pairs run one after the other; grey where the two cannot be told apart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most that one forward had allocated at a time, as torch&apos;s CPU allocator saw it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside eager: results, arguments and buffers after the call, gradients, and what is printed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs you gave and inputs that were found by trying. Red: something else than eager&apos;s, and no error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Front ends</source>
        <translation>前端</translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} to {time2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program captured in every way PyTorch has, and which results are wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TorchScript</source>
        <translation>TorchScript</translation>
    </message>
    <message>
        <source>TorchScript&apos;s IR: change it, run it, save it, and run it in C++</source>
        <translation type="unfinished"></translation>
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
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Your model…</source>
        <translation>您的模型…</translation>
    </message>
    <message>
        <source>A Python file or module, or a program that torch.export saved</source>
        <translation>Python 文件或模块,或 torch.export 保存的程序</translation>
    </message>
    <message>
        <source>A session or log…</source>
        <translation>会话或日志…</translation>
    </message>
    <message>
        <source>A .loupe file, or what TORCH_TRACE wrote; no code of it is run</source>
        <translation>.loupe 文件,或 TORCH_TRACE 写出的日志;不会运行其中的代码</translation>
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
        <translation>查看 torch.compile 的每个阶段,编辑图,重新编译,并为内核计时。</translation>
    </message>
    <message>
        <source>← Back to {visible_line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop capturing (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>torch.compile runs for real: the program is traced, its kernels are written and built by the C++ compiler. The first capture takes longest, since torch is loaded meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capturing {visible_line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{others} others ({count})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from {describe}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>below {describe}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {more} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names}
Double-click to collapse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double-click to open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All equal. Double-click to open the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview: click or drag to move</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{times}{count:,} node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{tensors} saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Laying out…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {boxes:,} boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Laying out{boxes}… {value:.0f} % · Esc stops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program was not run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a fault of Torch Loupe: please report it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine answered {name} with {name2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is not running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was restarted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine cannot be reached: {error}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the folder {folder}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting the engine again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program left this running: {process}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is ended with the engine, or when the next program begins.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine ended several times in a row and is not started again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the output pane for the reason, then choose Restart engine in the Engine menu.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was killed because it did not stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a request, which only we may send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was killed because it sent something that is no message ({what})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was killed because it closed its connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose Restart engine in the Engine menu.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>could not be started ({why})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names}
from {names2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made by {made_by}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from {titles}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {value:,.1f} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edited, not compiled yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{count:,} instruction(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} line(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} kernel(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Torch Loupe itself failed: {name}: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save your work; please report this with the detail.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>met %n time(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source> in graph {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For developers of torch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What torch said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It follows from: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What Dynamo was doing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>instruction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  at {offset} of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its stack before that, the top first:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  node {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No graph breaks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About the break</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program captured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph breaks and the frames of a captured program are listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Captured with {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only torch.compile breaks graphs. {lesson}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No graph was made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dynamo captured nothing of this program; the page Frames says why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No graph breaks so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program is still being compiled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>No graph breaks: the whole program is %n graph(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Dynamo traced it without stopping.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The costliest first: by the time measured, else by the operations cut off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often Dynamo met it while it captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operations cut off: they went into later graphs of the same function because of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wall time of compiling those later graphs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of one forward spent outside compiled graphs at this break: measured, with quartiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph break</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Met</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter breaks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the program for a second or two and time what happens outside compiled graphs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New since the capture before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; eager {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One forward {time}, {inside:.0%} of it in compiled graphs{eager}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
{eager_ops} operations run eagerly there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
{time} to {time2} outside graphs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try a fix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: on a copy; your file stays as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · inlined in {graphs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · not compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> after line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{resume_of} resumes{after}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> to {end_line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, columns {value} to {end_column}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>traced by Dynamo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>target of a jump</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph break: {kind}
{value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {traced} traced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{heading}: {count} instructions{followed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rewritten by Dynamo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dynamo did not rewrite this frame: it runs as it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No bytecode captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames that Dynamo looked at are shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>graph break</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) in {seconds:.1f} s</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Saves most: {what}: {saved_words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It says: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The least program: {value} of {before}. {shows}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes, saves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made of, costs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It saves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results are wrong with it; it saves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved by one change, tried on a copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hand over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The least program that is wrong so, and a report for an issue tracker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least program…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the graph smaller while it stays wrong; one file that needs torch alone, and fails by an assertion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is wrong, the least program, every trial and the surroundings, as Markdown, and beside it one session file with the stages (not with “Hide my code”)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide my code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In what is written: no name, file, line or value of your program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python files (*.py)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The least program cannot be told with your code hidden: {why_not_hidden}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it without “Hide my code”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrote {name}{beside}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrote {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} could not be written: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What ran instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results are wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does not compile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step is slow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiling takes long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs much memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It compiles again and again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the program with parts of the pipeline taken out, one after the other, until what makes it wrong is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on where the search was stopped: trials whose answers are listed do not run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing looked for yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where compiled results are wrong, this finds what makes them so: the stage, the pass, the fusion, the kernel, the line. It takes about as long as several compiles, and leaves the program as it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where torch.compile raises, ends the process, or does not end: the step of the pipeline that does so, and the least program that fails for the same reason. Every trial is a process of its own; one that takes two minutes is taken to hang.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where a compiled step is slower than eager, or than a time you say, this shows where its time goes and tries what could make it faster: graphs op by op, settings, fusions, modes, sizes. Each is timed in turns with the step as it is, on a copy; it needs a quiet machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which line and which module a cold compile spends its time on, and what makes it shorter: equal modules compiled once, a module left to eager, settings. Each is measured on a copy compiled from cold, several times.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the memory of a step goes to, by line and by module, and what makes it less: checkpointing, memory budgets, settings. The peak of a copy&apos;s step is measured with each, and what it does to the step&apos;s time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which guard, on which line, makes torch compile again, what that takes, and what makes it happen less often. Say with which sizes the program is called, or leave it empty to look at one step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>– not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ fails</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find the cause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look from the beginning: every trial runs once more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the step should not be slower than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty: eager. A time as 2ms or 350us: look where a step takes longer. With Anyway it looks whatever is slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Anyway</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for what makes it faster though it is not slower than that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes that it is called with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ARGUMENT:DIMENSION=SIZES: after the first step it is called with each of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What results are judged by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>float64: right is as near to it as eager is. eager: right is what eager gives, within rounding. An expression: right is what you say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expression that is true where the results are right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python over outputs, grads, results (by name) and torch; it runs in the worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the stage at fault and select what is wrong in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter trials</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Judged by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slower than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Called with sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was tried on a copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step&apos;s time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step&apos;s time with it over the time without, and the interval that holds the median with 95 %; both timed in turns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✗ faster, wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare graphs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lay the stage in front beside the same one of the capture before, drawn and as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What changes from one capture to the next is listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Captured once so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch the file (File menu) or press F5: what changed since the capture before is listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is Python. When you recompile, it is traced again, run and judged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change what forward does; self.… are the program&apos;s own modules and parameters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When you recompile, it is read, run on the example and compared with the program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the IR; the weights are its last inputs. Faults are told with their line when it is recompiled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it must define forward(self, …)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the program: Python&apos;s operators and calls within calls are understood.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It works: every type is known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the stage in front. Off: hold the stage picked here while others come to the front.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage shown here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All kernels of the graph, or one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the whole program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the graph as text (T)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No stage to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every stage of a captured program prints as code here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage shown as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All {count} kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>graph as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the graph after an earlier pass; the last one can be edited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrapper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the {what} (T)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before all passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is Python. When you recompile, it is loaded, run and judged against the graph.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change what call does; kernels whose source stays are not built again. Undo restores the generated text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both graphs in one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graph before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graph after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exchange the two sides</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The difference before (Shift+N)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The next difference (N)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two drawings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One drawing of each side instead of one of both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold what is equal and far from every difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The programs beside the drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing compared yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose two sides above, or Compare with… in the menu of a stage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any two graphs can be laid beside each other here once a program is captured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Captures: {around}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Comparing: {step}… · Esc stops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A capture, a state of the edits, or another session file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage as it is, or as it was after one of its passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another session file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage to compare: {stage}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before the first pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Torch Loupe sessions (*.loupe)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… {hidden:,} equal lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Programs, line beside line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the lines sideways</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Registered at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter calls: an operator, a key, a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The kernel was given the keys {keys}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With our shims around it and around all it calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward, of no line that is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of no line of the user&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward of {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys, the highest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A call goes to the kernel of the highest key that any of its tensors carries, and from there down. Whether a tensor requires grad is not among them: autograd&apos;s kernel looks for itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter tensors and keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lets Python look at a call before any other key, while something is traced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Traces above autograd: where torch.export looks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enters the innermost transform (vmap, grad) that is going on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves a transform and goes on with the one around it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remembers the state of the thread for kernels in Python.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor of torch.func.grad at some level.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vmap&apos;s batching rules: the hidden dimension is dealt with here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random operators and factories inside vmap.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Casts arguments while torch.autocast is on; else passes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>torch.jit.trace notes the call.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes how to compute the gradient, then goes on below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counts in-place writes and ties views to what they are views of.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor known to be all zeros, without memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Carries out a minus sign that a view only promised.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Carries out a conjugation that a view only promised.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns writes in place into new tensors, while something is traced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tensor subclass or a mode in Python takes the call.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds the device for calls that are given no tensor, such as torch.ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A kernel made of other operators; autograd sees those.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One kernel for every device, with a derivative of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computes shapes, and no numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept free for devices that torch does not know.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels for quantized tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels for sparse tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels for nested tensors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computes on the CPU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Registered for this very key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Registered for Autograd, the alias of all keys of autograd.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CompositeImplicitAutograd: made of other operators, for every key that has no kernel of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CompositeExplicitAutograd: one kernel for every device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Serves every operator that has no kernel for this key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decomposed for vmap: the operators it is made of have batching rules.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the lesson as it comes with Torch Loupe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps of the lesson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the step did</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole lesson, to be changed and run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run it to see what each step does. Change it here and run that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Printed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Registered for </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was printed or registered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find an operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also keys that serve every operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an operator, or select a node of a graph that calls one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{shown:,} of {total:,} operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{total:,} operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking for {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replaced by a later one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is called, the first looked at first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was registered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passes the call on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double-click: {link}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generated when torch was built; its repository does not hold the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys of tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs the program in a process of its own with a shim around every kernel it uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No step traced yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each call goes down the keys of its tensors: autocast, autograd, views, the device. A trace shows which kernel took it at each, and what those called.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tracing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>results differ from an untraced step: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all {compared} results are those of an untraced step, bit by bit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count:,} kernels called, of {operators} operators; {verdict}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ok</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>WRONG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refuses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not judged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The example, and inputs you gave</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs that were tried</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} give what eager gives: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There was no time to try {untried} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Torch warned while it captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the capture that is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no capture to open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show what was captured here; it takes the place of what is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture the program this way again{why}. It takes the place of what is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a row to see what it did on which input.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same program, captured in every way torch has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each front end forgets something else: branches not taken, the number of elements, a mode, what is printed. Compare them to see which still do what the program does, and what each costs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, print lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, attribute lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, no gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare front ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture the program in every way torch has, each in a process of its own, and look for inputs on which a capture no longer does what the program does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skip this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the front end that is being judged and go on with the next.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look for inputs that differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try other values, sizes, scalars, lengths and keywords, and the other of train and eval.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other inputs: x=torch.randn(7, 3); eval: torch.ones(3), scale=2.0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls to compare with eager, with ; between them. Arguments that are named take the place of the example&apos;s. eval: or train: before a call switches the mode.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open this capture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What this front end did</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting an engine for trials</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of {count}, {title}: {value}{doing}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{captured} of {asked} capture it, {wrong} silently wrong on some input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reported}, {died} died or did not end over one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes of the result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values of a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edited or changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No times yet: measure in the timings pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edited, or changed by the pass on show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{user}: {names} = {source}   (now {used})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The edit was not made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show after all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply this filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the filter does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes are hidden by the first row, then the next, and so on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save list…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved lists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close; the filters stay (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply earlier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the list:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open and collapse; gather by module or by kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What boxes are coloured by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide and show nodes by queries (Ctrl+Shift+L)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom out (-)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show everything (Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search (/)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview in the corner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boxes are coloured by: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collapse all</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Open %n level(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Expand all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Walk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the next box along the arrows, or the one beside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs, outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the inputs or outputs to the selection; what is hidden among them is drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the selected module; of equal ones in one box the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collapse module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collapse the module around the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space, F</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit the graph into the view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One step nearer or farther; Ctrl and the wheel zoom too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the graph by words and queries; go to the next match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the stage, zoom, open modules, filters and colours under a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at what was kept under the number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Terms side by side all have to hold; -term turns one round, a|b is either.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search: words, op:gelu shape:[*,768] dtype:bf16 line:42 kernel:3, /regular expression/</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next match (Enter, F3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no match</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{value} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NaN begins here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>infinity begins here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>infinite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beyond float16 (65,504)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zeros: half or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zeros: a tenth or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>finite, few zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No values of this graph: Engine → Look at values (post-grad graphs have them)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gather by module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gather by kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gather nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{shown:,} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filters ({active})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guards: {differ} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Symbolic shapes: {differ}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n differ(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>none differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dynamo graph: {value} of {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels: {differ}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Argument</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes to try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program is called with each of these, in this order, with and without the mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also mark every other dimension of the same size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A batch size shared by two arguments can only be dynamic in both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if it were dynamic?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes to call it with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program was called with no tensor that has a dimension.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{index}    now {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write one to {most_sizes} sizes, such as 8, 16, 32.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shape of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stride of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {what} must be whole numbers with commas, such as 8, 128; it is {text!r}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grad mode on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grad mode off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the inputs as captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No guards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tester</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dynamic shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What compiled code asks of its inputs is shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was compiled, or the capture is older than this pane; capture again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guards ({count})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompiles ({count})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled again, since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter recompiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compared compile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With this compile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lay the Dynamo graphs of both compiles beside each other, drawn and as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No recompiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{compile_id} did not fit: {how_many}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind} on {source}
{code}
{reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n guard(s) fail</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>no guard fails now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames that were compiled more than once are listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No recompiles: every frame was compiled once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tester says which inputs would change that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stride</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The compiled frame to try, with the values that this compile is called with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values to try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the module is in training mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether gradients are recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the guards of every compile of this frame. The model is not run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running the program once, to see what {wanted} is called with…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change something and press Try: the guards are asked, the model is not run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty: as captured, or contiguous for another shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking the guards…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{hit} runs, nothing is compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{frame} would be compiled again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With {describe}: {verdict}. {note}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{compile_id} fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{compile_id} does not fit: {first}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first}
Torch stops at this guard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reason}
{kind} on {source}
{code}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter by value, code, kind, type or line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time each guard with the values it meets. The program is run once if need be.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{whole} guards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{shown} of {whole} guards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One check of all: {value:,.2f} µs, {value2:,.1f} µs with cold caches. {most} {note}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind} of {source} {cost:,.0f} ns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict of the capture shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two states compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit a graph, loop IR or kernel and recompile: the results are judged here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This recompile was not judged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter edits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What all forwards keep for their backwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reported}
Click to go to the state right after this edit; right-click for more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiled {seconds:.1f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>captured {seconds:.1f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to this state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with the active state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop it and what follows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time both interleaved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run both states and the eager program one after the other for three seconds, so that a noisy moment hits all alike; what is not compiled yet is compiled first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By turns: first {time}, second {time2}, eager {time3}; {ratio}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of one step after over before: {ratio:.2f}, 95 % interval {low:.2f} to {high:.2f}, from {pairs} pairs of steps that ran one right after the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error not judged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worst tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Abs. error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rel. error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The verdict in words, all times, and every comparison by tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find what makes the results wrong: the stage, the pass, the fusion, the kernel, the line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter comparisons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▾ Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▸ Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Judged against eager.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, first capture {cold_seconds:.1f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One step: before {time} → after {time2} ({speed}), eager {time3}. {by_turns}Recompiled in {recompile_seconds:.1f} s{cold}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Medians with quartiles in brackets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results of the {what} program against {reference}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not timed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too few steps to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no clear change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value:.2f}× as fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ratio:.2f}× as slow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By turns: {names}. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ratio:.2f}× as fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value:.2f}× as slow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{agrees} (torch: {agrees2})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; torch&apos;s own check, by the mean square (torch._dynamo.utils.same with fp64_ref): {agrees}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest difference from float64, against that of eager</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step before {time}, after {time2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} against {reference}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}: {relative} relative error ({tensor}), agrees: {judged}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The result of {node}. Click to select it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}
Double-click or press Enter to change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{error}. {before} was kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} given, {size2} got, on each rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sends</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>, %n rank(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>, of how many ranks was not noted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nowhere in this graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waited for by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing: it is waited for at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  {value:.1%} of kernel time{bounds}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With callees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n kernel(s), the largest part first</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{share:.0%} of {time}  </source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more kernel(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source> and {unnamed} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line_of}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{name}, line(s) {lines}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{name}, line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} of a Triton kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {source} of the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no line of the kernel, by its debug locations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter the selected nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (the first {most_rows:,} are listed)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count:,} selected in {title} {compile_id}{cut}. Click one for more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Registers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spilled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limited by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made after a first launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{words}
Computed, not measured, by {source}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the kernel needs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Have Triton compile the selected kernel down to machine code, as Inductor does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all configurations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower every configuration that Inductor would try on the GPU, and those that it makes after a first launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No Triton kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture for a GPU (Open model, device), here or elsewhere: its kernels are lowered to machine code here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring the kernel&apos;s {title} to the front</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lowering {count}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{known} of {count} lowered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>being lowered…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not lowered yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Common choices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put on the list what most people would try first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture the program with each of the list, compare code and results, time all interleaved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop measuring; nothing of the program changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture the program with the selected choice from now on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the selected choices on the list as one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the selected choices off the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What came of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changing sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting an engine for trials…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add rows from the left, or start with the common choices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is measured yet. The program that is open stays as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search arguments, modes, backends and options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Modes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stances</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sets no option</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>works here (first step {seconds:.1f} s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not work here: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try all backends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compile and train a tiny module with every backend, each in a process of its own; takes minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking torch…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} of {count2} backends tried</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>torch {torch}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its entries are the options below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An object of Python&apos;s: give it in your own call of torch.compile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one of the modes below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one of the backends below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value to try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure it for this program, with the others of the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a row for torch&apos;s words on it. Measuring says what it changes for this program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  default {default}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Torch says nothing about it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same as options: {mode}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets no option.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set around calls, not in torch.compile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  {type}, default {default}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Environment: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its value is an object of Python&apos;s, which cannot be written down here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes to call with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x:0=3,4,5; empty: first dimension of the first tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call the program with one size after another, forward only, under every stance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What each call did</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiled: torch compiled for this call; reused: compiled code ran; eager: none did.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What your program and the engine print appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last {most_lines:,} lines are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeated in the backward (estimated)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One step (measured, quartiles)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen by hand, not compiled yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {base}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size}, of the same storage as {base}: counted there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counts {weight:,.0f} in the minimum cut (bytes, weighted by torch)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AOTAutograd alone is cut as both partitioners choose; capture with torch.compile to choose by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much of the memory that torch would keep at most may be kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Torch&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the chosen budget back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask torch&apos;s partitioner what it would keep at each budget; compiles nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compile five budgets and time a step with each; Esc cancels, what ran before goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A graph that is trained has a joint graph, which torch cuts into a forward and a backward.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select other results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} kept beside inputs, {count} saved, {again} recomputed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}, memory budget {budget:.0%}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{budget:.0%}: would keep {size} and repeat %n operation(s) ({flops}, estimated)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recomputed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cheaper to keep than what follows from it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the backward does not need it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a view of {base}: free to take again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cheap to compute again from what is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Matches of the pattern</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n near miss(es)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{title}  {count} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{why}
In the pattern: {pattern_node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the calls of a graph that make a pattern and press P.

Every match in the model is listed, found by torch&apos;s own matcher, and for near misses which node and which argument failed. What takes their place is typed, and applied to all or to those ticked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pattern from selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the selected calls of the graph in front (P)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As code…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write pattern and replacement as a registration with torch&apos;s own matcher, which needs torch only, and its test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select every ticked match in the graph in front</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replacement from selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the selected calls of the graph in front as what takes the place of a match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pattern yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for matches…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no replacement.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type what takes the place of a match.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No match is ticked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} cannot be edited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pattern as code</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Replace %n match(es)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The pattern</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Must be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>argument {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Anything fits here. Click to ask for {text_of} again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text_of} is made outside the pattern: any result fits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to let anything fit here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {line}: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replacement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}, which it was made from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Itself before its first pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pre-grad graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Post-grad graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files of installed packages that lines were traced in; File → Your files… says what is yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Functions of installed packages that were traced into the graph of their caller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What torch wrote to its log beside the stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log texts of no compile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Functions that Dynamo looked at without making a graph of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>torch and Python</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program as it was when captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files of {name} that the program was read from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Library files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}, inlined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{frame_title}
{path}:{line}, {guards} guards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph {compile_id}{name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame {compile_id}{name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inlined from libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {part} part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{line} on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{function}, resumed after line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a Python file and capture it: every stage of torch.compile will be listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes, instructions, kernels or lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{nodes:,} nodes, {weight:.0%} of the largest graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wall time of the step that made it, measured in this run, observers included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made by {made_by}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made from </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its graph can be edited and recompiled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recompiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>building</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>suspected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As torch.compile made it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New, or not as in the capture before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed by edits that are not compiled yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made from a stage that has uncompiled edits: recompile to bring it up to date.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differs from the capture before: made again from the edited graph.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong here; the problems and the graph breaks say what.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Proven right: run op by op from here, the program gives right results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The results are wrong, and what makes them so is not excluded here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first stage that is wrong: see the pane Cause.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generated; the compiler builds its kernels now. Nothing of it has run yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a moment, please</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>press Ctrl+R to recompile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>● Edits are not compiled yet: {key}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generated; it is built now, then run and judged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompiled from {parent}; results were not judged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompiled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Level of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compile it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture level by level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture with torch.compile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs the program once more, with PrimTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taken apart at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take an operator apart to see what it is made of, down to prims, and where each step is written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taking {waiting_for} apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{schema}
This torch takes it apart no further.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{schema}
Its decomposition stands at {place}. It could not be run here: {refused}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{schema}
With ({arguments}): {names} operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>core aten</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With these arguments it had nothing to do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its decomposition did not want these arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An operator: softmax.int, aten::gelu, or select a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy all problems with their details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget what was reported; problems of captures and edits stay with them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors and warnings are listed here with what to do about them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{nodes} in {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n note(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Show in all panes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show this compile of the other rank in every pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both ranks&apos; graphs node by node, in the Compare pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference of two ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session files or logs of other ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with the ranks beside it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps of rank {names} are slower than those of the fastest, beyond both spreads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} more files lie beside this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ranks are compared as soon as they are read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one of {value} ranks of a run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is open is {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside it: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Compare with the %n other(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No ranks to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record all of a distributed program: loupe run -o run.loupe torchrun --nproc-per-node 2 train.py, or open the folder of logs that TORCH_TRACE named.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{compile_id}, {what}: rank {rank} and rank {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank {rank} (−) → rank {other} (+)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no difference of rank {rank} and rank {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open rank {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show rank {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{compile_id}: one of the two ranks has no graph of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions and logs (*.loupe *.log *.log.gz)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiles by rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank {first}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks {ranks}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} · shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time of a step, measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wall time of a step where nothing was compiled; ranks wait for each other in collectives, so a slow rank makes all slow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> [{time} to {time2}]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{who}: slower than the fastest, beyond both spreads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Torch&apos;s compile id: frame / which compile of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wall time of this compile; a backward that was compiled later is a bar of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often its graph was called so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of a call of its forward, without the first one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why again, or why not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The guard that failed, in torch&apos;s words, or why it runs eagerly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter compiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its graphs can be edited while it runs: change a node, then Recompile; its next step runs it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the program run what it compiled by itself, from its next step on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show {compile_id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompile storm. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show {name}:{line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs eagerly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiled again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time of a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program runs; nothing was compiled yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every compile is shown here as soon as torch.compile begins one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program that ran by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start yours as always, with the loupe beside it: loupe run train.py --steps 5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiles and steps on a time axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The wheel zooms, dragging moves, a double click shows all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From here on with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From here on without edits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward of </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, compiled again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to show it in every pane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop at…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the program wait at a place, look at everything, then let it go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the program go on to the next place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop at… ({count})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a guard with {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A guard with the text…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop at a guard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A part of the guard that fails, as torch writes it:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The IR beside the program, eager
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The C++ program printed
{cpp}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run compiles the open program with TorchScript and shows its IR here: a text with weights as inputs. Change it and run it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the program becomes TorchScript</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run this IR in place of the program, on the example inputs (Ctrl+Return)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put back the IR that TorchScript made of the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run in C++</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the program, and load and run it with a C++ program, its results beside Python&apos;s. That program is built once for this torch, which takes a minute or two.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save .pt…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the program, not a changed text, for torch.jit.load and C++; and .ptl for mobile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What came of running it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What came of running it: results beside the program&apos;s, and C++&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TorchScript (*.pt)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A break inside this call: {with_loss} ({where})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Captured in graph </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ran eagerly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not captured: Dynamo did not trace this line. It was not reached, or ran eagerly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>break inside: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>, met %n time(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The whole function was given up and runs eagerly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rest of the function runs eagerly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files, those of libraries by package</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>captured in graph {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {value} more graphs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran eagerly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own time of a step&apos;s kernels; grey: with what it calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>break inside this call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>function runs eagerly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the program on a copy, and try or capture it; the file stays as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What lines cost in a step that was timed: their own time, and with what they call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the line with most kernel time of its own, once more for the next; times the program first where it was not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A library&apos;s file is not loaded afresh for a capture; File → Your files… makes it yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes of variables at the end of the line that stores them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why capturing stopped, at the end of the line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No source file captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files of a captured program are shown here, line by line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
of the package {package}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New or changed since the capture before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines below are gone since the capture before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture the program with this text (Ctrl+Enter); the file stays as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture it on a copy, beside the program as it is: breaks, results, times</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) changed. The file on disk stays as it is.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Change the program; it is captured with your text, the file on disk stays as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not Python.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls that lead to the line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> in {function}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}, line {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collectives and the kernels beside them, in the order of the calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the call takes {time}, median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>then {time} of kernels are called, then it is waited for {waiting}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>meanwhile: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is called meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this code does not wait for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to select it in every pane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>travels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calls, timed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>calls, in order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calls in their order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>collective, from its call to its wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generated kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>extern kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No generated code here calls a collective. DDP and FSDP2 call theirs from hooks, outside of compiled graphs, unless they are traced into them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n collective(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{number}; kernels are called while {beside} of them travel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{head} Calls in the order of the generated code, each as wide as any other: an order, no times. Start times them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{head} Of {time} in calls, {time2} start collectives and {time3} wait for them. Medians of this process; what lies between calls is left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the wall time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Torch&apos;s own phases, one inside the other; each adds up, what no phase covers is the rest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passes run inside the phases above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs of the C++ compiler; they go on side by side, so together they may exceed the wall time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As they stand in the pipeline; a stage may hold others&apos; time, such as the builds of its kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter phases, passes and builds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is captured yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This recompile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This capture, its first run included,</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} took {time} of wall time with everything listening.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} Torch&apos;s phases were not recorded with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} Torch&apos;s phases cover {time}; the rest, {time2}, is the program&apos;s own run and what no phase names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget the samples, and the times before the last recompile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iterations that are run first and not counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads torch may use; 0 leaves it as it is. Inductor generates code for their number, so another one compiles the program again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop after so many; 0 goes on until paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the eager program once every so many iterations as the baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time the backward pass as well, where the program has one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-up, iterations, threads, how often eager runs, and whether backward is timed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eager every</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times as a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels, parts of the step and whole steps, with bytes, operations and rates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps as Chrome trace…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens in Perfetto (ui.perfetto.dev) and in chrome://tracing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times are medians with quartiles in brackets; nothing has been timed yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timed before: {counted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiled step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>eager not timed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>eager step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before the recompile {time}, now {change} of that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kernel times are the GPU&apos;s own (CUPTI), of bursts of steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a step with CUDA graphs replayed {time}, with each kernel launched {time2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{what} {time} ({count:,} sample(s))</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IQR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before → after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}
{name2}
Click to select it in every pane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>did not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} in {count:,} samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time after over time before; ~ where the quartiles overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{outliers:,} of {count:,} samples lie more than 1.5 IQR above the upper quartile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory over the kernels of a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>planned {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured {size} more than when the step began</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  and {value} smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} kernels in running order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward, kernels in running order →</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backward →</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>planned peak {size} at {nodes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lives while</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taken over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved for the backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>handed to the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temporary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter buffers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured (profiled step, since it began)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no plan: nothing is compiled to kernels that a Python wrapper calls.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planned by Inductor: at most {size} at once in {count} buffers; {size2} of them saved for the backward; reuse spares {size3}. Parameters and inputs are not counted; what is handed to the program may be let go earlier than drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {unknown} buffers of symbolic size are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Measured: at most {size} while a kernel ran.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Not measured yet: Start does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n time(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>One piece of memory under the names that it has in turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} to {end}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first and the last kernel, in running order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every kernel of every iteration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eager and compiled on one time axis, and where the time of a step goes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels against what copying and matrix products reach on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buffers as Inductor planned them over a step, and as measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is sent to other ranks, and which kernels are called meanwhile, in the order of the calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compile time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the time of the compile went</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of one GPU over a step and what bounds each layer, of what nothing ran of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing timed yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start runs the compiled program again and again and times every kernel call, the whole step, and the eager program as the baseline.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is {state}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture a program first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part of the compiled step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n profiled step(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>of that, looking up compiled code: guards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>difference of measured times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>iterations, newest at 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} more selected, not drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whole compiled step; select kernels to see theirs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Phase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Launches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The GPU&apos;s arithmetic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The bandwidth of its memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its kernels wait for a collective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The host launches more slowly than the GPU computes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture for a GPU or without values, with “predict a step” in the group Parallel of the Open form: memory of one GPU over the step and what bounds each layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} not hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, sending {time} ({hidden})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, waiting for the host {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted, not measured: peak {size} of {size2} on {machine}, {verdict}. Step {time}: computing {time2}{sending}{waiting}; optimizer {optimizer}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The peak is in {where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted memory over a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} for tensors on {machine}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted peak {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the roof</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies of several sizes and matrix products, about three seconds; kept for the next time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No roof yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start times the kernels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} Measure this machine finds what copying and matrix products reach here; every kernel is then a point under that roof.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a point to see how far it is from the roof.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n kernel(s) do no arithmetic: in the table only.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Of {lost} nothing is known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counted by {counted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no formula for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copying {rate_text}, memory {rate_text2}, product {rate_text3}; {threads}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copying {size}: {spread}; {size2}: {spread2}. float32 matrix product: {spread3}. Medians [quartiles] with {threads}, measured {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>operations for each byte moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>operations a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copying {size}: {rate_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>float32 matrix product: {product}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiled graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>eager operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>autograd node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start runs the program and shows one step here, eager above compiled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One step on a time axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{words_for}
{time}, from {time2} on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
Click to select it in every pane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The wheel zooms, dragging moves, a double click shows the whole step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median without {seen_with} {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrapper of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clocks around kernel calls; of these steps the one nearest to their median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the shortest of a few steps under torch&apos;s profiler, which makes every operation a little longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reads {size}, writes {size2}; {note}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eager</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
reads {size}, writes {size2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
asked for by {name}:{line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Captured with these changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files on disk are as they were; nothing is written unless you ask for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write to {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as patch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to try yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a remedy of a graph break, or a dimension to make dynamic: it is tried on a copy here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patches (*.patch)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write to the file?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} will hold: {title}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try on a copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture the program with and without the change, compare results, and time both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture the program with the change. Files on disk stay as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as patch…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What could be changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is changed yet. Trying it captures the program twice in a process of its own, with and without the change, and puts breaks, results and time side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With the change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This would run the program, which runs by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its times are in the Run pane; open its model by itself for the rest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This was asked about a program that is not open any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask again about the one that is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Going back to what was compiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capturing again, the engine was restarted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program gives other graphs now than when it was captured. They are shown, with the edits that still fit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at them, then ask again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiling the edits again, the engine was restarted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program of this session file was not run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose Trust… in the bar above if you trust where the file comes from, then ask again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>matching Dynamo&apos;s nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>matching {node_count:,} with {node_count2:,} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>putting both graphs together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>aligning the programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comparing the captures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>folding what is equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) added</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) removed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) changed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) moved</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{names} · {equal:,} equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>No difference: %n equal line(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds no capture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{which} is not there: choose another stage, or recompile to have it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These could not be compared; the log says why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{name}: %n line(s) differ</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>line {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>called in {stage}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{state_title} (not compiled)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The capture before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> ({value} of {count})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank {rank_shown}, as captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs and outputs cannot be removed; select nodes that call something.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{node_id} has no input that could take its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to remove.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{node} is not called as {text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is called in another way than {node}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing uses {source}, so there is no edge to put {label} on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no node {node_id} in this graph.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{id} has other arguments than {id2}; replace it by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>you forbade it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they read and write nothing in common, so that a common kernel would save no memory traffic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a common kernel would save less memory traffic than Inductor&apos;s threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one is a library call, which is a kernel of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something that has to run between them needs the one and feeds the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they are far apart in the program; keeping the data that long may cost peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it may cost peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each would have to wait for the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select two nodes of the loop IR, or a fused one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These are in one kernel already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select two nodes of the loop IR.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was chosen of these nodes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is chosen already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inductor never came to consider them: it looks only at nodes that share a buffer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{plain} (torch: {reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Torch says: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What one kernel would save is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both touch {names}; what</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{shared} one kernel would save was not read for this capture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Both touch {parts} in the same order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> That is its estimate for {names}, which both read, each in an order of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One kernel would save {size} of memory traffic, by torch&apos;s own score.{where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both touch {names}, but not element by element in the same order: by torch&apos;s own score one kernel would save no memory traffic.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They touch no buffer in common: one kernel would save a launch, but no memory traffic.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How they came together was not recorded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inductor fused {step_text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> as {relation}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, which saves {size} of memory traffic by its own score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The knobs are turned so already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{user} uses no single node there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing uses {node_id}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{node_id} gives no tensor and no number, so there is nothing to fill.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is chosen already, or nothing selected is a result that the forward could keep.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} needs {user}, so {user} cannot use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{user} uses {source} there already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{node_id} is a{value} {op}; only calls can be duplicated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to edit yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some edits of {name} do not fit: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ones before it were made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An edit must change exactly one stage; make one edit for each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The stage {first} has nothing to edit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s) of a session that ended unexpectedly can be recovered.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Choose Recover edits in the Edit menu to make them again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edits cannot be written to the journal: {error}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room or grant access in {folder}; until then a crash would lose them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is on {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the change as a patch, and apply it there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} was changed since it was captured, so it was not written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture it again and try the change again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written: {error}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the change as a patch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no engine for trials.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart Torch Loupe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not tried: the engine does not hold this program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompile to have it run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This capture is not finished: what follows the stages shown was not generated or not built.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture it again for the rest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{parent} cannot be written: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run pytest test_{stem}.py in {parent} to check it without Torch Loupe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was skipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare again to have it judged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>judging</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>timing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>graph {graph}: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{command!r} cannot be read: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the command is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{command!r} does not say where the file goes: write {file}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file {path} on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The capture may be another machine&apos;s; capture again here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no editor was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no program {program!r}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{program!r} did not start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}:{line} was not opened: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the command of your editor: Edit, Editor command.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: {name}, {what}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GraphML (*.graphml)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DOT, for Graphviz (*.dot)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the graph of {title} with {nodes} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it in yEd, Gephi, Graphviz or networkx.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A part of {name} could not be read: {fault}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rest was opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds {count} logs; the one that is shown is {shown}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Ranks pane compares them; loupe open {path} -o FILE.loupe writes a session for each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without its code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with its code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the capture {what} ({size})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is one file that any browser opens; it loads and sends nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading {name}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the name and the permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was not saved: {error}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder or make room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A part of what was saved in {name} cannot be read again: {fault}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rest is whole. Please report it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank {rank}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Reading %n file(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Reading {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other ranks are compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Following the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it told could not be read: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loupe run ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing tells of a run at {place}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may be over. Start it again with loupe run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting until the program calls the graph again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} compiled another graph there; it goes on without these edits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the ranks in the Run pane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} goes on without these edits: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the session file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before the last recompile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times {where}; this program was not timed yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files of the program are on {name}, where they cannot be watched from here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capture again after saving: Ctrl+R.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{remedy} What is shown is the capture before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} of {count}{more}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open {name}:{number} in the editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the edits (Ctrl+Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give up what was typed (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> ({value} more)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {value}: {value2}{more}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide until something changes again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} was saved: capturing again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} was saved but cannot be captured; shown is the capture before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source> · %n edit(s) made again, not compiled yet</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Since the capture before: {words}{again} · captured in {seconds:.1f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>While the graph has the focus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type to find an action or a pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pane: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a key or what it does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arguments of {node_id}{more}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking up what it takes…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ways in which this operation can be called</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave this argument out, so that its default is used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text_of} (default)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>must be given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some arguments cannot be given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set {id} to a constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every element of {describe}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{id} no longer calls {target}: {what} becomes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a {kind} is no number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected nodes become one call of a submodule. AOTAutograd sees through it, so the generated code stays the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected nodes become one operator that Inductor cannot look into: what is in it is run by eager kernels and fuses with nothing. Its gradient is an operator too, which runs them again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} in {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace {which}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert behind {source}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{user} uses no other node.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert before {user}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrap in a custom operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extract to a submodule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for operations that fit…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type to search: gelu, tanh, add…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s) fit.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No operation fits here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} → all {count} uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} → {value} (all {count})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste {count} node{value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result {name} is used instead of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose what stands for {first} here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It fits: every type is known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another input of {user}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names}: now {used}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type to search for a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{user} ({target}) uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let it use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A second {node} is made. The uses ticked here become uses of the second.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A name is letters, digits and _, and begins with a letter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Only the %n selected node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Make the edits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} edit{value}, undone in one step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} Trying…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} It works: every type is known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of unknown type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{id} is {was}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> now; trying the change…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{now}, as before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} and {line} are filled in. Words are handed to the program as they are, without a shell; quote a path that has spaces. Empty: the first editor found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Editor command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open lines with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That cannot be used: {error}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The GPU itself would decide these by measuring, or in CUDA&apos;s C++. Another choice is captured in place of this one; the bar above the panes says what it changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
… and {value} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times are torch&apos;s own, on the GPU of this capture. For a matrix product they are of templates and library calls (max-autotune); for a generated kernel of its blocks and warps, at the first launch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured choices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over the fastest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>templates and libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>configurations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>could not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest relative error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interpreted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each kernel runs on the CPU, and what it makes is compared with its part of the graph in float64, computed from what the kernel was given. Mathematics and masks are checked; races, layouts and the GPU&apos;s own arithmetic are not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels checked on the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running the kernels through Triton&apos;s interpreter…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernels checked on the CPU: {right} of {count} agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {wrong} do not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{blocks} (Inductor&apos;s are smaller)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest error {max_absolute:.2e}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This graph&apos;s kernels cannot be checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its graph or loop IR was not captured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What Inductor&apos;s heuristic would try on the GPU is replaced by these, in the kernel&apos;s source. The first one is lowered and shown; on a GPU the fastest of them is measured at the first launch. Undo brings the heuristic back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Configurations of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} is no number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An empty cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assembly of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiling the kernel as Inductor does…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{total} instructions, {vectors} of them on vectors (striped). Compiled in {seconds:.1f} s with the command that Inductor uses; a line is what the compiler&apos;s debug information says.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{bits}-bit vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The edit takes effect when you recompile: only this kernel is built again, run and judged against the graph. Undo restores the generated source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel is lowered again at once; what it needs then stands beside what it needed in GPU kernels. Nothing is run: whether it still computes the same is not judged. Undo restores the generated source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {line}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Knobs of {kernel}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generating the kernel&apos;s code with each knob…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each knob was tried by generating this kernel&apos;s code. Only this kernel is built again, run and judged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Without effect on it: {others}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As Inductor is set: {default}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As Inductor is set</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>   (%n line(s) change)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source> Torch: &quot;{comment}&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is started on that machine, with the torch and the GPU there; the window stays here. Torch Loupe must be installed there too, in the Python that has torch. Programs are then named by their paths on that machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run on another machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over ssh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Through another command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>user@host, or a name of your ssh configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> on {visible_line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{visible_line}[*]{where} – Torch Loupe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Torch Loupe{where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing can be changed here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>?  all keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys of the graph: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop; what is on the screen of a first capture stays (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying the change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing front ends, {running}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} was saved, captured again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capturing {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {value} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{built_before} more were built before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The compiler builds:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, about {value:.0f} s left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and run backward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is built under fake tensors, so it may be larger than this machine: compiled, not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one graph, or fail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None (as it turns out)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>do nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the program is captured; the rest of this box is torch.compile&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this machine&apos;s GPU, else its CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the CPU of this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the GPU of this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} (need not be here)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inductor writes the very kernels it would write on that GPU, from fake tensors: to be read, not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to assume where the GPU would measure; afterwards File → Assumptions… has each choice. Without values: what a line finds that asks a tensor for its value, such as value@model.py:31=3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>capture with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{part!r} is not of the form key=value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as its architectures say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of each input; of images the configuration has the size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a size cannot be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape or value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From example_inputs() in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Typed as in a call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Argument by argument</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program takes no arguments.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shape of {name} is no list of sizes: {value!r}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel is for what nothing runs of: choose a GPU that need not be here, or “without values”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a program first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the program…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying whether this torch can compile for an absent GPU…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiling for an absent GPU {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel: one of many processes, and its predicted step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For a GPU that need not be here, or without values: under torch&apos;s fake process group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dp=8, tp=8; empty: the program makes its own, or is one process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the mesh has it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a TOML file with [tp] &quot;layers.*.wq&quot; = &quot;colwise&quot;; empty: the model&apos;s own tp_plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With pp in the mesh: which stage is captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>checkpoint each layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>World</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Along dp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan of tp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model.py, package.module, or config.json of transformers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program is on {name}: type its path there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File or module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is neither installed nor PyTorch&apos;s; add folders, packages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors, breaks and guards are told of your own lines where there are any; later: File → Your files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Programs, configurations (*.py *{config})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors, graph breaks and guards are told of your own lines where there are any, and your files are listed first and loaded afresh for each capture. Yours is what is neither installed nor Python&apos;s nor PyTorch&apos;s, and what you name here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Packages of this capture that are yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other folders and packages, separated by commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why {first} and {second} are not in one kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask to fuse them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why fused?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} and {second} are in one kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved edits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are edits, or changes that you kept, which no file holds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save them to a session file?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models, sessions, logs (*.py *{config} *.loupe *{saved} *.log *.log.gz)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the tour&apos;s program?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tour {visible_line} runs {visible_line2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the folder {visible_line}. Run it only if you trust where both come from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a tour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tours (*.toml)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trust this file?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>torch can run code while it loads {visible_line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load it only if you trust where it comes from. You are asked once for each file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trust and load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share as HTML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who gets the page sees the program as it was captured: its source and all that was made of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without code it has no text of the program and no name that you gave; operators, types, links, the kinds of breaks and times stay. Either way it is one file that loads nothing and sends nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With code…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without code…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Web pages (*.html)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export edits as code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{stem!r} cannot be imported. Use letters and _.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What came of the capture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>← Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other ways to look at the program that is open, and at PyTorch itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine: starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine: ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine: busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine: stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop what the engine is doing; nothing is lost (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine: not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Python {python_version}, torch {torch_version}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read from a log of torch {torch}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Captured with Python {python}, torch {torch}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What this step is about</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same tour in the other language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the tour; what is open stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the tour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restricted: this file was not written on this computer. It is only shown; nothing of it is run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trust…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all that would be run of this file, and decide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the program?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trust and run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This session file was not written on this computer. All of this would be run:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only agree if you trust where the file and this program come from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All panes of this place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tr} (Ctrl+{number}; double click puts its panes back)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
