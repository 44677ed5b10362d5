// A layered layout: rows from inputs to outputs, few crossings, boxes near what they are joined to.

const ROW_GAP = 34;
const COLUMN_GAP = 18;
const BOX_HEIGHT = 38;
const LONGEST = 14; // an arrow over more rows than this is drawn as two stubs

function rowsOf(boxes, arrows) {
  const rank = new Array(boxes.length).fill(0);
  const into = boxes.map(() => []);
  const from = boxes.map(() => []);
  for (const arrow of arrows) {
    into[arrow.target].push(arrow);
    from[arrow.source].push(arrow);
  }
  for (let index = 0; index < boxes.length; index++) {
    for (const arrow of into[index]) {
      if (arrow.source < index) rank[index] = Math.max(rank[index], rank[arrow.source] + 1);
    }
  }
  // what has no inputs stands right above its first user
  for (let index = boxes.length - 1; index >= 0; index--) {
    if (!into[index].length && from[index].length) {
      rank[index] = Math.max(0, Math.min(...from[index].map((arrow) => rank[arrow.target])) - 1);
    }
  }
  return rank;
}

function layOut(boxes, arrows) {
  const rank = rowsOf(boxes, arrows);
  const cells = boxes.map((box, index) => ({ index, rank: rank[index], width: box.width, up: [], down: [], x: 0 }));
  const ways = [];
  for (const arrow of arrows) {
    const [low, high] = [rank[arrow.source], rank[arrow.target]];
    if (high - low > LONGEST || high <= low) {
      ways.push({ arrow, long: true, cells: [cells[arrow.source], cells[arrow.target]] });
      continue;
    }
    const way = [cells[arrow.source]];
    for (let row = low + 1; row < high; row++) {
      const bend = { index: -1, rank: row, width: 6, up: [], down: [], x: 0 };
      cells.push(bend);
      way.push(bend);
    }
    way.push(cells[arrow.target]);
    for (let step = 1; step < way.length; step++) {
      way[step - 1].down.push(way[step]);
      way[step].up.push(way[step - 1]);
    }
    ways.push({ arrow, long: false, cells: way });
  }
  const rows = [];
  for (const cell of cells) (rows[cell.rank] = rows[cell.rank] || []).push(cell);
  const filled = rows.filter(Boolean);
  filled.forEach((row) => row.forEach((cell, order) => (cell.order = order)));
  sweep(filled);
  place(filled);
  const left = Math.min(...cells.map((cell) => cell.x - cell.width / 2), 0);
  for (const cell of cells) {
    cell.x -= left;
    cell.y = cell.rank * (BOX_HEIGHT + ROW_GAP) + BOX_HEIGHT / 2;
  }
  const right = Math.max(...cells.map((cell) => cell.x + cell.width / 2), 1);
  return { cells: cells.slice(0, boxes.length), ways, width: right, height: rows.length * (BOX_HEIGHT + ROW_GAP) };
}

const mean = (cells, key) => cells.reduce((sum, cell) => sum + cell[key], 0) / cells.length;

function sweep(rows) {
  for (let round = 0; round < 8; round++) {
    const downward = round % 2 === 0;
    const list = downward ? rows : [...rows].reverse();
    for (const row of list) {
      for (const cell of row) {
        const near = downward ? cell.up : cell.down;
        cell.wish = near.length ? mean(near, 'order') : cell.order;
      }
      row.sort((one, other) => one.wish - other.wish);
      row.forEach((cell, order) => (cell.order = order));
    }
  }
}

function place(rows) {
  for (const row of rows) {
    let x = 0;
    for (const cell of row) {
      cell.x = x + cell.width / 2;
      x += cell.width + COLUMN_GAP;
    }
    const middle = (x - COLUMN_GAP) / 2;
    row.forEach((cell) => (cell.x -= middle));
  }
  for (let round = 0; round < 10; round++) {
    const downward = round % 2 === 0;
    for (const row of downward ? rows : [...rows].reverse()) {
      const wishes = row.map((cell) => {
        const near = downward ? inner(cell.up) : cell.down;
        const other = downward ? cell.down : inner(cell.up);
        return near.length ? mean(near, 'x') : other.length ? mean(other, 'x') : cell.x;
      });
      settle(row, wishes);
    }
  }
}

// Inputs and parameters stand where their users are, and do not draw those aside.
function inner(cells) {
  const found = cells.filter((cell) => cell.up.length);
  return found.length ? found : cells;
}

// Every cell as near to its wish as the order in the row and the gaps allow: neighbours that push share the push.
function settle(row, wishes) {
  const groups = [];
  row.forEach((cell, index) => {
    const weight = cell.up.length ? 12 : 1;
    const group = { first: index, count: 1, offsets: [0], weight, sum: weight * wishes[index] };
    groups.push(group);
    while (groups.length > 1) {
      const last = groups[groups.length - 1];
      const before = groups[groups.length - 2];
      const endCell = row[before.first + before.count - 1];
      const shift = before.offsets[before.count - 1] + endCell.width / 2 + COLUMN_GAP + row[last.first].width / 2;
      if (before.sum / before.weight + shift <= last.sum / last.weight) break;
      before.offsets.push(...last.offsets.map((offset) => offset + shift));
      before.sum += last.sum - last.weight * shift;
      before.weight += last.weight;
      before.count += last.count;
      groups.pop();
    }
  });
  for (const group of groups) {
    const start = group.sum / group.weight;
    group.offsets.forEach((offset, index) => (row[group.first + index].x = start + offset));
  }
}
