// Following a selection along the links, as the window does: everything a node was made from (up), everything made
// from it (down), never both in turn, so that brothers do not light up.

const SIZE = 2 ** 24; // more nodes than a stage can have; a key is stage * SIZE + node

class Links {
  constructor(rows) {
    this.down = new Map();
    this.up = new Map();
    this.equalLocations = new Map();
    for (const [source, target, ends, equalLocations, , , pairs] of rows) {
      for (let index = 0; index < pairs.length; index += 2) {
        const above = source * SIZE + pairs[index];
        const below = target * SIZE + pairs[index + 1];
        Links.add(this.down, above, { key: below, ends });
        Links.add(this.up, below, { key: above, ends });
        if (equalLocations) Links.add(this.equalLocations, below, above);
      }
    }
  }

  static add(map, key, value) {
    const held = map.get(key);
    if (held) held.push(value);
    else map.set(key, [value]);
  }

  has(stage, node) {
    const key = stage * SIZE + node;
    return this.down.has(key) || this.up.has(key);
  }

  walk(edges, keys) {
    const first = new Set(keys);
    const goneOn = new Set(keys);
    const stack = [...first];
    const found = new Set();
    while (stack.length) {
      const key = stack.pop();
      for (const { key: next, ends } of edges.get(key) || []) {
        if (ends && !first.has(key)) continue;
        found.add(next);
        if (!ends && !goneOn.has(next)) {
          goneOn.add(next);
          stack.push(next);
        }
      }
    }
    return found;
  }

  // stage -> set of nodes, the nodes asked about among them
  follow(stage, nodes) {
    const keys = nodes.map((node) => stage * SIZE + node);
    const reached = new Map();
    const note = (key) => {
      const at = Math.floor(key / SIZE);
      if (!reached.has(at)) reached.set(at, new Set());
      reached.get(at).add(key % SIZE);
    };
    keys.forEach(note);
    this.walk(this.up, keys).forEach(note);
    this.walk(this.down, keys).forEach(note);
    const forms = new Map();
    for (const key of keys) {
      for (const equal of this.equalLocations.get(key) || []) Links.add(forms, Math.floor(equal / SIZE), equal);
    }
    for (const equalLocations of forms.values()) this.walk(this.down, equalLocations).forEach(note);
    return reached;
  }
}
