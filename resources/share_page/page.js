// The page: one selection, which every pane shows. All texts of the capture go in by textContent.

const data = JSON.parse(document.getElementById('data').textContent);
for (const stage of data.stages) {
  stage.lines = stage.lines.map((text) => data.texts[text]);
  stage.owners = stage.owners.map((nodes) => (Array.isArray(nodes) ? nodes : [nodes]));
  stage.boxes = stage.boxes.map(([node, ...words]) => [node, ...words.map((text) => data.texts[text])]);
}
const links = new Links(data.links);
const at = (id) => document.getElementById(id);

function made(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

const isSource = (stage) => stage.kind === 'source';
const labelOf = (stage) => [stage.group, stage.title].filter(Boolean).join(' \u203a ');

const shown = { source: -1, graph: -1, code: -1 };
const panes = {
  source: new TextPane(at('source'), links, (nodes) => select(shown.source, nodes, 'source')),
  graph: new GraphPane(at('graph'), (node) => select(shown.graph, node === null ? [] : [node], 'graph')),
  code: new TextPane(at('code'), links, (nodes) => select(shown.code, nodes, 'code')),
};
const fits = {
  source: isSource,
  graph: (stage) => stage.boxes.length > 0,
  code: (stage) => !isSource(stage),
};
let reached = new Map();

function select(stage, nodes, sender) {
  reached = nodes.length ? links.follow(stage, nodes) : new Map();
  if (nodes.length) Object.keys(panes).filter((name) => name !== sender).forEach(bring);
  for (const name of Object.keys(panes)) light(name, name !== sender);
  for (const row of document.querySelectorAll('#pipeline button')) {
    const count = reached.get(Number(row.dataset.stage));
    row.classList.toggle('lit', Boolean(count));
  }
}

// What is shown of another compile, or another file, makes way for what the selection leads to: the same kind of stage.
function bring(name) {
  if (reached.has(shown[name]) || shown[name] < 0) return;
  const { kind, part } = data.stages[shown[name]];
  const found = [...reached.keys()].filter((number) => data.stages[number].kind === kind).sort((one, other) => one - other);
  const other = found.find((number) => data.stages[number].part === part) ?? found[0];
  if (other !== undefined) show(name, other);
}

function light(name, reveal) {
  const nodes = reached.get(shown[name]) || new Set();
  const count = panes[name].light(nodes);
  const unit = name === 'graph' ? 'node' : 'line';
  at(name).querySelector('.lit-count').textContent = count ? `${count} ${unit}${count === 1 ? '' : 's'} lit` : '';
  if (reveal) panes[name].reveal(nodes);
}

function show(name, number) {
  if (number < 0 || shown[name] === number) return;
  shown[name] = number;
  const stage = data.stages[number];
  if (name === 'graph') panes.graph.show(stage);
  else panes[name].show(number, stage, marksOf(number));
  const choice = at(name).querySelector('select');
  choice.value = String(number);
  choice.title = `${labelOf(stage)}\n${stage.about}`;
  light(name, true);
  for (const row of document.querySelectorAll('#pipeline button')) {
    row.classList.toggle('shown', Object.values(shown).includes(Number(row.dataset.stage)));
  }
}

function marksOf(number) {
  const marks = new Map();
  for (const row of data.breaks) if (row.stage === number) marks.set(row.line, [row.title, row.why].filter(Boolean).join('\n'));
  return marks;
}

// A row of the pipeline shows its stage wherever it fits: source left, graphs in the middle and, as programs, right.
function choose(number) {
  const stage = data.stages[number];
  for (const name of Object.keys(panes)) if (fits[name](stage)) show(name, number);
}

function fillPipeline() {
  const groups = new Map();
  for (const [number, stage] of data.stages.entries()) {
    Links.add(groups, isSource(stage) ? 'Source' : stage.group ? `Graph ${stage.group}` : 'As Python has it', number);
  }
  for (const [title, numbers] of groups) {
    at('pipeline').append(made('h2', '', title));
    for (const number of numbers) at('pipeline').append(pipelineRow(number, data.stages[number]));
  }
}

function pipelineRow(number, stage) {
  const row = made('button');
  row.type = 'button';
  row.dataset.stage = number;
  row.title = `${labelOf(stage)}\n${stage.about}`;
  row.append(made('span', 'name', stage.title), made('span', 'size', stage.count.toLocaleString('en')));
  row.addEventListener('click', () => choose(number));
  return row;
}

function fillChoices() {
  for (const name of Object.keys(panes)) {
    const choice = at(name).querySelector('select');
    for (const [number, stage] of data.stages.entries()) {
      if (!fits[name](stage)) continue;
      const option = made('option', '', isSource(stage) ? stage.title : labelOf(stage));
      option.value = String(number);
      choice.append(option);
    }
    choice.disabled = !choice.options.length;
    choice.addEventListener('change', () => show(name, Number(choice.value)));
  }
}

function fillHeader() {
  at('title').textContent = data.title;
  for (const [text, about] of data.result) {
    const part = made('li', '', text);
    part.title = about;
    at('result').append(part);
  }
}

function go(stage, node) {
  for (const name of Object.keys(panes)) if (fits[name](data.stages[stage])) show(name, stage);
  select(stage, [node], '');
}

function breaksPage() {
  if (!data.breaks.length) return [made('p', 'dim', 'Dynamo stopped nowhere.')];
  const list = made('ol', 'breaks');
  for (const row of data.breaks) {
    const item = made('li');
    const place = made(row.stage === null ? 'span' : 'button', 'place', row.where || 'no line is known');
    if (row.stage !== null) {
      place.type = 'button';
      place.addEventListener('click', () => go(row.stage, row.node));
    }
    item.append(place, made('strong', '', row.title), made('p', 'dim', row.why));
    list.append(item);
  }
  return [list];
}

function factsPage(facts) {
  const parts = facts.sentences.map((sentence) => made('p', '', sentence));
  for (const table of facts.tables.filter((one) => one.rows.length)) {
    const drawnTable = made('table');
    drawnTable.append(made('caption', '', table.title));
    const head = made('tr');
    head.append(...table.columns.map((column) => made('th', '', column)));
    drawnTable.append(head);
    for (const row of table.rows) {
      const line = made('tr');
      line.append(...row.cells.map((cell) => made('td', '', cell)));
      if (row.place) {
        const button = made('button', 'place', row.cells[0]);
        button.type = 'button';
        button.addEventListener('click', () => go(row.place[0], row.place[1]));
        line.firstChild.replaceChildren(button);
      }
      drawnTable.append(line);
    }
    parts.push(drawnTable);
  }
  return parts;
}

function aboutPage() {
  const parts = [made('p', '', `Made with ${data.made_with.join(', ')}.`)];
  if (data.hidden) parts.push(made('p', '', 'The program\u2019s text and the names its author gave are not in this page.'));
  parts.push(...data.problems.map((problem) => made('p', 'problem', problem)));
  parts.push(made('p', 'dim', 'Click a line, a node or a kernel: what it was made from and what was made of it lights up in all panes. '
    + 'In the graph, drag to move, turn the wheel to zoom; on the keyboard arrows walk, + and \u2212 zoom, 0 fits. Esc selects nothing.'));
  return parts;
}

function fillTabs() {
  const pages = [[`Breaks (${data.breaks.length})`, breaksPage]];
  pages.push(['Timings', data.timings ? () => factsPage(data.timings) : () => [made('p', 'dim', 'This program was not timed.')]]);
  pages.push(['Verdict', data.verdict ? () => factsPage(data.verdict) : () => [made('p', 'dim', 'Nothing was judged: no edit was compiled and compared.')]]);
  pages.push([data.problems.length ? `About (${data.problems.length} problems)` : 'About', aboutPage]);
  const buttons = pages.map(([title, page]) => {
    const button = made('button', '', title);
    button.type = 'button';
    button.setAttribute('role', 'tab');
    button.addEventListener('click', () => {
      buttons.forEach((other) => other.setAttribute('aria-selected', String(other === button)));
      at('facts').replaceChildren(...page());
      at('facts').scrollTop = 0;
    });
    return button;
  });
  at('tabs').append(...buttons);
  buttons[data.breaks.length ? 0 : data.verdict ? 2 : data.timings ? 1 : 3].click();
}

function fillLook() {
  const root = document.documentElement;
  const dark = () => (root.dataset.look || (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const tell = () => (at('look').textContent = dark() ? 'Light' : 'Dark');
  at('look').addEventListener('click', () => {
    root.dataset.look = dark() ? 'light' : 'dark';
    tell();
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell);
  tell();
}

// At first: the file with the program, the first captured graph, and the kernels it came to.
function showFirst() {
  const first = (test) => data.stages.findIndex(test);
  const broken = data.breaks.find((row) => row.stage !== null);
  const linked = first((stage, index) => isSource(stage) && data.links.some((row) => row[0] === index));
  const file = broken ? broken.stage : linked >= 0 ? linked : first(isSource);
  show('source', file);
  if (file >= 0) {
    const line = [...at('source').querySelectorAll('.linked')][0];
    if (line) at('source').querySelector('.body').scrollTop = Math.max(0, line.offsetTop - 80);
  }
  const graph = first((stage) => stage.kind === 'dynamo_graph');
  show('graph', graph >= 0 ? graph : first(fits.graph));
  const kernels = first((stage) => stage.kind === 'kernels');
  const graphs = data.stages.findLastIndex(fits.graph);
  show('code', kernels >= 0 ? kernels : graphs >= 0 ? graphs : first(fits.code));
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') select(-1, [], '');
});
fillHeader();
fillPipeline();
fillChoices();
fillTabs();
fillLook();
showFirst();
document.documentElement.dataset.ready = 'yes';
