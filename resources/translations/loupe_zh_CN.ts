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
        <source>Graph breaks</source>
        <translation>图中断</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
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
        <source>Source</source>
        <translation>源码</translation>
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
        <source>The stage that is shown, as a program</source>
        <translation>当前阶段,以程序显示</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
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
        <source>Edits</source>
        <translation>编辑记录</translation>
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
        <source>Changes</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>What the last save of the file or the last capture changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Any two graphs: added, removed, changed and moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Front ends</source>
        <translation>前端</translation>
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
        <source>torch.compile runs for real: the program is traced, its kernels are written and built by the C++ compiler. The first capture takes longest, since torch is loaded meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
