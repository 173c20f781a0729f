"use strict";
(() => {
  const model = JSON.parse(document.getElementById("model").textContent);
  const all = selector => [...document.querySelectorAll(selector)];
  const one = id => document.getElementById(id);
  const initial = new Map(Object.entries(model.values).map(([letter, text]) => [letter, BigInt(text)]));
  let stated = new Map([...initial].filter(([letter]) => !(letter in model.follows)));
  let kept = null, fixed = null, measure = Object.keys(model.measures)[0];

  // Exact numbers: a numerator and a denominator above zero, both whole and of any size.
  const divisor = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
  const ratio = (a, b) => { if (!b) throw Error("division"); const d = divisor(a, b) * (b < 0n ? -1n : 1n) || 1n; return [a / d, b / d]; };
  const floor = ([a, b]) => a >= 0n || a % b === 0n ? a / b : a / b - 1n;
  const less = ([a, b], [c, d]) => a * d < c * b;
  const operations = {
    "+": parts => parts.reduce(([a, b], [c, d]) => ratio(a * d + c * b, b * d)),
    "*": parts => parts.reduce(([a, b], [c, d]) => ratio(a * c, b * d)),
    "/": ([[a, b], [c, d]]) => ratio(a * d, b * c),
    "-": ([[a, b]]) => [-a, b],
    "floor": ([a]) => [floor(a), 1n],
    "//": ([[a, b], [c, d]]) => [floor(ratio(a * d, b * c)), 1n],
    "%": ([[a, b], [c, d]]) => ratio(a * d - c * b * floor(ratio(a * d, b * c)), b * d),
    "max": parts => parts.reduce((one, other) => less(one, other) ? other : one),
    "min": parts => parts.reduce((one, other) => less(one, other) ? one : other),
    "^": ([[a, b], [n]]) => n < 0n ? ratio(b ** -n, a ** -n) : [a ** n, b ** n],
  };
  const evaluated = (tree, values) => {
    if (typeof tree === "string") return tree[0] === "#" ? [BigInt(tree.slice(1)), 1n] : [values.get(tree), 1n];
    return operations[tree[0]](tree.slice(1).map(part => evaluated(part, values)));
  };
  const true_of = (tree, values) => {
    const [sign, ...parts] = tree;
    if (sign === "and") return parts.every(part => true_of(part, values));
    if (sign === "or") return parts.some(part => true_of(part, values));
    if (sign === "not") return !true_of(parts[0], values);
    const [one, other] = parts.map(part => evaluated(part, values)), under = less(one, other), over = less(other, one);
    return { "==": !under && !over, "!=": under || over, "<": under, "<=": !over, ">": over, ">=": !under }[sign];
  };
  const grouped = whole => whole.toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const decimals = ([a, b], places) => {
    const scale = 10n ** BigInt(places), twice = a * scale * 2n / b, whole = (twice + 1n) / 2n;
    return grouped(whole / scale) + (places ? "." + (whole % scale).toString().padStart(places, "0") : "");
  };
  const shown = ([a, b]) => b === 1n ? grouped(a) : decimals([a, b], 2);
  const percent = (part, whole) => {
    if (!whole[0]) return "";
    const share = ratio(part[0] * whole[1] * 100n, part[1] * whole[0]), text = decimals(share, 2);
    return (part[0] && text === "0.00" ? "< 0.01" : text) + " %";
  };
  const raised = digits => [...digits].map(digit => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit] ?? digit).join("");
  const written = (tree, values, inner = false) => {
    if (typeof tree === "string") return grouped(evaluated(tree, values)[0]);
    const [sign, ...parts] = tree, of = part => written(part, values, true);
    const text = {
      "+": () => parts.map((part, index) => index && part[0] === "-" && Array.isArray(part) ? "− " + of(part[1]) : (index ? "+ " : "") + of(part)).join(" "),
      "*": () => parts.map(of).join(" × "),
      "/": () => parts.map(of).join("/"),
      "-": () => "−" + of(parts[0]),
      "floor": () => "⌊" + written(parts[0], values) + "⌋",
      "^": () => of(parts[0]) + raised(of(parts[1])),
    }[sign]();
    return inner && (sign === "+" || sign === "-") ? `(${text})` : text;
  };

  // What the reader states, and what follows from it; a sentence on each size that cannot be.
  const settled = given => {
    const values = new Map(given), told = [];
    const said = (key, parts) => model.words[key].replace(/\{(\w+)\}/g, (_, name) => parts[name]);
    for (let left = Object.keys(model.follows).filter(letter => !values.has(letter)), before = -1; left.length && left.length !== before;) {
      before = left.length;
      left = left.filter(letter => {
        try {
          const [a, b] = evaluated(model.follows[letter], values);
          values.set(letter, a / b);
          if (b !== 1n) told.push(said("rounded", { letter: model.names[letter], value: grouped(a / b) }));
          return false;
        } catch { return true; }
      });
    }
    for (const [whole, by] of model.divisible)
      if (values.has(whole) && values.get(by) && values.get(whole) % values.get(by))
        told.push(said("not-divisible", { whole: model.names[whole], by: model.names[by], first: grouped(values.get(whole)), second: grouped(values.get(by)) }));
    for (const pair of model.within) {
      const [[a, b], [c, d]] = pair.map(side => evaluated(side.tree, values)), [less, most] = pair;
      if (a * d > c * b) told.push(said("too-large", { less: less.text, first: shown([a, b]), most: most.text, second: shown([c, d]) }));
    }
    for (const { tree, text, letters } of model.holds)
      if (!(tree ? true_of(tree, values) : letters.every(letter => values.get(letter) === initial.get(letter)))) told.push(said("outside", { condition: text }));
    for (const [letter, value] of values) if (value < 1n) told.push(said("no-size", { letter: model.names[letter], value: grouped(value) }));
    return { values, told };
  };

  // The matrices of the drawing keep their proportions: the side that needs most of its room fills it, and what is longer still is cut off.
  const rectangles = all("[data-sides]").map(group => {
    const cards = [...group.querySelectorAll("rect")], front = cards.at(-1), at = name => Number(front.getAttribute(name));
    return { group, cards, x: at("x"), y: at("y"), room: [at("height"), at("width")], ...JSON.parse(group.dataset.sides) };
  });
  const stroke = (group, kind, points) => {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    line.setAttribute("class", kind);
    line.setAttribute("points", points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
    group.append(line);
  };
  const proportion = values => {
    const number = tree => { const [a, b] = evaluated(tree, values); return Number(a) / Number(b); };
    const sizes = rectangles.map(({ sides }) => sides.map(number));
    const scale = Math.max(0, ...rectangles.flatMap(({ room, cut }, index) => room.map((most, side) => cut[side] ? 0 : sizes[index][side] / most)));
    if (!(scale > 0)) return;
    rectangles.forEach(({ group, cards, x, y, room, strips }, index) => {
      const lengths = sizes[index].map(size => size / scale), [down, right] = lengths.map((length, side) => length > room[side] * 1.001);
      const [height, width] = lengths.map((length, side) => Math.min(room[side], Math.max(2.5, length)));
      for (const card of cards) { card.setAttribute("height", height.toFixed(1)); card.setAttribute("width", width.toFixed(1)); }
      for (const line of group.querySelectorAll("polyline")) line.remove();
      const [rows, columns] = strips.map(number);
      for (let n = 1; n < columns && width / columns >= 2.2; n++) stroke(group, "mark", [[x + width * n / columns, y], [x + width * n / columns, y + height]]);
      for (let n = 1; n < rows && height / rows >= 2.2; n++) stroke(group, "mark", [[x, y + height * n / rows], [x + width, y + height * n / rows]]);
      for (const shift of [0, 4]) {
        const jag = n => shift + (n % 2 ? 2 : -2);
        if (right) stroke(group, "line", [0, 1, 2, 3, 4].map(n => [x + width * 0.72 + jag(n), y + height * n / 4]));
        if (down) stroke(group, "line", [0, 1, 2, 3, 4].map(n => [x + width * n / 4, y + height * 0.72 + jag(n)]));
      }
    });
  };

  const against = (now, before) => {
    if (!before) return "";
    const times = before[0] ? decimals(ratio(now[0] * before[1], now[1] * before[0]), 2) : "–";
    return model.words["kept"].replace("{number}", shown(before)).replace("{times}", times);
  };
  const refuse = sentences => {
    one("told").textContent = sentences.join(" ");
    document.body.classList.toggle("refused", sentences.length > 0);
  };
  const update = () => {
    const { values, told } = settled(stated);
    refuse(told);
    for (const field of all("[data-letter]")) {
      if (field !== document.activeElement) field.value = values.get(field.dataset.letter);
      field.classList.toggle("follows", !stated.has(field.dataset.letter));
    }
    if ([...initial.keys()].some(letter => !(values.get(letter) >= 1n))) return;
    for (const slider of all("[data-slides]")) if (slider !== document.activeElement)
      slider.value = Math.round(6 * Math.log2(Number(values.get(slider.dataset.slides)) / Number(initial.get(slider.dataset.slides))));
    const before = kept && settled(kept).values;
    for (const section of all(".measure")) {
      const { formula, rows } = model.measures[section.dataset.measure], total = evaluated(formula, values);
      section.hidden = section.dataset.measure !== measure;
      section.querySelector(".total").textContent = shown(total);
      section.querySelector(".against").textContent = against(total, before && evaluated(formula, before));
      section.querySelector(".substituted").textContent = written(formula, values);
      section.querySelectorAll("tbody tr").forEach((row, index) => {
        const part = evaluated(rows[index], values);
        row.querySelector("output").textContent = shown(part);
        row.querySelector(".against").textContent = against(part, before && evaluated(rows[index], before));
        row.querySelector(".percent").textContent = percent(part, total);
        row.querySelector(".track > span").style.width = total[0] ? Number(part[0] * total[1] * 10000n / (part[1] * total[0])) / 100 + "%" : "0";
      });
    }
    proportion(values);
    for (const number of all("[data-value]")) number.textContent = shown(evaluated(JSON.parse(number.dataset.value), values));
    const changed = [...stated].filter(([letter, value]) => initial.get(letter) !== value || letter in model.follows);
    const state = new URLSearchParams(changed.map(([letter, value]) => [letter, value.toString()]));
    if (measure !== Object.keys(model.measures)[0]) state.set("measure", measure);
    if (fixed) state.set("part", fixed);
    if (kept) state.set("beside", [...kept].map(([letter, value]) => `${letter}=${value}`).join(" "));
    try { history.replaceState(null, "", "#" + state); } catch { /* A page inside another one has no address of its own. */ }
  };

  const read = text => { const digits = text.replace(/[,_ ]/g, ""); return /^[0-9]{1,60}$/.test(digits) ? BigInt(digits) : null; };
  const state = (letter, value) => { if (initial.has(letter)) stated.set(letter, value); };
  const slid = (letter, position) => {
    const from = initial.get(letter);
    let step = 1n;
    while (step < 64n && from % (step * 2n) === 0n && from > step * 2n) step *= 2n;
    const scaled = BigInt(Math.round(2 ** (position / 6) * 2 ** 20)) * from >> 20n, rounded = (scaled + step / 2n) / step * step;
    return rounded < 1n ? 1n : rounded < step ? step : rounded;
  };
  for (const field of all("[data-letter]")) field.addEventListener("input", () => {
    const value = read(field.value), letter = field.dataset.letter;
    field.setAttribute("aria-invalid", String(value === null || value < 1n));
    if (value === null || value < 1n) {
      refuse([model.words["no-size"].replace("{letter}", model.names[letter]).replace("{value}", field.value.slice(0, 40))]);
      return;
    }
    state(letter, value);
    update();
  });
  for (const slider of all("[data-slides]")) slider.addEventListener("input", () => {
    state(slider.dataset.slides, slid(slider.dataset.slides, Number(slider.value)));
    update();
  });
  one("presets")?.addEventListener("change", event => {
    const values = model.presets[event.target.value];
    if (!values) return;
    stated = new Map(Object.entries(values).filter(([letter]) => !(letter in model.follows)).map(([letter, text]) => [letter, BigInt(text)]));
    const { values: found } = settled(stated);
    for (const [letter, text] of Object.entries(values)) if (found.get(letter) !== BigInt(text)) state(letter, BigInt(text));
    for (const [letter, value] of initial) if (!stated.has(letter) && !(letter in model.follows)) state(letter, value);
    update();
  });
  one("measures").addEventListener("change", event => { measure = event.target.value; update(); });
  one("keep").addEventListener("click", () => { kept = new Map(stated); one("forget").hidden = false; update(); });
  one("forget").addEventListener("click", () => { kept = null; one("forget").hidden = true; update(); });
  one("sizes").addEventListener("submit", event => event.preventDefault());

  // A module in the table and in the drawing light up together.
  const bare = path => path.replace(/\{[^}]*\}/g, "{i}");
  const marked = path => {
    one("why").textContent = path === null ? model.words["point"] : model.why[path] ?? "";
    for (const each of all("[data-part]")) {
      const own = bare(each.dataset.part), lit = path !== null && (own === path || own.startsWith(path + ".") || path.startsWith(own + ".") && own !== "" && each.tagName === "g");
      each.classList.toggle("lit", lit);
    }
  };
  for (const each of all("[data-part]")) {
    const path = bare(each.dataset.part);
    if (!path) continue;
    each.addEventListener("mouseenter", () => marked(path));
    each.addEventListener("mouseleave", () => marked(fixed));
    each.addEventListener("focusin", () => marked(path));
    each.addEventListener("focusout", () => marked(fixed));
    each.addEventListener("click", event => { event.preventDefault(); fixed = fixed === path ? null : path; marked(fixed ?? path); update(); });
    if (each.tagName === "g") {
      each.setAttribute("tabindex", "0");
      each.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); each.dispatchEvent(new Event("click")); } });
    }
  }

  const restore = () => {
    const made = new Map(stated);
    const found = new URLSearchParams(location.hash.slice(1));
    for (const [letter, text] of found) { const value = read(text); if (value) state(letter, value); }
    if (found.get("part") && Object.hasOwn(model.why, found.get("part"))) fixed = found.get("part");
    if (Object.hasOwn(model.measures, found.get("measure") ?? "")) measure = found.get("measure");
    if (found.has("beside")) {
      const pairs = found.get("beside").split(" ").map(pair => pair.split("=")).filter(([letter, text]) => initial.has(letter) && read(text ?? ""));
      kept = new Map([...made, ...pairs.map(([letter, text]) => [letter, read(text)])]);
      one("forget").hidden = false;
    }
    one("measures").value = measure;
  };
  one("panel").hidden = one("measure-menu").hidden = false;
  restore();
  marked(fixed);
  update();
})();
