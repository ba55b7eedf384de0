/* Rows of a packing sheet as text: numbers, pasted cells, and which of their columns is what. */
"use strict";
{
  const SIZES = ["length", "width", "height"];
  const BOX = ["count", "kg", ...SIZES];
  const COLUMNS = [...BOX, "sku", "pieces"];

  /* Reading: as apps/orders/admin/packing_cells.py does. */
  const whole = (text) => {
    const bare = text.trim().replace(/[.,]0{1,2}$/, "");
    const match = /^\d{1,3}([ ,]\d{3})+$|^\d{1,7}$/.test(bare);
    return match ? Number(bare.replace(/[ ,]/g, "")) : Number.NaN;
  };
  const measure = (text, places) => {
    const [, number, part = ""] = /^(\d{1,4})(?:[.,](\d{1,6}))?$/.exec(text.trim()) ?? [];
    return number === undefined || part.replace(/0+$/, "").length > places ? Number.NaN : Number(`${number}.${part || 0}`);
  };
  const READERS = { count: whole, pieces: whole, kg: (text) => measure(text, 3), length: (text) => measure(text, 1) };
  READERS.width = READERS.height = READERS.length;
  const isNumber = (text) => /^[\d.,\s]+$/.test(text);

  const parse = (text) => {
    const table = [[""]];
    let quoted = false;
    const clean = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
    for (let at = 0; at < clean.length; at += 1) {
      const char = clean[at];
      const row = table.at(-1);
      if (quoted && char === '"' && clean[at + 1] === '"') row[row.length - 1] += clean[(at += 1)];
      else if (quoted && char === '"') quoted = false;
      else if (!quoted && char === '"' && row.at(-1) === "") quoted = true;
      else if (!quoted && char === "\t") row.push("");
      else if (!quoted && char === "\n") table.push([""]);
      else row[row.length - 1] += char;
    }
    return table.map((row) => row.map((cell) => cell.replace(/\s+/g, " ").trim()));
  };
  const write = (rows) => rows.map((row) => row.map((cell) => (/["\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join("\t")).join("\n");

  /** Return which column of pasted rows is what, and where their contents begin: by headings, else by where the SKUs are. */
  const columnsOf = (table, start, { headings, isKnown }) => {
    const clean = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, " ").trim();
    const named = new Map();
    for (const [column, names] of Object.entries(headings)) {
      const at = table[0].findIndex((text) => names.includes(clean(text)));
      if (at >= 0) named.set(column, at);
    }
    if (named.has("sku") && named.has("pieces")) return { map: named, from: 1 };
    const width = Math.max(...table.map((row) => row.length));
    const filled = (at) => table.map((row) => row[at] ?? "").filter(Boolean);
    const map = new Map();
    let sku = -1;
    for (let at = 0; at < width; at += 1) {
      const cells = filled(at);
      if (cells.length && cells.filter((text) => isKnown(text)).length * 2 > cells.length) sku = at;
      if (sku >= 0) break;
    }
    if (sku < 0) {
      // Nothing that is known as a SKU: cell by cell from the cursor on.
      if (start < 0) map.set("box", 0);
      for (let at = 0; at < width; at += 1) if (COLUMNS[start + at]) map.set(COLUMNS[start + at], at);
      return { map, from: 0 };
    }
    map.set("sku", sku);
    const isFigures = (at) => filled(at).filter(isNumber).length * 2 >= filled(at).length;
    let [at, to] = [sku - 1, BOX.length - 1];
    for (; at >= 0 && to >= 0 && isFigures(at); at -= 1, to -= 1) map.set(BOX[to], at);
    if (to < 0 && at >= 0) map.set("box", at);
    // The product's name may stand between.
    let pieces = sku + 1;
    while (pieces + 1 < width && filled(pieces).length && !filled(pieces).some(isNumber)) pieces += 1;
    if (pieces < width) map.set("pieces", pieces);
    return { map, from: 0 };
  };

  /* Rows of the grid */
  const input = (row, column) => row.querySelector(`[data-column="${column}"]`);
  const value = (row, column) => input(row, column)?.value.trim() ?? "";
  const begins = (row) => row.classList.contains("begins");
  const cell = (column, text) => {
    const td = document.createElement("td");
    const field = document.createElement("input");
    field.type = "text";
    field.dataset.column = column;
    field.className = column;
    field.value = text ?? "";
    field.autocomplete = "off";
    if (column === "sku") field.setAttribute("list", "packing-skus");
    else field.inputMode = column === "count" || column === "pieces" ? "numeric" : "decimal";
    if (column !== "sku") td.className = "num";
    td.append(field);
    return td;
  };
  const head = (values) => {
    const label = document.createElement("th");
    label.scope = "row";
    return [label, ...BOX.map((column) => cell(column, values[column]))];
  };
  const noHead = () => {
    const empty = document.createElement("td");
    empty.colSpan = 6;
    return [empty];
  };
  const makeRow = (values, isBox) => {
    const row = document.createElement("tr");
    row.classList.toggle("begins", isBox);
    const name = document.createElement("td");
    name.className = "name";
    const last = document.createElement("td");
    last.innerHTML = '<button type="button" class="remove">×</button>';
    row.append(...(isBox ? head(values) : noHead()), cell("sku", values.sku), name, cell("pieces", values.pieces), last);
    return row;
  };
  const setBegins = (row, isBox, values = { count: "1" }) => {
    if (begins(row) === isBox) return;
    while (!row.firstElementChild.querySelector(".sku")) row.firstElementChild.remove();
    row.classList.toggle("begins", isBox);
    row.prepend(...(isBox ? head(values) : noHead()));
  };
  const set = (row, column, text) => {
    if (!input(row, column)) {
      if (!text) return;
      setBegins(row, true, {});
    }
    input(row, column).value = text;
  };
  globalThis.packingRows = { BOX, COLUMNS, READERS, SIZES, begins, columnsOf, input, makeRow, parse, set, setBegins, value, whole, write };
}
