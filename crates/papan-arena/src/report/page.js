// The report's page: every part is made from the data, in the chosen language.
const { summary, replays } = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);
const names = []; for (const row of summary.standings) names[row.entrant] = row.name;
const kept = (key, fallback) => { try { return localStorage.getItem("papan-report-" + key) || fallback; } catch { return fallback; } };
const keep = (key, value) => { try { localStorage.setItem("papan-report-" + key, value); } catch { /* a page from a file may have no memory */ } };
let language = kept("language", (navigator.language || "").startsWith("id") ? "id" : "en");
let theme = kept("theme", matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
let word = WORDS.en, only = -1, shown = 0, ply = 0, timer = 0;

function make(name, text, className) {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  return node;
}
const halves = n => (n % 2 ? (n > 1 ? Math.floor(n / 2) : "") + "½" : String(n / 2));
const signed = n => (n > 0 ? "+" : "") + Math.round(n);
// What may be said of a rating was decided where it was computed; here it is only written.
const strength = row => row.rating !== null ? `${signed(row.rating)} ± ${Math.round(row.rating_error)}`
  : row.rating_at_least !== null ? `≥ ${signed(row.rating_at_least)}` : row.rating_at_most !== null ? `≤ ${signed(row.rating_at_most)}` : word.unknown;
const rounded = n => String(Math.round(100 * n) / 100);
// Under the name, where no width of the page can hide them.
const nameAndFaults = row => [row.name, ...Object.entries(row.faults).map(([verdict, n]) => make("span", `${verdict} ${n}`, "fault-count"))];

// A table from columns: [heading, value of a row, class].
function table(rows, columns) {
  const result = make("table"), head = make("tr"), body = make("tbody");
  for (const [heading, , kind] of columns) { const cell = make("th", heading, kind); cell.scope = "col"; head.append(cell); }
  for (const row of rows) {
    const line = make("tr");
    for (const [, value, kind] of columns) {
      const cell = make("td", undefined, kind); cell.append(...[value(row)].flat());
      line.append(cell);
    }
    body.append(line);
  }
  const top = make("thead"); top.append(head); result.append(top, body);
  return result;
}

function standings() {
  const faulty = summary.standings.some(r => Object.keys(r.faults).length), columns = [
    [word.place, r => r.place], [faulty ? word.nameAndFaults : word.name, nameAndFaults, "name"], [word.points, r => halves(2 * r.points)], [word.played, r => r.games],
    [word.won, r => r.wins], [word.drawn, r => r.draws], [word.lost, r => r.losses], [word.rating, strength, summary.standings.some(r => strength(r) === word.unknown) ? "words" : ""],
  ];
  for (const { key, name } of summary.tie_breaks) columns.push([name[language], r => key === "margin" ? signed(r[key]) : rounded(r[key])]);
  columns.push([word.first, r => r.as_first]);
  if (summary.standings.some(r => r.byes)) columns.push([word.byes, r => r.byes]);
  at("standings").replaceChildren(table(summary.standings, columns));
  const { wins, draws, losses } = summary.first_mover, notes = make("dl");
  for (const { name, meaning } of summary.tie_breaks) notes.append(make("dt", name[language]), make("dd", meaning[language]));
  at("notes").replaceChildren(make("p", summary.ranking[language]), notes, make("p", word.firstMover(wins, draws, losses) + " " + word.distinct(summary.distinct_games)));
}

function ratings() {
  const rows = summary.standings, line = 26, left = 210, width = 760, top = 6;
  // The ends of what is told of a row; an end that is not known runs to the edge.
  const ends = r => r.rating !== null ? [r.rating - r.rating_error, r.rating + r.rating_error] : [r.rating_at_least ?? -Infinity, r.rating_at_most ?? Infinity];
  const known = rows.flatMap(ends).filter(Number.isFinite);
  at("ratings").hidden = !known.length; at("no-ratings").hidden = known.length > 0;
  if (!known.length) return;
  const low = Math.min(-50, ...known) - 40, high = Math.max(50, ...known) + 40, span = high - low, x = elo => left + 20 + (elo - low) / span * (width - left - 60);
  const plot = svg("svg", { viewBox: `0 0 ${width} ${rows.length * line + 34}`, width, role: "img", "aria-label": word.ratings });
  const step = [10, 20, 50, 100, 200, 500, 1000, 2000].find(s => span / s <= 8) || 5000;
  for (let elo = Math.ceil(low / step) * step; elo <= high; elo += step) {
    plot.append(svg("path", { d: `M${x(elo)} ${top}v${rows.length * line}`, stroke: "var(--rule)" }));
    plot.append(svg("text", { x: x(elo), y: rows.length * line + 24, "text-anchor": "middle" }, signed(elo)));
  }
  rows.forEach((row, n) => {
    const y = top + n * line + line / 2, [from, to] = ends(row).map(elo => x(Math.max(low, Math.min(high, elo))));
    const name = row.name.length > 28 ? "…" + row.name.slice(-27) : row.name;
    plot.append(svg("text", { x: left, y: y + 5, "text-anchor": "end" }, name));
    const said = svg("title", {}, `${row.name}: ${strength(row)}`);
    if (row.rating === null && row.rating_at_least === null && row.rating_at_most === null) return void plot.append(svg("text", { x: x(0), y: y + 5, "text-anchor": "middle" }, word.unknown));
    const open = row.rating === null, left_end = open && row.rating_at_most !== null ? `l6 -5m-6 5l6 5` : `m0 -5v10`, right_end = open && row.rating_at_least !== null ? `l-6 -5m6 5l-6 5` : `m0 -5v10`;
    plot.append(svg("path", { d: `M${from} ${y}H${to}M${from} ${y}${left_end}M${to} ${y}${right_end}`, fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 }));
    if (open) return void plot.lastChild.append(said);
    const dot = svg("circle", { cx: x(row.rating), cy: y, r: 5, fill: "var(--first)" });
    dot.append(said); plot.append(dot);
  });
  at("ratings").replaceChildren(plot);
}

function cross() {
  at("cross-section").hidden = summary.format === "match";
  const rows = summary.standings, columns = [[word.place, r => r.place], [word.name, r => r.name, "name"]];
  for (const other of rows) columns.push([String(other.place), r => {
    const { half_points, games } = summary.cross[r.entrant][other.entrant];
    return r === other ? "·" : games ? `${halves(half_points)}/${games}` : "";
  }]);
  const result = table(rows, columns);
  rows.forEach((_, n) => result.tBodies[0].rows[n].cells[n + 2].classList.add("own"));
  at("cross").replaceChildren(result);
}

function histograms() {
  // A game that a fault has ended says nothing about points on the board.
  const finished = summary.games.filter(g => g.counts && g.verdict === "finished");
  const margins = rowOf => finished.filter(g => (g.first === rowOf || g.second === rowOf)).map(g => (g.score[0] - g.score[1]) * (g.first === rowOf ? 1 : -1));
  const all = finished.map(g => Math.abs(g.score[0] - g.score[1])), reach = Math.max(1, ...all);
  const bin = Math.max(1, Math.ceil((2 * reach + 1) / 33)), half = Math.floor((reach + bin / 2) / bin), count = 2 * half + 1;
  at("histograms").replaceChildren(...summary.standings.map(row => {
    const bins = new Array(count).fill(0);
    for (const margin of margins(row.entrant)) bins[Math.round(margin / bin) + half]++;
    const most = Math.max(1, ...bins), width = 240, each = width / count;
    const plot = svg("svg", { viewBox: `0 0 ${width} 92`, role: "img", "aria-label": `${word.histograms}: ${row.name}` });
    bins.forEach((n, i) => {
      const bar = svg("rect", { x: i * each + .5, y: 70 - 66 * n / most, width: Math.max(each - 1, .5), height: 66 * n / most, fill: i < half ? "var(--second)" : i > half ? "var(--first)" : "var(--soft)" });
      bar.append(svg("title", {}, `${signed((i - half) * bin)}: ${n}`)); plot.append(bar);
    });
    plot.append(svg("path", { d: `M0 70H${width}`, stroke: "var(--soft)" }));
    for (const [x, text, anchor] of [[0, signed(-half * bin), "start"], [width / 2, "0", "middle"], [width, signed(half * bin), "end"]]) plot.append(svg("text", { x, y: 88, "text-anchor": anchor }, text));
    const figure = make("figure"), caption = make("figcaption", `${row.place}. ${row.name}`); caption.title = row.name;
    figure.append(caption, plot);
    return figure;
  }));
}

function times() {
  const longest = Math.max(1e-9, ...summary.standings.map(r => r.longest_move_ms)), ms = n => n < 10 ? n.toFixed(2) : n.toFixed(0);
  const result = table(summary.standings, [[word.place, r => r.place], [word.name, r => r.name, "name"], [word.mean, r => ms(r.mean_move_ms)], [word.longest, r => ms(r.longest_move_ms)], [word.total, r => r.thinking_s.toFixed(1)], [word.bars, () => ""]]);
  summary.standings.forEach((row, n) => {
    const bar = svg("svg", { width: 220, height: 14, viewBox: "0 0 220 14", "aria-hidden": true });
    bar.append(svg("rect", { y: 4, width: 220 * row.longest_move_ms / longest, height: 6, fill: "var(--rule)" }), svg("rect", { y: 2, width: 220 * row.mean_move_ms / longest, height: 10, fill: "var(--bar)" }));
    result.tBodies[0].rows[n].cells[5].append(bar);
  });
  at("times").replaceChildren(result);
}

function verdicts() {
  const ends = Object.entries(summary.verdicts).map(([verdict, n]) => `${verdict} ${n}`).join(", ");
  const faults = []; summary.games.forEach((game, n) => game.faults.forEach(fault => faults.push({ n, who: names[fault.side === "first" ? game.first : game.second], fault })));
  const parts = [make("p", `${word.ends}: ${ends}`)];
  if (!faults.length) parts.push(make("p", word.none));
  else {
    const box = make("div", undefined, "scroll"); box.tabIndex = 0;
    const list = table(faults.slice(0, 500), [[word.game, f => f.n + 1], [word.who, f => f.who, "name"], [word.verdicts, f => f.fault.verdict.toUpperCase()], [word.what, f => f.fault.detail, "name"]]);
    [...list.tBodies[0].rows].forEach((line, i) => { line.style.cursor = "pointer"; line.onclick = () => { show(faults[i].n, faults[i].fault.ply + summary.games[faults[i].n].opening.length); at("games").scrollIntoView(); }; });
    box.append(list); parts.push(box);
  }
  at("verdicts").replaceChildren(...parts);
}

const listed = () => summary.games.map((_, n) => n).filter(n => only < 0 || summary.games[n].first === only || summary.games[n].second === only);
const titleOf = n => { const g = summary.games[n]; return `${n + 1}. ${names[g.first]} ${g.score[0]}–${g.score[1]} ${names[g.second]}`; };

function list() {
  const choice = at("only");
  choice.replaceChildren(new Option(word.everyone, -1), ...summary.standings.map(r => new Option(r.name, r.entrant))); choice.value = only;
  at("list").setAttribute("aria-label", word.games);
  at("list").replaceChildren(...listed().map(n => {
    const line = make("div", titleOf(n), summary.games[n].faults.length ? "fault" : "");
    line.id = "game-" + n; line.setAttribute("role", "option"); line.onclick = () => show(n, 0);
    return line;
  }));
  select();
}

function select() {
  for (const old of at("list").querySelectorAll("[aria-selected=true]")) old.setAttribute("aria-selected", "false");
  const line = at("game-" + shown);
  if (line) { line.setAttribute("aria-selected", "true"); at("list").setAttribute("aria-activedescendant", line.id); const box = at("list"); if (line.offsetTop - box.offsetTop < box.scrollTop || line.offsetTop - box.offsetTop + line.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 2; }
}

function show(n, at_ply) { shown = n; stop(); select(); moves(); go(at_ply); }

function moves() {
  const game = summary.games[shown]; if (!game) return;
  const result = game.counts ? (game.winner ? names[game.winner === "first" ? game.first : game.second] : word.draw) : word.skipped;
  at("title").textContent = `${titleOf(shown)} · ${word.result}: ${result} · ${game.verdict.toUpperCase()}`;
  const all = [...game.opening, ...game.moves];
  at("moves").replaceChildren(...all.map((mv, n) => { const item = make("li", mv, n < game.opening.length ? "opening" : ""); item.onclick = () => { stop(); go(n + 1); }; return item; }));
  at("faults").replaceChildren(...game.faults.map(f => make("p", `${names[f.side === "first" ? game.first : game.second]}: ${f.verdict.toUpperCase()}: ${f.detail}`)),
    ...(game.last_words || []).filter(Boolean).flatMap(said => [make("p", word.wrote), make("pre", said)]));
}

function go(to) {
  const game = summary.games[shown]; if (!game) return;
  const all = [...game.opening, ...game.moves];
  ply = Math.max(0, Math.min(all.length, to));
  at("board").replaceChildren(drawBoard(replays, shown, ply, all[ply - 1]));
  at("board").firstChild.setAttribute("aria-label", `${summary.game}, ${word.at(ply, all.length)}`);
  at("said").textContent = word.at(ply, all.length) + (ply ? `: ${all[ply - 1]}` : "") + (ply && ply <= game.opening.length ? ` (${word.opening})` : "")
    + (ply > game.opening.length ? ` · ${(game.times_us[ply - 1 - game.opening.length] / 1000).toFixed(1)} ms` : "");
  [...at("moves").children].forEach((item, n) => item.classList.toggle("now", n === ply - 1));
  if (ply === all.length) stop();
}

function stop() { clearInterval(timer); timer = 0; const button = at("play"); if (button) button.textContent = word.play; }
function play() { if (timer) return stop(); const game = summary.games[shown]; if (game && ply === game.opening.length + game.moves.length) go(0); timer = setInterval(() => go(ply + 1), 600); at("play").textContent = word.pause; }

function controls() {
  const button = (text, act, id) => { const node = make("button", text); node.type = "button"; node.onclick = act; if (id) node.id = id; return node; };
  const step = n => () => { stop(); go(ply + n); };
  at("controls").replaceChildren(button(word.start, step(-1e6)), button(word.back, step(-1)), button(word.play, play, "play"), button(word.on, step(1)), button(word.end, step(1e6)));
}

function other(n) { const all = listed(), next = all[all.indexOf(shown) + n]; if (next !== undefined) show(next, 0); }

function render() {
  word = WORDS[language];
  document.documentElement.lang = language; document.documentElement.className = theme;
  document.querySelector("h1").textContent = summary.name;
  at("facts").textContent = word.facts(summary);
  at("conditions").replaceChildren(...[[word.limits, summary.rules.limit_words], [word.faultPolicy, summary.rules.fault_words]].flatMap(([name, text]) => [make("dt", name), make("dd", text[language])]));
  at("partial").hidden = !summary.partial; at("partial").textContent = word.partial(summary.played, summary.expected);
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = word[node.dataset.word];
  at("language").textContent = language === "en" ? "Bahasa Indonesia" : "English"; at("language").lang = language === "en" ? "id" : "en";
  at("theme").textContent = theme === "dark" ? word.light : word.dark;
  at("warnings").replaceChildren(...summary.warnings.slice(summary.partial ? 1 : 0).map(text => make("li", text[language])));
  for (const [id, key] of [["standings", "standings"], ["cross", "cross"], ["times", "times"]]) at(id).setAttribute("aria-label", word[key]);
  standings(); ratings(); cross(); histograms(); times(); verdicts(); controls(); list(); moves(); go(ply);
}

at("language").onclick = () => { language = language === "en" ? "id" : "en"; keep("language", language); render(); };
at("theme").onclick = () => { theme = theme === "dark" ? "light" : "dark"; keep("theme", theme); render(); };
at("only").onchange = event => { only = Number(event.target.value); list(); const all = listed(); if (!all.includes(shown) && all.length) show(all[0], 0); };
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || ["SELECT", "BUTTON"].includes(event.target.tagName) && event.key === " " || event.target.tagName === "SELECT") return;
  if (!at("games").contains(event.target) && event.target !== document.body) return;
  const act = { ArrowLeft: () => { stop(); go(ply - 1); }, ArrowRight: () => { stop(); go(ply + 1); }, Home: () => { stop(); go(0); }, End: () => { stop(); go(1e6); }, ArrowUp: () => other(-1), ArrowDown: () => other(1), " ": play }[event.key];
  // Up, down, Home, End and space scroll the page unless a game is in focus.
  if (!act || (event.target === document.body && !event.key.startsWith("ArrowL") && !event.key.startsWith("ArrowR"))) return;
  event.preventDefault(); act();
});
render();
