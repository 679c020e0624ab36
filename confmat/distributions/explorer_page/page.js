// The page of a law.  Before this stands STATISTICS: the title, the names and the formula of each statistic.

const HEAD = JSON.parse(document.getElementById("head").textContent);
const [R, S] = HEAD.shape;
const SHADES = 9;
const MOST_BINS = 60; // classes of an axis with more values than these
const SIZE = { width: 720, height: 560, left: 78, right: 14, top: 12, bottom: 52 };
const WIDE = SIZE.width - SIZE.left - SIZE.right;
const HIGH = SIZE.height - SIZE.top - SIZE.bottom;

// What the page is about: a row is a signature, with its weight and a table.
let rows = [];
const state = { x: HEAD.x, y: HEAD.y, meets: null, cell: null, kept: false, step: 0, own: null };
let axes = {};
let cells = new Map();

const byId = (id) => document.getElementById(id);

function element(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function drawn(tag, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

// --- the data -------------------------------------------------------------------------------------

async function unpacked() {
  const bytes = Uint8Array.from(atob(byId("data").textContent.trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

async function load() {
  const [m, A, B, P, weights, tables] = await unpacked();
  rows = m.map((_, i) => ({ signature: [m[i], A[i], B[i], P[i]], weight: BigInt(weights[i]), flat: tables[i] }));
  if (weightOf(rows) !== BigInt(HEAD.total)) throw Error("the counts of this page do not add up to the total: it is damaged");
  for (const row of rows) {
    row.values = {};
    for (const name of Object.keys(STATISTICS)) row.values[name] = valueOf(name, row.signature);
  }
}

function weightOf(some) {
  let weight = 0n;
  for (const row of some) weight += row.weight;
  return weight;
}

const tableOf = (row) => Array.from({ length: R }, (_, i) => row.flat.slice(i * S, (i + 1) * S));

// --- statistics -----------------------------------------------------------------------------------

function divisor(a, b) {
  while (b) [a, b] = [b, a % b];
  return a < 0 ? -a : a;
}

// Numerator and denominator in lowest terms, of the square where it is a root; null where it is undefined.
function valueOf(name, signature) {
  const [above, below] = STATISTICS[name].formula(...signature);
  if (below === 0) return STATISTICS[name].undefined;
  const common = divisor(above, below) * Math.sign(below);
  return [above / common, below / common];
}

function double(name, value) {
  if (value === null) return NaN;
  const quotient = value[0] / value[1];
  return STATISTICS[name].root ? Math.sqrt(quotient) : quotient;
}

// The signature of any table: the best matching by sets of columns, the pairs by counting.
function signatureOf(table) {
  const turned = table.length > table[0].length ? table[0].map((_, j) => table.map((row) => row[j])) : table;
  let best = new Map([[0, { matched: 0, columns: [] }]]);
  for (const row of turned) {
    const next = new Map();
    for (const [taken, { matched, columns }] of best) {
      row.forEach((entry, j) => {
        if (columns.includes(j)) return;
        const set = taken + 2 ** j;
        const known = next.get(set);
        if (!known || known.matched < matched + entry) next.set(set, { matched: matched + entry, columns: [...columns, j] });
      });
    }
    best = next;
  }
  const { matched, columns } = [...best.values()].reduce((one, other) => (other.matched > one.matched ? other : one));
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const pairs = (numbers) => sum(numbers.map((x) => (x * (x - 1)) / 2));
  const ofRows = pairs(table.map(sum));
  const ofColumns = pairs(table[0].map((_, j) => sum(table.map((row) => row[j]))));
  const n = sum(table.flat());
  const matching = columns.map((j, i) => (turned === table ? [i, j] : [j, i]));
  return { n, signature: [n - matched, Math.max(ofRows, ofColumns), Math.min(ofRows, ofColumns), pairs(table.flat())], matching };
}

// --- words ----------------------------------------------------------------------------------------

const spaced = (x) => String(x).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
const things = (weight) => `${spaced(weight)} ${HEAD.weight === "tables" ? (weight === 1n ? "table" : "tables") : "pairs of labelings"}`;
const short = (x) => (x === 0 || (Math.abs(x) >= 1e-4 && Math.abs(x) < 1e7) ? String(+x.toPrecision(4)) : x.toExponential(3));
const ratio = (weight, of) => Number((weight * 10n ** 30n) / of) / 1e30;

function percent(weight, of) {
  if (weight === 0n) return "0";
  if (weight === of) return "100 %";
  const written = (100 * ratio(weight, of)).toPrecision(3);
  if (+written === 100) return "> 99.9 %"; // not all
  return `${+written < 1e-4 ? (+written).toExponential() : +written} %`;
}

function fraction([above, below]) {
  return below === 1 ? `${above}` : `${above}/${below}`;
}

function exact(name, value) {
  if (value === null) return "0/0";
  const written = STATISTICS[name].root ? `√(${fraction(value)})` : fraction(value);
  const decimal = short(double(name, value));
  return written === decimal ? written : `${written} ≈ ${decimal}`;
}

// --- conditions, in the grammar that confmat reads in Python and on the command line ---------------

const HOLDS = { "<=": (d) => d <= 0n, "<": (d) => d < 0n, ">=": (d) => d >= 0n, ">": (d) => d > 0n, "=": (d) => d === 0n, "!=": (d) => d !== 0n };
const BINDS = { "->": 1, ",": 2, or: 3, and: 4, not: 5, "<=": 6, "<": 6, ">=": 6, ">": 6, "=": 6, "!=": 6, "+": 7, "-": 7, "*": 8, "/": 8, "**": 10, "%": 10 };
const NEGATION = 9;
const WORDS = ["and", "or", "not", "implies"];
const ALIASES = { "==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "=>": "->", "⇒": "->", implies: "->", "^": "**", "&": "and", "&&": "and", "|": "or", "||": "or" };
const TOKEN = /\s*(?:(\d+\.?\d*|\.\d+)|([\p{L}_][\p{L}\p{N}_]*)|(->|=>|[=!<>]=|\*\*|&&|\|\||[-+*/()=<>,%^&|≤≥≠⇒]))\s*/uy;

function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const begin = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw Error(`"${text.slice(begin).trim()[0]}" means nothing here`);
    const [, number, name, sign] = match;
    const word = sign ?? (name ?? "").toLowerCase();
    if (number) tokens.push({ number, text: number });
    else if (sign || WORDS.includes(word)) tokens.push({ sign: ALIASES[word] ?? word, text: word });
    else tokens.push({ name: word, text: name });
  }
  return tokens;
}

// A number of a row is { above, below }, below > 0; with root, the square of the number. It is null where undefined.
const ratioOf = (above, below) => (below < 0n ? { above: -above, below: -below } : { above, below });
const ARITHMETIC = {
  "+": (x, y) => ratioOf(x.above * y.below + y.above * x.below, x.below * y.below),
  "-": (x, y) => ratioOf(x.above * y.below - y.above * x.below, x.below * y.below),
  "*": (x, y) => ratioOf(x.above * y.above, x.below * y.below),
  "/": (x, y) => (y.above === 0n ? null : ratioOf(x.above * y.below, x.below * y.above)),
};

// The sign of a difference, exactly: squares are compared where a root is among the two numbers.
function difference(x, y) {
  if (x.root !== y.root) {
    const rational = x.root ? y : x;
    if (rational.above < 0n) return x.root ? 1n : -1n;
    const square = ARITHMETIC["*"](rational, rational);
    return x.root ? ARITHMETIC["-"](x, square).above : ARITHMETIC["-"](square, y).above;
  }
  return ARITHMETIC["-"](x, y).above;
}

// A formula is { truth, root, constant, of }: of(row) is a truth value, or a number.
class Reader {
  constructor(text) {
    this.tokens = tokensOf(text);
    this.position = 0;
  }

  get sign() {
    return this.tokens[this.position]?.sign;
  }

  condition() {
    const formula = this.formula();
    if (this.position < this.tokens.length) throw Error(`"${this.tokens[this.position].text}" continues nothing`);
    if (!formula.truth) throw Error("a comparison is missing; write it like med<=1/5");
    return formula.of;
  }

  formula(least = 0) {
    let left = this.operand();
    while (this.sign !== "not" && BINDS[this.sign] >= least) left = this.sign in HOLDS ? this.chain(left) : this.joined(left);
    return left;
  }

  operand() {
    const token = this.tokens[this.position++];
    if (!token) throw Error("something is missing at the end");
    if (token.number) {
      const [whole, decimals = ""] = token.number.split(".");
      const value = { above: BigInt(whole + decimals), below: 10n ** BigInt(decimals.length) };
      return { constant: true, of: () => value };
    }
    if (token.name === "sqrt" && this.sign === "(") {
      const radicand = this.number(this.operand());
      const of = (row) => {
        const value = radicand.of(row);
        return value && value.above >= 0n ? { ...value, root: true } : null;
      };
      return { root: true, of };
    }
    if (token.name) return this.named(token);
    if (token.sign === "(") {
      const inner = this.formula();
      if (this.sign !== ")") throw Error("a ) is missing");
      this.position += 1;
      return inner;
    }
    if (token.sign === "not") {
      const part = this.truth(this.formula(BINDS.not));
      return { truth: true, of: (row) => !part.of(row) };
    }
    if (token.sign !== "-" && token.sign !== "+") throw Error(`"${token.text}" is where a number or a name is expected`);
    const part = this.number(this.formula(NEGATION));
    const zero = { constant: true, of: () => ({ above: 0n, below: 1n }) };
    return token.sign === "-" ? this.combined("-", zero, part) : part;
  }

  named(token) {
    const size = { n: HEAD.n, r: HEAD.shape[0], s: HEAD.shape[1] }[token.name];
    if (size !== undefined) return { constant: true, of: () => ({ above: BigInt(size), below: 1n }) };
    const known = Object.keys(STATISTICS).find((name) => STATISTICS[name].names.includes(token.name));
    if (!known) throw Error(`"${token.text}" is neither a number nor one of ${Object.keys(STATISTICS).join(", ")}`);
    const root = STATISTICS[known].root;
    const of = (row) => {
      const value = row.values[known];
      return value && { above: BigInt(value[0]), below: BigInt(value[1]), root };
    };
    return { root, of };
  }

  chain(first) {
    const parts = [this.operandOf(first)];
    const relations = [];
    while (this.sign in HOLDS) {
      relations.push(HOLDS[this.tokens[this.position++].sign]);
      parts.push(this.operandOf(this.formula(BINDS["="] + 1)));
    }
    const of = (row) => {
      const values = parts.map((part) => part.of(row));
      return relations.every((holds, k) => values[k] && values[k + 1] && holds(difference(rooted(values[k]), rooted(values[k + 1]))));
    };
    return { truth: true, of };
  }

  joined(left) {
    const { sign } = this.tokens[this.position++];
    if (sign === "**") return this.power(this.number(left));
    if (sign === "%") return this.combined("/", this.number(left), { constant: true, of: () => ({ above: 100n, below: 1n }) });
    const right = this.formula(BINDS[sign] + (sign === "->" ? 0 : 1));
    if (sign in ARITHMETIC) return this.combined(sign, this.number(left), this.number(right));
    const [x, y] = [this.truth(left), this.truth(right)];
    if (sign === "or") return { truth: true, of: (row) => x.of(row) || y.of(row) };
    if (sign === "->") return { truth: true, of: (row) => !x.of(row) || y.of(row) };
    return { truth: true, of: (row) => x.of(row) && y.of(row) };
  }

  power(base) {
    const exponent = this.tokens[this.position++];
    if (!/^[0-8]$/.test(exponent?.number ?? "")) throw Error("a power must be from 0 to 8");
    let power = { constant: true, of: () => ({ above: 1n, below: 1n }) };
    for (let k = 0; k < Number(exponent.number); k += 1) power = this.combined("*", power, base);
    return power;
  }

  combined(sign, x, y) {
    const constant = x.constant && y.constant;
    if (sign === "/" && y.constant && y.of().above === 0n) throw Error("a division by 0");
    const of = (row) => {
      const [one, other] = [x.of(row), y.of(row)];
      return one && other ? ARITHMETIC[sign](one, other) : null;
    };
    return { constant, of };
  }

  operandOf(formula) {
    if (formula.truth) throw Error("a comparison is where a number is expected");
    return formula;
  }

  number(formula) {
    if (formula.root) throw Error("a square root must be alone on one side of a comparison");
    return this.operandOf(formula);
  }

  truth(formula) {
    if (!formula.truth) throw Error("a number is where a comparison is expected");
    return formula;
  }
}

const rooted = (value) => ({ ...value, root: Boolean(value.root) });
const conditionOf = (text) => new Reader(text).condition();

function ask() {
  const text = byId("condition").value;
  const out = byId("probability");
  out.className = "";
  out.textContent = "";
  state.meets = null;
  if (text.trim()) {
    try {
      const [first, given] = text.split(/\bgiven\b/i);
      const base = given === undefined ? rows : rows.filter(conditionOf(given));
      const met = base.filter(conditionOf(first));
      state.meets = new Set(met);
      out.textContent = answer(text.trim(), weightOf(met), weightOf(base));
    } catch (error) {
      out.className = "bad";
      out.textContent = error.message;
    }
  }
  draw();
}

function answer(text, weight, of) {
  if (of === 0n) return "0/0: no table satisfies the condition after \"given\"";
  const common = divisor(weight, of);
  const written = of / common === 1n ? `${weight / common}` : `${weight / common}/${of / common}`;
  const rare = weight > 0n && weight * 2n < of ? `, one in ${short(1 / ratio(weight, of))}` : "";
  return `P(${text}) = ${written} ≈ ${short(ratio(weight, of))}: ${things(weight)} of ${spaced(of)}${rare}`;
}

// --- the map --------------------------------------------------------------------------------------

// Classes of an axis: its values where they are few, else of one width; those that are undefined are left out.
function axisOf(name) {
  const distinct = new Set();
  for (const row of rows) if (row.values[name]) distinct.add(double(name, row.values[name]));
  const values = [...distinct].sort((a, b) => a - b);
  const [low, high] = [values[0], values[values.length - 1]];
  if (values.length <= MOST_BINS) {
    const places = new Map(values.map((value, k) => [value, k]));
    const nearest = (x) => values.reduce((best, value, k) => (Math.abs(value - x) < Math.abs(values[best] - x) ? k : best), 0);
    return { name, count: values.length, of: (x) => places.get(x) ?? nearest(x), label: (k) => short(values[k]), low, high };
  }
  const width = (high - low) / MOST_BINS;
  const of = (x) => Math.max(0, Math.min(MOST_BINS - 1, Math.floor((x - low) / width)));
  const label = (k) => `${short(low + k * width)} to ${short(low + (k + 1) * width)}`;
  return { name, count: MOST_BINS, of, label, low, high };
}

function build() {
  axes = { x: axisOf(state.x), y: axisOf(state.y) };
  cells = new Map();
  for (const row of rows) {
    const [vx, vy] = [double(state.x, row.values[state.x]), double(state.y, row.values[state.y])];
    if (Number.isNaN(vx) || Number.isNaN(vy)) continue;
    const [i, j] = [axes.x.of(vx), axes.y.of(vy)];
    const key = `${i},${j}`;
    if (!cells.has(key)) cells.set(key, { i, j, rows: [] });
    cells.get(key).rows.push(row);
  }
  for (const cell of cells.values()) cell.weight = weightOf(cell.rows);
  state.cell = null;
  state.kept = false;
  draw();
  show();
}

function placeOf(i, j) {
  const [width, height] = [WIDE / axes.x.count, HIGH / axes.y.count];
  return { x: SIZE.left + i * width, y: SIZE.top + HIGH - (j + 1) * height, width, height };
}

function draw() {
  const svg = drawn("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, "aria-hidden": "true" });
  svg.append(drawn("rect", { x: SIZE.left, y: SIZE.top, width: WIDE, height: HIGH, class: "frame" }));
  const most = Math.log1p(Math.max(...[...cells.values()].map((cell) => Number(cell.weight))));
  for (const cell of cells.values()) {
    const met = state.meets === null || cell.rows.some((row) => state.meets.has(row));
    const shade = most > 0 ? Math.min(SHADES - 1, Math.floor((SHADES * Math.log1p(Number(cell.weight))) / most)) : 0;
    svg.append(drawn("rect", { ...placeOf(cell.i, cell.j), class: met ? `s${shade}` : "out" }));
  }
  drawAxes(svg);
  if (state.own) drawOwn(svg);
  if (state.cell) svg.append(drawn("rect", { ...placeOf(state.cell.i, state.cell.j), class: "chosen", id: "chosen" }));
  byId("map").replaceChildren(svg);
}

function drawAxes(svg) {
  const steps = (count) => [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * (count - 1)));
  for (const i of new Set(steps(axes.x.count))) {
    const { x, width } = placeOf(i, 0);
    svg.append(drawn("text", { x: x + width / 2, y: SIZE.top + HIGH + 18, "text-anchor": "middle" }, axes.x.label(i).split(" ")[0]));
  }
  for (const j of new Set(steps(axes.y.count))) {
    const { y, height } = placeOf(0, j);
    svg.append(drawn("text", { x: SIZE.left - 6, y: y + height / 2 + 4, "text-anchor": "end" }, axes.y.label(j).split(" ")[0]));
  }
  const middle = SIZE.top + HIGH / 2;
  svg.append(drawn("text", { class: "name", x: SIZE.left + WIDE / 2, y: SIZE.height - 10, "text-anchor": "middle" }, `${state.x}, ${STATISTICS[state.x].title}`));
  svg.append(drawn("text", { class: "name", transform: `translate(14 ${middle}) rotate(-90)`, "text-anchor": "middle" }, `${state.y}, ${STATISTICS[state.y].title}`));
}

function drawOwn(svg) {
  const [vx, vy] = [state.x, state.y].map((name) => double(name, valueOf(name, state.own)));
  if (Number.isNaN(vx) || Number.isNaN(vy)) return;
  const { x, y, width, height } = placeOf(axes.x.of(vx), axes.y.of(vy));
  const [cx, cy] = [x + width / 2, y + height / 2];
  svg.append(drawn("path", { class: "own", id: "cross", d: `M${cx - 9} ${cy}h18M${cx} ${cy - 9}v18` }));
}

// --- the card -------------------------------------------------------------------------------------

function tableElement(table) {
  const { matching } = signatureOf(table);
  const made = element("table");
  made.setAttribute("aria-label", table.map((row) => row.join(" ")).join("; "));
  table.forEach((row, i) => {
    const line = element("tr");
    row.forEach((entry, j) => {
      const matched = matching.some(([a, b]) => a === i && b === j);
      line.append(element("td", entry, matched ? { class: "matched" } : {}));
    });
    made.append(line);
  });
  return made;
}

function listed(pairs) {
  const list = element("dl");
  for (const [name, text] of pairs) list.append(element("dt", name), element("dd", text));
  return list;
}

function show() {
  const card = byId("card");
  card.replaceChildren();
  const total = BigInt(HEAD.total);
  const { cell } = state;
  if (!cell) {
    card.append(element("p", things(total), { class: "big" }), element("p", "Point at a cell: exact values, how many, and a table that has them."));
    return;
  }
  card.append(element("p", things(cell.weight), { class: "big", id: "count" }));
  card.append(element("p", `${percent(cell.weight, total)} of all${state.kept ? ", kept" : ""}`, { id: "share" }));
  card.append(listed([[state.x, axes.x.label(cell.i)], [state.y, axes.y.label(cell.j)]]));
  const among = state.meets === null ? cell.rows : cell.rows.filter((row) => state.meets.has(row));
  const shown = among.length ? among : cell.rows;
  state.step = (state.step + shown.length) % shown.length;
  const row = shown[state.step];
  card.append(element("p", `${state.step + 1} of ${shown.length} exact ones: ${things(row.weight)}`, { class: "dim", id: "step" }));
  card.append(tableElement(tableOf(row)));
  card.append(listed(Object.keys(STATISTICS).map((name) => [name, exact(name, row.values[name])])));
}

function choose(cell, kept) {
  if (cell !== state.cell) state.step = 0;
  state.cell = cell;
  state.kept = kept;
  draw();
  show();
}

// --- one's own table ------------------------------------------------------------------------------

function rowsOf(text) {
  const lines = text.replace(/\]\s*,?\s*\[|\)\s*,?\s*\(|\}\s*,?\s*\{/g, ";").split(/[;\n]/);
  const read = lines.map((line) => line.match(/-?\d+(\.\d+)?/g) ?? []).filter((line) => line.length);
  const table = read.map((line) => line.map(Number));
  const whole = table.flat().every((x) => Number.isInteger(x) && x >= 0);
  if (!table.length || !whole || table.some((line) => line.length !== table[0].length)) {
    throw Error("rows must have the same number of integers");
  }
  return table;
}

function compareOwn() {
  const out = byId("place");
  out.replaceChildren();
  state.own = null;
  const text = byId("own").value.trim();
  if (text) {
    try {
      placeOwn(rowsOf(text), out);
    } catch (error) {
      out.append(element("p", error.message, { class: "bad" }));
    }
  }
  draw();
}

function placeOwn(table, out) {
  const { n, signature } = signatureOf(table);
  if (n !== HEAD.n) throw Error(`this table has ${n} objects; the law here is of ${HEAD.n}`);
  state.own = signature;
  out.append(tableElement(table));
  const same = [table.length, table[0].length].sort().join() === [R, S].sort().join();
  if (!same) out.append(element("p", `It is no ${R} x ${S} table: placed by its values.`, { class: "dim" }));
  const total = BigInt(HEAD.total);
  const shares = element("table", "", { id: "shares" });
  const head = element("tr");
  for (const title of ["", "value", "smaller", "equal", "larger"]) head.append(element("th", title, { scope: "col" }));
  shares.append(head);
  for (const name of Object.keys(STATISTICS)) {
    const value = valueOf(name, signature);
    const counted = { smaller: 0n, equal: 0n, larger: 0n };
    for (const row of rows) {
      const other = row.values[name];
      if (value === null || other === null) continue;
      const found = BigInt(other[0]) * BigInt(value[1]) - BigInt(value[0]) * BigInt(other[1]);
      counted[found < 0n ? "smaller" : found > 0n ? "larger" : "equal"] += row.weight;
    }
    const line = element("tr");
    line.append(element("td", name), element("td", value === null ? "0/0" : short(double(name, value)), { title: exact(name, value) }));
    for (const weight of Object.values(counted)) line.append(element("td", percent(weight, total), { title: things(weight) }));
    shares.append(line);
  }
  out.append(shares);
}

// --- events ---------------------------------------------------------------------------------------

// The cell under the pointer, or the nearest within a finger's width.
function under(event) {
  const box = byId("map").firstChild.getBoundingClientRect();
  const x = ((event.clientX - box.left) * SIZE.width) / box.width;
  const y = ((event.clientY - box.top) * SIZE.height) / box.height;
  const reach = event.pointerType === "touch" ? 24 : 8;
  let [best, least] = [null, reach];
  for (const cell of cells.values()) {
    const place = placeOf(cell.i, cell.j);
    const across = Math.max(place.x - x, 0, x - place.x - place.width);
    const up = Math.max(place.y - y, 0, y - place.y - place.height);
    const far = Math.hypot(across, up);
    if (far < least) [best, least] = [cell, far];
  }
  return best;
}

function move(across, up) {
  const all = [...cells.values()];
  if (!state.cell) {
    choose(all.reduce((one, other) => (other.weight > one.weight ? other : one)), false);
    return;
  }
  let [best, least] = [null, Infinity];
  for (const cell of all) {
    const ahead = (cell.i - state.cell.i) * across + (cell.j - state.cell.j) * up;
    const aside = Math.abs((cell.i - state.cell.i) * up) + Math.abs((cell.j - state.cell.j) * across);
    if (ahead > 0 && ahead + 3 * aside < least) [best, least] = [cell, ahead + 3 * aside];
  }
  if (best) choose(best, state.kept);
}

const KEYS = {
  ArrowLeft: () => move(-1, 0),
  ArrowRight: () => move(1, 0),
  ArrowUp: () => move(0, 1),
  ArrowDown: () => move(0, -1),
  Enter: () => state.cell && choose(state.cell, !state.kept),
  Escape: () => choose(null, false),
  "[": () => { state.step -= 1; show(); },
  "]": () => { state.step += 1; show(); },
};

function listen() {
  for (const side of ["x", "y"]) {
    for (const name of Object.keys(STATISTICS)) byId(side).append(element("option", `${name}, ${STATISTICS[name].title}`, { value: name }));
    byId(side).value = state[side];
    byId(side).addEventListener("change", () => {
      state[side] = byId(side).value;
      build();
    });
  }
  byId("condition").addEventListener("input", () => { ask(); show(); });
  byId("own").addEventListener("input", compareOwn);
  byId("map").addEventListener("pointermove", (event) => {
    if (state.kept || event.pointerType === "touch") return;
    const cell = under(event);
    if (cell && cell !== state.cell) choose(cell, false);
  });
  byId("map").addEventListener("click", (event) => {
    const cell = under(event);
    if (cell) choose(cell, !(state.kept && cell === state.cell));
  });
  byId("map").addEventListener("keydown", (event) => {
    const act = KEYS[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });
}

// Every table is computed again, by another way than the one that counted it.
function check() {
  let wrong = 0;
  for (const row of rows) {
    const { n, signature } = signatureOf(tableOf(row));
    if (n !== HEAD.n || signature.join() !== row.signature.join()) wrong += 1;
  }
  if (wrong) throw Error(`${wrong} of ${rows.length} tables do not have their values: this page is damaged`);
  byId("foot").textContent = `${spaced(rows.length)} tables were computed again by this page: all have the values shown.${HEAD.assumptions.map((x) => ` It assumes the ${x}.`).join("")}`;
  document.documentElement.dataset.checked = String(rows.length);
}

async function begin() {
  await load();
  const given = HEAD.conditions.length ? `, given ${HEAD.conditions.join(" and ")}` : "";
  byId("about").textContent = `${things(BigInt(HEAD.total))}, each equally likely${given}. Counts are integers, and values are fractions. Nothing is sampled.`;
  listen();
  build();
  check();
}

begin().catch((error) => {
  byId("note").hidden = false;
  byId("note").textContent = `This page cannot be trusted: ${error.message}.`;
  document.documentElement.dataset.failed = error.message;
});
