// Draws scenes: shapes by kind, owners by look. Knows no game.
const SVG = "http://www.w3.org/2000/svg";
const LAYERS = ["cell", "box", "line", "mark", "disc", "dot"];
const OWNER = ["", "", "var(--first)", "var(--second)"];

function svg(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  return node;
}

// The states of every shape after so many plies of a game.
function statesAfter(replays, game, plies) {
  const states = new Uint8Array(replays.shapes.length);
  const apply = ply => { for (const word of ply ? ply.split(",") : []) { const n = parseInt(word, 36); states[n >> 2] = n & 3; } };
  apply(replays.start);
  const all = replays.games[game] === "" ? [] : replays.games[game].split(" ");
  all.slice(0, plies).forEach(apply);
  return states;
}

function drawPiece(shape, state, look) {
  const [, x, y, w, h] = shape, cx = x + w / 2, cy = y + h / 2, stroke = OWNER[state];
  if (look === "cross") return svg("path", { d: `M${cx - .3} ${cy - .3}l.6 .6m0-.6l-.6 .6`, stroke, "stroke-width": .12, "stroke-linecap": "round" });
  if (look === "ring") return svg("circle", { cx, cy, r: .3, fill: "none", stroke, "stroke-width": .12 });
  return svg("circle", { cx, cy, r: .4, fill: look === "dark" ? "#14120f" : "#fff", stroke: look === "dark" ? "#8a8272" : "#14120f", "stroke-width": .04 });
}

function drawShape(replays, shape, state) {
  const [kind, x, y, w, h] = shape, look = state > 1 ? replays.players[state - 2].look : "";
  if (kind === "cell") return svg("rect", { x, y, width: w, height: h, fill: "var(--board)", stroke: "var(--rule)", "stroke-width": .03 });
  if (kind === "dot") return svg("circle", { cx: x, cy: y, r: .09, fill: "var(--ink)" });
  if (kind === "line") {
    const group = svg("g", {}), d = `M${x} ${y}L${x + w} ${y + h}`;
    const line = (stroke, width) => group.append(svg("path", { d, stroke, "stroke-width": width }));
    if (!state) line("var(--rule)", .03); else line(state > 1 ? OWNER[state] : "var(--ink)", .11);
    if (state && look === "ring") line("var(--card)", .04);
    return group;
  }
  if (!state) return null;
  if (kind === "box") {
    const group = svg("g", {});
    group.append(svg("rect", { x: x + .1, y: y + .1, width: w - .2, height: h - .2, fill: OWNER[state] || "var(--rule)", "fill-opacity": .35 }));
    if (state > 1) group.append(svg("text", { x: x + w / 2, y: y + h / 2 + .14, "text-anchor": "middle", style: "font-size:.4px" }, replays.players[state - 2].symbol));
    return group;
  }
  return state > 1 ? drawPiece(shape, state, look) : null;
}

// The board after so many plies; `last` is the move to mark.
function drawBoard(replays, game, plies, last) {
  const { width, height } = replays, edge = .6;
  const board = svg("svg", { viewBox: `${-edge} ${-edge} ${width + 2 * edge} ${height + 2 * edge}`, role: "img" });
  const label = (x, y, text) => board.append(svg("text", { x, y, "text-anchor": "middle", style: "font-size:.28px;fill:var(--soft)" }, text));
  // One label more than columns: they stand at the grid lines.
  const first = replays.columns.length > width ? 0 : .5;
  replays.columns.forEach((text, n) => label(n + first, -.22, text));
  replays.rows.forEach((text, n) => label(-.32, n + first + .1, text));
  const states = statesAfter(replays, game, plies);
  for (const layer of LAYERS)
    replays.shapes.forEach((shape, n) => { if (shape[0] === layer) { const node = drawShape(replays, shape, states[n]); if (node) board.append(node); } });
  const marked = last === undefined ? undefined : replays.shapes.find(shape => shape[5] === last);
  if (marked) board.append(svg("rect", { x: marked[1] + marked[3] / 2 - .08, y: marked[2] + marked[4] / 2 - .08, width: .16, height: .16, fill: "var(--mark)", stroke: "var(--card)", "stroke-width": .03 }));
  return board;
}
