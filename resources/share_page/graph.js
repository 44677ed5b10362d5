// The graph pane: boxes and arrows, pan by dragging, zoom by the wheel, arrows of the keyboard walk along the graph.

const SVG = 'http://www.w3.org/2000/svg';
const BAND = 16; // so many rows are shown or left out together
const FAR = 0.45; // below this zoom words are left out
const MOST_LETTERS = 26;

function drawn(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

// Names of parameters differ at their ends.
const short = (text) => (text.length > MOST_LETTERS ? `${text.slice(0, 10)}\u2026${text.slice(11 - MOST_LETTERS)}` : text);

const ruler = document.createElement('canvas').getContext('2d');
const FONT = 'px system-ui, "Segoe UI", "DejaVu Sans", sans-serif'; // as in page.css

function widthOf(text, font) {
  ruler.font = font + FONT;
  return ruler.measureText(text).width;
}

class GraphPane {
  constructor(pane, onPick) {
    this.body = pane.querySelector('.body');
    this.onPick = onPick;
    this.svg = drawn('svg', { width: '100%', height: '100%' }, this.body);
    this.layer = drawn('g', {}, this.svg);
    this.view = { x: 0, y: 0, zoom: 1 };
    this.bands = [];
    this.items = new Map();
    new ResizeObserver(() => {
      this.size = this.body.getBoundingClientRect();
      if (this.layout) this.leaveOut();
    }).observe(this.body);
    this.listen(pane);
  }

  show(stage) {
    this.stage = stage;
    this.picked = undefined;
    this.size = this.body.getBoundingClientRect(); // asked for here: with new boxes in it, they would all be laid out first
    this.layer.replaceChildren();
    this.items.clear();
    const boxes = stage.boxes.map(([node, title, name, detail, role, lane]) => {
      const second = [name === title ? '' : name, detail].filter(Boolean).join('  ');
      const words = Math.max(widthOf(short(title), '600 12'), widthOf(short(second), '11'));
      return { node, title, second, role, lane, width: Math.max(64, words + 22) };
    });
    const arrows = stage.arrows.map(([source, target, saved]) => ({ source, target, saved }));
    this.layout = layOut(boxes, arrows);
    this.near = boxes.map(() => ({ up: [], down: [] }));
    for (const arrow of arrows) {
      this.near[arrow.source].down.push(arrow.target);
      this.near[arrow.target].up.push(arrow.source);
    }
    const lines = drawn('g', { class: 'arrows' }, this.layer);
    this.ways = this.layout.ways.map((way) => ({ way, line: this.drawWay(way, lines) }));
    this.bands = [];
    boxes.forEach((box, index) => this.drawBox(box, index));
    const readable = this.bestZoom() >= FAR;
    if (readable) this.fit();
    else this.showBeginning();
  }

  // A graph too large to be read as a whole begins at its first operation.
  showBeginning() {
    const { width } = this.size;
    const cell = this.layout.cells.find((one) => one.up.length) || this.layout.cells[0];
    this.view = { zoom: 0.75, x: width / 2 - cell.x * 0.75, y: 16 };
    this.apply();
  }

  drawWay({ arrow, long, cells }, parent) {
    const half = BOX_HEIGHT / 2;
    const [first, last] = [cells[0], cells[cells.length - 1]];
    let path = '';
    if (long) {
      path = `M${first.x} ${first.y + half}v14M${last.x} ${last.y - half - 14}v14`;
    } else {
      path = `M${first.x} ${first.y + half}`;
      let [x, y] = [first.x, first.y + half];
      cells.slice(1).forEach((cell, index) => {
        const end = index === cells.length - 2;
        const top = end ? cell.y - half : cell.y - half;
        const bend = (top - y) / 2;
        path += `C${x} ${y + bend} ${cell.x} ${top - bend} ${cell.x} ${top}`;
        if (!end) path += `V${cell.y + half}`;
        [x, y] = [cell.x, end ? top : cell.y + half];
      });
    }
    const line = drawn('path', { d: path }, parent);
    if (arrow.saved) line.classList.add('saved');
    if (long) line.classList.add('stub');
    return line;
  }

  drawBox(box, index) {
    const cell = this.layout.cells[index];
    const band = Math.floor(cell.rank / BAND);
    this.bands[band] = this.bands[band] || drawn('g', {}, this.layer);
    const corner = `translate(${cell.x - box.width / 2} ${cell.y - BOX_HEIGHT / 2})`;
    const group = drawn('g', { class: 'node', transform: corner }, this.bands[band]);
    group.dataset.node = box.node;
    group.dataset.index = index;
    group.dataset.role = box.lane === 'backward' && box.role === 'operation' ? 'backward' : box.role;
    drawn('title', {}, group).textContent = [box.title, box.second].filter(Boolean).join('\n');
    drawn('rect', { class: 'box', width: box.width, height: BOX_HEIGHT, rx: 5 }, group);
    drawn('rect', { class: 'stripe', width: 4, height: BOX_HEIGHT, rx: 2 }, group);
    drawn('text', { class: 'what', x: 12, y: box.second ? 16 : 23 }, group).textContent = short(box.title);
    if (box.second) drawn('text', { class: 'name', x: 12, y: 30 }, group).textContent = short(box.second);
    this.items.set(box.node, { group, index, cell });
  }

  light(nodes) {
    const lit = new Set();
    for (const [node, { group, index }] of this.items) {
      const on = nodes.has(node);
      group.classList.toggle('lit', on);
      if (on) lit.add(index);
    }
    for (const { way, line } of this.ways) {
      const { source, target } = way.arrow;
      line.classList.toggle('lit', lit.has(source) || lit.has(target));
      if (way.long && (lit.has(source) || lit.has(target)) !== line.classList.contains('whole')) {
        this.wholeWay(way, line, !line.classList.contains('whole'));
      }
    }
    return lit.size;
  }

  // A long arrow is drawn as a whole while one of its ends is lit.
  wholeWay(way, line, whole) {
    const half = BOX_HEIGHT / 2;
    const [first, last] = [way.cells[0], way.cells[way.cells.length - 1]];
    const bend = Math.min(120, Math.abs(last.y - first.y) / 2);
    const [top, bottom] = [first.y + half, last.y - half];
    const stub = `M${first.x} ${top}v14M${last.x} ${bottom - 14}v14`;
    const full = `M${first.x} ${top}C${first.x} ${top + bend} ${last.x} ${bottom - bend} ${last.x} ${bottom}`;
    line.setAttribute('d', whole ? full : stub);
    line.classList.toggle('whole', whole);
  }

  reveal(nodes) {
    if (!this.layout) return;
    const cells = [...nodes].filter((node) => this.items.has(node)).map((node) => this.items.get(node).cell);
    if (!cells.length) return;
    const { width, height } = this.size;
    const inside = (cell) => {
      const [x, y] = [cell.x * this.view.zoom + this.view.x, cell.y * this.view.zoom + this.view.y];
      return x > 20 && x < width - 20 && y > 20 && y < height - 20;
    };
    if (this.view.zoom >= FAR && cells.some(inside)) return;
    this.view.zoom = Math.max(this.view.zoom, 0.8);
    const top = cells.reduce((one, other) => (other.y < one.y ? other : one));
    this.view.x = width / 2 - top.x * this.view.zoom;
    this.view.y = height / 3 - top.y * this.view.zoom;
    this.apply();
  }

  bestZoom() {
    const { width, height } = this.size;
    return Math.max(0.001, Math.min(1, (width - 24) / this.layout.width, (height - 24) / this.layout.height));
  }

  fit() {
    const { width, height } = this.size;
    if (!this.layout) return;
    const zoom = this.bestZoom();
    this.view = { zoom, x: (width - this.layout.width * zoom) / 2, y: Math.max(12, (height - this.layout.height * zoom) / 2) };
    this.apply();
  }

  zoomBy(factor, x, y) {
    if (!this.layout) return;
    const { width, height } = this.size;
    const [at, down] = [x ?? width / 2, y ?? height / 2];
    const zoom = Math.min(3, Math.max(0.001, this.view.zoom * factor));
    const scale = zoom / this.view.zoom;
    this.view = { zoom, x: at - (at - this.view.x) * scale, y: down - (down - this.view.y) * scale };
    this.apply();
  }

  apply() {
    const { x, y, zoom } = this.view;
    this.layer.setAttribute('transform', `translate(${x} ${y}) scale(${zoom})`);
    this.svg.classList.toggle('far', zoom < FAR);
    this.leaveOut();
  }

  // Boxes far outside of the view are not laid out: a large graph's words are what takes a browser long.
  leaveOut() {
    const tall = BAND * (BOX_HEIGHT + ROW_GAP);
    const first = -this.view.y / this.view.zoom / tall - 1;
    const last = (this.size.height - this.view.y) / this.view.zoom / tall + 1;
    this.bands.forEach((band, index) => {
      const display = index < first - 1 || index > last ? 'none' : '';
      if (band.style.display !== display) band.style.display = display;
    });
  }

  walk(key) {
    const current = !this.items.has(this.picked) ? undefined : this.items.get(this.picked);
    const index = current ? current.index : 0;
    let next = index;
    if (current && key === 'ArrowDown') next = this.near[index].down[0] ?? index;
    if (current && key === 'ArrowUp') next = this.near[index].up[0] ?? index;
    if (current && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      const row = this.layout.cells.filter((cell) => cell.rank === current.cell.rank).sort((one, other) => one.x - other.x);
      const at = row.indexOf(current.cell) + (key === 'ArrowLeft' ? -1 : 1);
      next = (row[at] || current.cell).index;
    }
    if (!this.stage || !this.stage.boxes.length) return;
    this.pick(this.stage.boxes[next][0]);
    this.reveal(new Set([this.picked]));
  }

  pick(node) {
    this.picked = node;
    this.onPick(node);
  }

  listen(pane) {
    let from = null;
    this.svg.addEventListener('pointerdown', (event) => {
      if (event.button === 0) from = { x: event.clientX, y: event.clientY, view: { ...this.view }, moved: false };
    });
    window.addEventListener('pointermove', (event) => {
      if (!from) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!from.moved && Math.hypot(x, y) < 4) return;
      from.moved = true;
      this.view = { ...from.view, x: from.view.x + x, y: from.view.y + y };
      this.apply();
    });
    window.addEventListener('pointerup', (event) => {
      const dragged = from && from.moved;
      const began = from;
      from = null;
      if (!began || dragged) return;
      const group = event.target.closest ? event.target.closest('.node') : null;
      if (group) this.pick(Number(group.dataset.node));
      else this.onPick(null);
    });
    this.svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      const { left, top } = this.body.getBoundingClientRect();
      this.zoomBy(Math.exp(-event.deltaY * 0.0015), event.clientX - left, event.clientY - top);
    }, { passive: false });
    const tools = { in: () => this.zoomBy(1.3), out: () => this.zoomBy(1 / 1.3), fit: () => this.fit() };
    for (const button of pane.querySelectorAll('[data-do]')) button.addEventListener('click', tools[button.dataset.do]);
    this.body.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const keys = { '+': tools.in, '=': tools.in, '-': tools.out, 0: tools.fit };
      if (keys[event.key]) keys[event.key]();
      else if (event.key.startsWith('Arrow')) this.walk(event.key);
      else return;
      event.preventDefault();
    });
  }
}
