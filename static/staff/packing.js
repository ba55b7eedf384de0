/* The packing sheet: rows as a grid, pasted cells, live check and keys. The server reads the same rows again. */
"use strict";
{
  const form = document.getElementById("packing");
  const plain = document.getElementById("id_rows");
  const body = document.querySelector("#grid-rows tbody");
  const { BOX, COLUMNS, READERS, SIZES, begins, columnsOf, input, makeRow, parse, set, setBegins, value, whole, write } = globalThis.packingRows;
  const NAMES = { count: "Count", kg: "kg each", length: "Length", width: "Width", height: "Height", sku: "SKU", pieces: "Pieces" };
  const faults = JSON.parse(form.dataset.faults || "{}");
  const headings = JSON.parse(form.dataset.headings);
  const [low, high] = form.dataset.usual.split(" ").map(Number);
  const compared = [...document.querySelectorAll("#compared-rows tbody tr[data-sku]")];
  const lines = new Map(compared.map((row) => [row.dataset.sku, { row, name: row.dataset.name, confirmed: Number(row.dataset.confirmed), weight: Number(row.dataset.weight) }]));

  /* Rows of the grid */
  const build = (table) => {
    let above = null;
    const rows = table
      .filter((cells) => cells.some(Boolean))
      .map((cells) => {
        const values = Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at + 1] ?? ""]));
        const figures = BOX.filter((column) => values[column]);
        const repeats = above && cells[0] && cells[0] === above[0];
        const isBox = !above || (repeats ? figures.some((column) => values[column] !== above[COLUMNS.indexOf(column) + 1]) : Boolean(cells[0] || figures.length));
        if (isBox) above = cells;
        return makeRow(values, isBox);
      });
    body.replaceChildren(...rows);
    if (!rows.length) body.append(makeRow({ count: "1" }, true));
  };
  const contents = () => {
    let number = 0;
    const rows = [...body.rows].map((row) => [begins(row) ? String((number += 1)) : "", ...COLUMNS.map((column) => value(row, column))]);
    return write(rows.filter((cells) => cells.some(Boolean)));
  };

  /* The live check */
  const show = (name, text) => {
    for (const place of document.querySelectorAll(`[data-total="${name}"]`)) if (place.textContent !== text) place.textContent = text;
  };
  const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "✓");
  const kilograms = (grams) => `${(Math.ceil(grams / 100) / 10).toFixed(1)} kg`;
  const label = (field, text) => {
    if (field.getAttribute("aria-label") !== text) field.setAttribute("aria-label", text);
  };
  const mark = (field, text) => {
    const td = field.parentElement;
    if (td.classList.contains("fault") === Boolean(text) && field.title === text) return;
    td.classList.toggle("fault", Boolean(text));
    field.title = text;
    if (text) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  };
  /* The cells are narrow: what is wrong with them stands below the product's name. */
  const explain = (row, name) => {
    const wrong = [...row.querySelectorAll(".fault input")].map((field) => `${NAMES[field.dataset.column]}: ${field.title}`);
    const td = row.querySelector(".name");
    if (td.dataset.shown === name + wrong.join()) return;
    td.dataset.shown = name + wrong.join();
    td.replaceChildren(name, ...wrong.map((text) => Object.assign(document.createElement("span"), { className: "field-error", textContent: text })));
  };
  const plural = (number, one, many) => `${number} ${number === 1 ? one : many}`;
  const tick = document.getElementById("id_weight_is_right");
  const save = document.getElementById("save");
  const complete = document.getElementById("complete");

  const count = () => {
    const packed = new Map();
    const reasons = [];
    let [boxes, pieces, grams, unread, times, allWeighed, place] = [0, 0, 0, 0, 1, true, ""];
    const rows = [...body.rows];
    for (const [at, row] of rows.entries()) {
      for (const field of row.querySelectorAll("input:not(.sku)")) {
        const wrong = field.value.trim() && !(READERS[field.dataset.column](field.value) >= (BOX.includes(field.dataset.column) && field.dataset.column !== "count" ? 0 : 1));
        mark(field, wrong ? "Not a number that fits here." : field.dataset.fault ?? "");
        unread += wrong ? 1 : 0;
      }
      if (begins(row)) {
        times = whole(value(row, "count") || "1") || 1;
        place = times > 1 ? `${boxes + 1}–${boxes + times}` : String(boxes + 1);
        row.firstElementChild.textContent = `No. ${place}`;
        for (const column of BOX) label(input(row, column), `${NAMES[column]}, box ${place}`);
        const each = Math.round((READERS.kg(value(row, "kg")) || 0) * 1000);
        grams += times * each;
        boxes += times;
        if (!each) {
          allWeighed = false;
          reasons.push(`Box ${place} has no weight.`);
        } else if (SIZES.some((column) => !(READERS.length(value(row, column)) > 0))) reasons.push(`Box ${place} has no size.`);
        const isLast = !rows[at + 1] || begins(rows[at + 1]);
        if (isLast && !value(row, "sku")) reasons.push(`Box ${place} is empty.`);
      }
      const sku = value(row, "sku").toUpperCase();
      const line = lines.get(sku);
      const number = value(row, "pieces") ? whole(value(row, "pieces")) || 0 : 0;
      const name = line?.name ?? (sku ? "not in this order" : "");
      label(input(row, "sku"), `SKU, box ${place}, row ${at + 1}`);
      label(input(row, "pieces"), `Pieces, ${line?.name ?? (sku || `row ${at + 1}`)}`);
      label(row.querySelector(".remove"), `Remove row ${at + 1}${sku ? `, ${sku}` : ""}`);
      mark(input(row, "sku"), input(row, "sku").dataset.fault ?? "");
      explain(row, name);
      if (sku) packed.set(sku, (packed.get(sku) ?? 0) + number * times);
      pieces += sku ? number * times : 0;
    }
    compare(packed, rows, reasons);
    let weight = 0;
    for (const [sku, number] of packed) weight += number * (lines.get(sku)?.weight ?? 0);
    const percent = weight && grams && allWeighed ? Math.floor((200 * (grams - weight) + weight) / (2 * weight)) : null;
    const unusual = percent !== null && (percent < low || percent > high);
    document.getElementById("weight").hidden = !unusual;
    show("boxes", plural(boxes, "box", "boxes"));
    show("packed", String(pieces));
    show("measured", kilograms(grams));
    show("products", kilograms(weight));
    show("percent", percent === null ? "" : `${Math.abs(percent)} % ${percent < 0 ? "below" : "above"}`);
    if (unread) reasons.unshift(`${plural(unread, "cell", "cells")} cannot be read.`);
    const missing = document.getElementById("missing");
    missing.hidden = !reasons.length;
    if (reasons.length) {
      const first = document.createElement("b");
      first.dataset.total = "missing";
      first.textContent = reasons[0];
      const more = reasons.length > 1 ? ` And ${reasons.length - 1} more.` : "";
      missing.replaceChildren(first, `${more} “Packing complete” opens when every line agrees and every box is weighed.`);
    }
    if (!reasons.length && unusual && !tick.checked) reasons.push("Say whether the weight is right as it is.");
    complete.disabled = Boolean(reasons.length);
    complete.classList.toggle("primary", !reasons.length);
    save.classList.toggle("primary", Boolean(reasons.length));
    tell(reasons[0] ?? "Every piece is packed.");
  };
  const compare = (packed, rows, reasons) => {
    let [confirmed, all] = [0, 0];
    const differs = new Set();
    const texts = [];
    for (const [sku, line] of lines) {
      const number = packed.get(sku) ?? 0;
      const difference = number - line.confirmed;
      confirmed += line.confirmed;
      all += number;
      line.row.cells[2].textContent = number;
      line.row.cells[3].textContent = signed(difference);
      line.row.classList.toggle("differs", difference !== 0);
      if (!difference) continue;
      differs.add(sku);
      const what = `${plural(Math.abs(difference), "piece", "pieces")} of ${sku}`;
      texts.push(difference < 0 ? `${what} ${difference === -1 ? "is" : "are"} not packed.` : `${what} too many.`);
    }
    for (const old of document.querySelectorAll("#compared-rows tr[data-other]")) old.remove();
    for (const [sku, number] of packed) {
      if (lines.has(sku)) continue;
      differs.add(sku);
      all += number;
      texts.push(`${sku} is not in this order.`);
      const row = document.querySelector("#compared-rows tbody").insertRow();
      row.dataset.other = "";
      row.className = "differs";
      for (const text of [sku, "0", String(number), signed(number)]) row.insertCell().textContent = text;
      for (const td of [...row.cells].slice(1)) td.className = "num";
      row.cells[3].classList.add("sign");
    }
    reasons.unshift(...texts);
    show("confirmed", String(confirmed));
    show("difference", signed(all - confirmed));
    for (const row of rows) row.classList.toggle("differs", differs.has(value(row, "sku").toUpperCase()));
  };
  let telling = 0;
  const tell = (text) => {
    const why = document.getElementById("why");
    if (why.textContent === text) return;
    why.textContent = text;
    clearTimeout(telling);
    telling = setTimeout(() => {
      document.getElementById("told").textContent = text;
    }, 1000);
  };
  let waiting = 0;
  const countSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(count, 60);
  };

  /* Nothing is lost: what was typed stays in this tab until it is saved. */
  const key = form.dataset.key;
  const version = form.elements.version;
  const PAPER = ["remarks", "notify", "terms", "build_date"];
  let changed = Boolean(form.dataset.unsaved);
  const keep = (sent = false) => {
    const paper = Object.fromEntries(PAPER.map((name) => [name, form.elements[name].value]));
    sessionStorage.setItem(key, JSON.stringify({ sent, version: version.value, rows: contents(), paper }));
  };
  let keeping = 0;
  const altered = () => {
    changed = true;
    document.getElementById("filled-in")?.remove();
    clearTimeout(keeping);
    keeping = setTimeout(keep, 200);
    countSoon();
  };
  window.addEventListener("beforeunload", (event) => {
    if (changed) event.preventDefault();
  });
  window.addEventListener("pagehide", () => {
    if (changed) keep();
  });
  form.addEventListener("submit", () => {
    plain.value = contents();
    keep(true);
    changed = false;
  });
  document.getElementById("take-kept")?.addEventListener("click", () => {
    changed = false;
    sessionStorage.removeItem(key);
  });

  /* Pasted cells */
  const note = document.getElementById("pasted");
  const fill = (table, row, start, before = contents()) => {
    const { map, from } = columnsOf(table, start, { headings, isKnown: (text) => lines.has(text.toUpperCase()) });
    const label = map.get("box");
    map.delete("box");
    let [at, above] = [row, null];
    const saysBox = label !== undefined || BOX.some((column) => map.has(column));
    for (const cells of table.slice(from)) {
      if (!cells.some(Boolean)) continue;
      if (!at) at = body.appendChild(makeRow({}, !body.rows.length));
      const named = label === undefined ? "" : cells[label];
      const figures = BOX.filter((column) => cells[map.get(column)]);
      const isBox = named && named === above?.[label] ? figures.some((column) => cells[map.get(column)] !== above[map.get(column)]) : Boolean(named || figures.length);
      if (saysBox && at !== body.rows[0]) setBegins(at, isBox, {});
      if (isBox) above = cells;
      for (const [column, place] of map) if (isBox || at === body.rows[0] || !BOX.includes(column)) set(at, column, cells[place] ?? "");
      if (begins(at) && !value(at, "count")) set(at, "count", "1");
      at = at.nextElementSibling;
    }
    const used = new Set([...map.values(), label]);
    const unused = from ? table[0].filter((text, place) => text && !used.has(place)) : [...Array(Math.max(...table.map((cells) => cells.length))).keys()].filter((place) => !used.has(place)).map((place) => `column ${place + 1}`);
    const undo = document.createElement("button");
    undo.type = "button";
    undo.className = "link-button";
    undo.textContent = "Undo";
    undo.addEventListener("click", () => {
      build(parse(before));
      note.hidden = true;
      altered();
    });
    note.replaceChildren(`${plural(table.length - from, "row", "rows")} pasted.${unused.length ? ` Not used: ${unused.join(", ")}.` : ""} `, undo);
    note.hidden = false;
    altered();
  };
  body.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (!event.target.matches("input") || !/[\t\n]/.test(text.trimEnd())) return;
    event.preventDefault();
    fill(parse(text), event.target.closest("tr"), COLUMNS.indexOf(event.target.dataset.column));
  });
  const dialog = document.getElementById("paste");
  const pasted = document.getElementById("paste-text");
  const take = (replaces) => {
    dialog.close();
    if (!pasted.value.trim()) return;
    const [table, before] = [parse(pasted.value), contents()];
    if (replaces) body.replaceChildren();
    // Without headings and SKUs that are known, a row begins with its box's number.
    const shift = Math.max(...table.map((row) => row.length)) > COLUMNS.length ? -1 : 0;
    fill(table, null, shift, before);
    pasted.value = "";
  };
  document.getElementById("paste-open").addEventListener("click", () => dialog.showModal());
  document.getElementById("paste-add").addEventListener("click", () => take(false));
  document.getElementById("paste-replace").addEventListener("click", () => take(true));
  document.getElementById("paste-cancel").addEventListener("click", () => dialog.close());

  /* Keys */
  const near = (row, column, step) => {
    let at = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    while (at && !input(at, column)) at = step > 0 ? at.nextElementSibling : at.previousElementSibling;
    return at && input(at, column);
  };
  const boxOf = (row) => {
    while (row && !begins(row)) row = row.previousElementSibling;
    return row;
  };
  const newBox = (row) => {
    const isFresh = begins(row) && row.previousElementSibling && !["kg", ...SIZES].some((column) => value(row, column));
    if (isFresh) {
      setBegins(row, false);
      input(row, "pieces").focus();
    } else if (begins(row)) addRow(true);
    else {
      setBegins(row, true);
      input(row, "kg").focus();
    }
    altered();
  };
  const copySizes = (row) => {
    const box = boxOf(row);
    const above = boxOf(box.previousElementSibling);
    if (!above) return;
    for (const column of SIZES) input(box, column).value = value(above, column);
    altered();
  };
  const addRow = (isBox, after = body.lastElementChild) => {
    const row = makeRow({ count: "1" }, isBox || !after);
    if (after) after.after(row);
    else body.append(row);
    altered();
    input(row, isBox ? "kg" : "sku").focus();
  };
  body.addEventListener("keydown", (event) => {
    const field = event.target;
    if (!field.matches("input") || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const row = field.closest("tr");
    const { column } = field.dataset;
    const arrow = (event.key === "ArrowDown" || event.key === "ArrowUp") && column !== "sku";
    if (event.key === "Enter" || arrow) {
      event.preventDefault();
      const next = near(row, column, event.key === "ArrowUp" ? -1 : 1);
      if (next) next.focus();
      else if (event.key === "Enter" && !BOX.includes(column)) addRow(false);
      return;
    }
    if (column === "sku") return;
    const letter = event.key.toLowerCase();
    if (letter === "b") newBox(row);
    else if (letter === "d") copySizes(row);
    else return;
    event.preventDefault();
  });
  body.addEventListener("focusin", (event) => {
    if (event.target.matches("input")) event.target.select();
  });
  body.addEventListener("click", (event) => {
    if (!event.target.matches(".remove")) return;
    const row = event.target.closest("tr");
    const next = row.nextElementSibling;
    if (begins(row) && next && !begins(next)) {
      for (const column of ["sku", "pieces"]) input(row, column).value = value(next, column);
      next.remove();
    } else if (body.rows.length > 1) row.remove();
    else build([]);
    altered();
    (row.isConnected ? row : next ?? body.lastElementChild).querySelector(".remove").focus();
  });
  document.getElementById("add-box").addEventListener("click", () => addRow(true));
  document.getElementById("add-content").addEventListener("click", () => addRow(false));
  document.getElementById("weigh-again").addEventListener("click", (event) => {
    event.preventDefault();
    body.querySelector(".kg").focus();
  });
  body.addEventListener("input", (event) => {
    delete event.target.dataset.fault;
    altered();
  });
  form.addEventListener("input", (event) => {
    if (!body.contains(event.target)) altered();
  });

  /* The beginning: what the server sent, or what was not saved before. */
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
  const saved = Number(new URLSearchParams(location.search).get("saved") ?? 0);
  let rows = plain.value;
  if (kept && !form.dataset.unsaved) {
    if (kept.sent && saved > Number(kept.version)) sessionStorage.removeItem(key);
    else {
      rows = kept.rows;
      // Saved against what it was typed over: somebody else's changes are shown, not lost.
      version.value = kept.version;
      for (const name of PAPER) form.elements[name].value = kept.paper[name];
      note.textContent = "This is what you had not saved yet.";
      note.hidden = false;
      changed = true;
    }
  }
  build(parse(rows));
  for (const [place, text] of Object.entries(faults)) {
    const [at, column] = place.split("-");
    const field = body.rows[at] && input(body.rows[at], column);
    if (!field) continue;
    field.id = `r${place}`;
    field.dataset.fault = text;
  }
  plain.closest(".body").hidden = true;
  document.getElementById("grid-rows").hidden = false;
  for (const id of ["paste-open", "add-box", "add-content"]) document.getElementById(id).hidden = false;
  count();
  if (!document.querySelector(".errornote")) input(body.rows[0], "kg")?.focus();
}
