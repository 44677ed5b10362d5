<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name></name>
    <message numerus="yes">
        <source>{times}{count:,} node(s)</source>
        <translation>
            <numerusform>{times}{count:,} node</numerusform>
            <numerusform>{times}{count:,} nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} instruction(s)</source>
        <translation>
            <numerusform>{count:,} instruction</numerusform>
            <numerusform>{count:,} instructions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} line(s)</source>
        <translation>
            <numerusform>{count:,} line</numerusform>
            <numerusform>{count:,} lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} kernel(s)</source>
        <translation>
            <numerusform>{count:,} kernel</numerusform>
            <numerusform>{count:,} kernels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count:,} node(s)</source>
        <translation>
            <numerusform>{count:,} node</numerusform>
            <numerusform>{count:,} nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>met %n time(s)</source>
        <translation>
            <numerusform>met once</numerusform>
            <numerusform>met %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No graph breaks: the whole program is %n graph(s)</source>
        <translation>
            <numerusform>No graph breaks: the whole program is %n graph</numerusform>
            <numerusform>No graph breaks: the whole program is %n graphs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s) in {seconds:.1f} s</source>
        <translation>
            <numerusform>%n trial in {seconds:.1f} s</numerusform>
            <numerusform>%n trials in {seconds:.1f} s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%n place</numerusform>
            <numerusform>%n places</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Graph {id} with %n node(s)</source>
        <translation>
            <numerusform>Graph {id} with %n node</numerusform>
            <numerusform>Graph {id} with %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n node(s)</source>
        <translation>
            <numerusform>, %n node</numerusform>
            <numerusform>, %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edge(s)</source>
        <translation>
            <numerusform>%n edge</numerusform>
            <numerusform>%n edges</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Open %n level(s)</source>
        <translation>
            <numerusform>Open %n level</numerusform>
            <numerusform>Open %n levels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n match</numerusform>
            <numerusform>%n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n differ(s)</source>
        <translation>
            <numerusform>%n differs</numerusform>
            <numerusform>%n differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guard(s) fail</source>
        <translation>
            <numerusform>one guard fails</numerusform>
            <numerusform>%n guards fail</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n rank(s)</source>
        <translation>
            <numerusform>, %n rank</numerusform>
            <numerusform>, %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kernel(s), the largest part first</source>
        <translation>
            <numerusform>%n kernel, the largest part first</numerusform>
            <numerusform>%n kernels, the largest part first</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more kernel(s)</source>
        <translation>
            <numerusform>and %n more kernel</numerusform>
            <numerusform>and %n more kernels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name}, line(s) {lines}</source>
        <translation>
            <numerusform>{name}, line {lines}</numerusform>
            <numerusform>{name}, lines {lines}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{budget:.0%}: would keep {size} and repeat %n operation(s) ({flops}, estimated)</source>
        <translation>
            <numerusform>{budget:.0%}: would keep {size} and repeat %n operation ({flops}, estimated)</numerusform>
            <numerusform>{budget:.0%}: would keep {size} and repeat %n operations ({flops}, estimated)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n near miss(es)</source>
        <translation>
            <numerusform>%n near miss</numerusform>
            <numerusform>%n near misses</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace %n match(es)</source>
        <translation>
            <numerusform>Replace %n match</numerusform>
            <numerusform>Replace %n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n note(s)</source>
        <translation>
            <numerusform>%n note</numerusform>
            <numerusform>%n notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more file(s) lie beside this one</source>
        <translation>
            <numerusform>%n more file lies beside this one</numerusform>
            <numerusform>%n more files lie beside this one</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Compare with the %n other(s)</source>
        <translation>
            <numerusform>Compare with it</numerusform>
            <numerusform>Compare with the %n others</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, met %n time(s)</source>
        <translation>
            <numerusform>, met once</numerusform>
            <numerusform>, met %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) changed. The file on disk stays as it is.</source>
        <translation>
            <numerusform>%n line changed. The file on disk stays as it is.</numerusform>
            <numerusform>%n lines changed. The file on disk stays as it is.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n collective(s)</source>
        <translation>
            <numerusform>%n collective</numerusform>
            <numerusform>%n collectives</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{what} {time} ({count:,} sample(s))</source>
        <translation>
            <numerusform>{what} {time} ({count:,} sample)</numerusform>
            <numerusform>{what} {time} ({count:,} samples)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s)</source>
        <translation>
            <numerusform>once</numerusform>
            <numerusform>%n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n profiled step(s)</source>
        <translation>
            <numerusform>%n profiled step</numerusform>
            <numerusform>%n profiled steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kernel(s) do no arithmetic: in the table only.</source>
        <translation>
            <numerusform>%n kernel does no arithmetic: in the table only.</numerusform>
            <numerusform>%n kernels do no arithmetic: in the table only.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) added</source>
        <translation>
            <numerusform>%n line added</numerusform>
            <numerusform>%n lines added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) removed</source>
        <translation>
            <numerusform>%n line removed</numerusform>
            <numerusform>%n lines removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) changed</source>
        <translation>
            <numerusform>%n line changed</numerusform>
            <numerusform>%n lines changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) moved</source>
        <translation>
            <numerusform>%n line moved</numerusform>
            <numerusform>%n lines moved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No difference: %n equal line(s)</source>
        <translation>
            <numerusform>No difference: %n equal line</numerusform>
            <numerusform>No difference: %n equal lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name}: %n line(s) differ</source>
        <translation>
            <numerusform>{name}: %n line differs</numerusform>
            <numerusform>{name}: %n lines differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n function(s) changed</source>
        <translation>
            <numerusform>%n function changed</numerusform>
            <numerusform>%n functions changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Source: %n line(s) changed</source>
        <translation>
            <numerusform>Source: %n line changed</numerusform>
            <numerusform>Source: %n lines changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n graph(s)</source>
        <translation>
            <numerusform>%n graph</numerusform>
            <numerusform>%n graphs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n op(s)</source>
        <translation>
            <numerusform>%n op</numerusform>
            <numerusform>%n ops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guard(s)</source>
        <translation>
            <numerusform>%n guard</numerusform>
            <numerusform>%n guards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reading %n file(s)</source>
        <translation>
            <numerusform>Reading %n file</numerusform>
            <numerusform>Reading %n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · %n edit(s) made again, not compiled yet</source>
        <translation>
            <numerusform> · %n edit made again, not compiled yet</numerusform>
            <numerusform> · %n edits made again, not compiled yet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s) fit.</source>
        <translation>
            <numerusform>%n operation fits.</numerusform>
            <numerusform>%n operations fit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Only the %n selected node(s)</source>
        <translation>
            <numerusform>Only the selected node</numerusform>
            <numerusform>Only the %n selected nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s), undone in one step.</source>
        <translation>
            <numerusform>%n edit, undone in one step.</numerusform>
            <numerusform>%n edits, undone in one step.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>   (%n line(s) change)</source>
        <translation>
            <numerusform>   (%n line changes)</numerusform>
            <numerusform>   (%n lines change)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{title}
{path}:{line}, %n guard(s)</source>
        <translation>
            <numerusform>{title}
{path}:{line}, %n guard</numerusform>
            <numerusform>{title}
{path}:{line}, %n guards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Paste %n node(s)</source>
        <translation>
            <numerusform>Paste %n node</numerusform>
            <numerusform>Paste %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>called %n time(s)</source>
        <translation>
            <numerusform>called once</numerusform>
            <numerusform>called %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more rank(s) are not listed: capture one with its number.</source>
        <translation>
            <numerusform>%n more rank is not listed: capture it with its number.</numerusform>
            <numerusform>%n more ranks are not listed: capture one with its number.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n job(s)</source>
        <translation>
            <numerusform>%n job</numerusform>
            <numerusform>%n jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Further steps compiled again (%n time(s)), so this is not the time of the graphs shown.</source>
        <translation>
            <numerusform>A further step compiled again, so this is not the time of the graphs shown.</numerusform>
            <numerusform>%n further steps compiled again, so this is not the time of the graphs shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n kernel(s)</source>
        <translation>
            <numerusform>%n kernel</numerusform>
            <numerusform>All %n kernels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kernel(s) in running order</source>
        <translation>
            <numerusform>%n kernel in running order</numerusform>
            <numerusform>%n kernels in running order</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Recover %n edit(s) of {name}</source>
        <translation>
            <numerusform>Recover %n edit of {name}</numerusform>
            <numerusform>Recover %n edits of {name}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n process(es) of the program load torch and are not recorded:</source>
        <translation>
            <numerusform>One process of the program loads torch and is not recorded:</numerusform>
            <numerusform>%n processes of the program load torch and are not recorded:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and one more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s) of {program} came after another program was asked for.</source>
        <translation>
            <numerusform>%n edit of {program} came after another program was asked for.</numerusform>
            <numerusform>%n edits of {program} came after another program was asked for.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s) that no file holds can be recovered.</source>
        <translation>
            <numerusform>%n edit that no file holds can be recovered.</numerusform>
            <numerusform>%n edits that no file holds can be recovered.</numerusform>
        </translation>
    </message>
</context>
</TS>
