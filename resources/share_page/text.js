// A pane of lines. A click on a line picks what stands on it; a line of a kernel picks itself where it has links of its own.

class TextPane {
  constructor(pane, links, onPick) {
    this.body = pane.querySelector('.body');
    this.links = links;
    this.onPick = onPick;
    this.current = -1;
    this.body.addEventListener('click', (event) => {
      const row = event.target.closest('.line');
      if (row && window.getSelection().isCollapsed) this.pick(Number(row.dataset.line));
    });
    this.body.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
      if (!step || event.ctrlKey || event.metaKey || event.altKey || !this.rows.length) return;
      event.preventDefault();
      this.pick(Math.min(this.rows.length, Math.max(1, this.current + step)));
      this.rows[this.current - 1].scrollIntoView({ block: 'nearest' });
    });
  }

  show(number, stage, marks) {
    this.number = number;
    this.stage = stage;
    this.current = 0;
    this.wholes = new Map(stage.wholes);
    this.byNode = new Map();
    stage.owners.forEach((nodes, index) => nodes.forEach((node) => Links.add(this.byNode, node, index)));
    this.rows = stage.lines.map((text, index) => this.makeRow(text, index, marks));
    this.body.replaceChildren(...this.rows);
    this.body.scrollTop = 0;
  }

  makeRow(text, index, marks) {
    const row = document.createElement('div');
    row.className = 'line';
    row.setAttribute('role', 'option');
    row.dataset.line = index + 1;
    const count = document.createElement('span');
    count.className = 'count';
    count.textContent = index + 1;
    const words = document.createElement('span');
    words.className = 'words';
    if (this.stage.hidden) words.classList.add('hidden');
    else paint(words, text, this.stage.language);
    if (this.stage.owners[index].some((node) => this.links.has(this.number, node))) row.classList.add('linked');
    const told = marks.get(index + 1);
    if (told) {
      row.classList.add('broken');
      row.title = told;
    }
    row.append(count, words);
    return row;
  }

  pick(line) {
    this.current = line;
    const owners = this.stage.owners[line - 1] || [];
    const exact = owners.filter((node) => this.wholes.has(node));
    const fine = exact.some((node) => this.links.has(this.number, node));
    this.onPick(fine ? exact : owners.filter((node) => !this.wholes.has(node)));
  }

  light(nodes) {
    const wholes = new Set([...nodes].filter((node) => this.wholes.has(node)).map((node) => this.wholes.get(node)));
    const lines = new Set();
    for (const node of nodes) {
      if (!wholes.has(node)) (this.byNode.get(node) || []).forEach((index) => lines.add(index));
    }
    for (const row of this.body.querySelectorAll('.lit')) row.classList.remove('lit');
    for (const index of lines) this.rows[index].classList.add('lit');
    return lines.size;
  }

  reveal() {
    const rows = [...this.body.querySelectorAll('.lit')];
    const { top, bottom } = this.body.getBoundingClientRect();
    const seen = (row) => row.getBoundingClientRect().top >= top && row.getBoundingClientRect().bottom <= bottom;
    if (rows.length && !rows.some(seen)) {
      this.body.scrollTop += rows[0].getBoundingClientRect().top - top - 60;
    }
  }
}

const WORDS = {
  python: 'and as assert async await break class continue def del elif else except finally for from global if import in is lambda None nonlocal not or pass raise return True False try while with yield self',
  cpp: 'auto bool break case char class const constexpr continue double else enum extern false float for if include inline int int32_t int64_t long namespace new pragma return short sizeof static struct switch template true typename unsigned using void while',
};
WORDS.triton = WORDS.python;
const KEYWORDS = Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, new Set(words.split(' '))]));
const COMMENTS = { python: '#', triton: '#', cpp: '//', bytecode: '#', loops: '#', ttir: '//', ttgir: '//', llir: ';', ptx: '//' };
const TOKEN = /"[^"]*"|'[^']*'|[A-Za-z_]\w*|\d[\w.]*|\s+|[^\s\w]+?/g;

// Words of a line in few colours; all of it goes in as text.
function paint(parent, text, language) {
  const mark = COMMENTS[language];
  const keywords = KEYWORDS[language];
  const begin = mark ? commentAt(text, mark) : -1;
  const code = begin >= 0 ? text.slice(0, begin) : text;
  let plain = '';
  const put = (word, kind) => {
    if (plain) parent.append(plain);
    plain = '';
    const span = document.createElement('span');
    span.className = kind;
    span.textContent = word;
    parent.append(span);
  };
  if (!keywords || code.length > 400) plain = code;
  else {
    for (const [word] of code.matchAll(TOKEN)) {
      if (keywords.has(word)) put(word, 'keyword');
      else if (/^\d/.test(word)) put(word, 'number');
      else if (/^["']/.test(word)) put(word, 'string');
      else plain += word;
    }
  }
  if (begin >= 0) put(text.slice(begin), 'comment');
  else if (plain) parent.append(plain);
}

function commentAt(text, mark) {
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    const before = text.slice(0, at);
    if (before.split('"').length % 2 && before.split("'").length % 2) return at;
  }
  return -1;
}
