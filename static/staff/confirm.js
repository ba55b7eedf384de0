/* The confirmation sheet: live totals in whole cents, keys, and input kept while it is not sent. The server counts again. */
"use strict";
{
  const sheet = document.getElementById("sheet");
  const lines = [...document.querySelectorAll("#lines tbody tr")];
  const added = document.querySelector("#added tbody");
  const stockFree = Boolean(sheet.dataset.stockFree);

  const cents = (text) => {
    const [, minus, whole, part] = /^\s*(-?)(\d*)(?:\.(\d*))?/.exec(text ?? "") ?? [];
    const value = Number(whole || 0) * 100 + Number(((part || "") + "00").slice(0, 2));
    return minus ? -value : value;
  };
  const money = (value) => {
    const size = Math.abs(value);
    const whole = String(Math.floor(size / 100)).replace(/\B(?=(\d{3})+$)/g, ",");
    return `${value < 0 ? "− " : ""}${whole}.${String(size % 100).padStart(2, "0")}`;
  };
  const kilograms = (grams) => `${(Math.ceil(grams / 100) / 10).toFixed(1)} kg`;
  const pieces = (input) => Math.max(0, Math.trunc(Number(input.value) || 0));
  const show = (name, text) => {
    for (const place of document.querySelectorAll(`[data-total="${name}"]`)) {
      if (place !== sheet && place.textContent !== text) place.textContent = text;
    }
  };

  const count = () => {
    const sum = { real: 0, weight: 0, full: 0, part: 0, none: 0, back: 0, extra: 0 };
    for (const row of lines) {
      const ordered = Number(row.dataset.ordered);
      const input = row.querySelector(".count");
      const confirmed = pieces(input);
      const total = cents(row.dataset.price) * confirmed;
      const tooMany = confirmed > ordered || (!stockFree && confirmed > Number(row.dataset.available));
      input.parentElement.classList.toggle("fault", tooMany);
      input.setAttribute("aria-invalid", String(tooMany));
      const reason = row.querySelector("select");
      const asked = confirmed === 0 && !reason.value;
      reason.parentElement.classList.toggle("fault", asked);
      reason.setAttribute("aria-invalid", String(asked));
      row.querySelector("[data-asked]").hidden = !asked;
      row.classList.toggle("part", confirmed > 0 && confirmed < ordered);
      row.classList.toggle("zero", confirmed === 0);
      row.querySelector("[data-sum]").textContent = money(total);
      sum.real += total;
      sum.weight += Number(row.dataset.weight) * confirmed;
      sum.back += Math.max(0, ordered - confirmed);
      sum[confirmed >= ordered ? "full" : confirmed ? "part" : "none"] += 1;
    }
    for (const row of added.rows) {
      const quantity = pieces(row.querySelector(".count"));
      const free = row.querySelector("select").value !== "substitute";
      const price = row.querySelector(".price");
      price.disabled = free;
      const total = free ? 0 : cents(price.value) * quantity;
      const given = Boolean(row.querySelector(".sku").value && quantity);
      row.classList.toggle("added", given);
      row.querySelector("[data-sum]").textContent = given ? money(total) : "";
      sum.real += total;
      sum.weight += Number(row.dataset.weight) * quantity;
      sum.extra += given ? 1 : 0;
    }
    const final = sum.real + cents(document.getElementById("id_shipping_fee").value);
    const balance = final - cents(sheet.dataset.received);
    show("not_confirmed", money(sum.real - cents(sheet.dataset.total)));
    show("real_total", money(sum.real));
    show("final", money(final));
    show("balance", money(balance));
    show("overpaid", money(Math.max(0, -balance)));
    document.getElementById("too-much").hidden = balance >= 0;
    for (const name of ["full", "part", "none", "extra"]) show(name, String(sum[name]));
    show("back", `${sum.back} pcs`);
    show("weight", kilograms(sum.weight));
  };
  let waiting = 0;
  const countSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(count, 60);
  };

  const setCount = (row, value) => {
    const input = row.querySelector(".count");
    input.value = value;
    if (value < Number(row.dataset.ordered)) row.querySelector("select").value ||= "short";
    markShort(row);
    keep();
    count();
    input.select();
  };
  const markShort = (row) => {
    const reason = row.querySelector("select");
    const confirmed = pieces(row.querySelector(".count"));
    const ordered = Number(row.dataset.ordered);
    if (confirmed > 0 && confirmed < ordered && !reason.value) reason.value = "short";
    if (confirmed >= ordered && reason.value === "short") reason.value = "";
  };
  const allThereIs = (row) => {
    const ordered = Number(row.dataset.ordered);
    return stockFree ? ordered : Math.min(ordered, Math.max(0, Number(row.dataset.available)));
  };

  const everything = document.getElementById("all-as-ordered");
  everything.hidden = false;
  everything.addEventListener("click", () => {
    for (const row of lines) {
      const confirmed = allThereIs(row);
      row.querySelector(".count").value = confirmed;
      if (confirmed < Number(row.dataset.ordered)) row.querySelector("select").value ||= "short";
      markShort(row);
    }
    keep();
    count();
  });

  const counts = () => [...sheet.querySelectorAll("input.count")];
  sheet.addEventListener("keydown", (event) => {
    const input = event.target;
    if (!input.matches?.("input.count, input.comment, input.price, input.sku") || event.ctrlKey) return;
    const row = input.closest("tr");
    if (event.key === "Enter" || ((event.key === "ArrowDown" || event.key === "ArrowUp") && !input.matches(".sku"))) {
      event.preventDefault();
      const name = input.className;
      const same = [...sheet.querySelectorAll(`input.${name}`)];
      const next = same[same.indexOf(input) + (event.key === "ArrowUp" ? -1 : 1)];
      next?.focus();
      return;
    }
    if (!input.matches("#lines input.count")) return;
    const key = event.key.toLowerCase();
    if (key === "a") setCount(row, row.dataset.ordered);
    else if (key === "s") setCount(row, allThereIs(row));
    else return;
    event.preventDefault();
  });
  sheet.addEventListener("focusin", (event) => {
    if (event.target.matches("input.count, input.price, input.fee")) event.target.select();
  });
  sheet.addEventListener("change", (event) => {
    const row = event.target.closest("#lines tr");
    if (row && event.target.matches(".count")) {
      markShort(row);
      keep();
    }
    count();
  });

  /* Added lines */
  const button = document.getElementById("add-line");
  const total = sheet.querySelector("[name=added-TOTAL_FORMS]");
  const addRow = () => {
    const number = Number(total.value);
    const html = document.getElementById("added-line").innerHTML.replaceAll("__prefix__", number).replaceAll("line new", `line ${number + 1}`);
    added.insertAdjacentHTML("beforeend", html);
    total.value = number + 1;
    count();
    return added.lastElementChild;
  };
  button.hidden = false;
  button.addEventListener("click", () => addRow().querySelector(".sku").focus());

  const known = new Map();
  const list = document.getElementById("found-products");
  const asking = new Map();
  const describe = (row) => {
    const product = known.get(row.querySelector(".sku").value.trim().toUpperCase());
    row.querySelector("[data-name]").textContent = product?.name ?? "";
    row.querySelector("[data-available]").textContent = product ? product.available : "";
    row.dataset.weight = product?.weight_g ?? 0;
    const price = row.querySelector(".price");
    if (product && !price.value) price.value = product.price;
    count();
  };
  added.addEventListener("input", (event) => {
    if (!event.target.matches(".sku")) return;
    const row = event.target.closest("tr");
    const term = event.target.value.trim();
    describe(row);
    if (term.length < 2 || known.has(term.toUpperCase())) return;
    clearTimeout(asking.get(row));
    const ask = async () => {
      const answer = await fetch(`${sheet.dataset.products}?q=${encodeURIComponent(term)}`);
      if (!answer.ok) return;
      const { products } = await answer.json();
      list.replaceChildren(
        ...products.map((product) => {
          known.set(product.sku.toUpperCase(), product);
          const option = document.createElement("option");
          option.value = product.sku;
          option.label = `${product.name}, ${product.available} available, ${product.price}`;
          return option;
        }),
      );
      describe(row);
    };
    asking.set(row, setTimeout(ask, 180));
  });

  /* Nothing is lost: what was typed stays in this tab until it is sent. */
  const fields = () => [...sheet.elements].filter((field) => field.name && field.type !== "hidden" && field.type !== "submit");
  const key = sheet.dataset.key;
  let changed = false;
  const keep = () => {
    changed = true;
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(fields().map((field) => [field.name, field.value]))));
  };
  sheet.addEventListener("input", () => {
    keep();
    countSoon();
  });
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
  if (kept) {
    while (Object.keys(kept).some((name) => name.startsWith("added-") && !sheet.elements[name]) && Number(total.value) < 50) addRow();
    for (const field of fields()) if (field.name in kept) field.value = kept[field.name];
    changed = true;
  }
  sheet.addEventListener("submit", () => {
    changed = false;
  });
  window.addEventListener("beforeunload", (event) => {
    if (changed) event.preventDefault();
  });

  for (const row of document.querySelectorAll("[data-live]")) row.hidden = false;
  document.querySelector(".bar [name=count]").hidden = true;
  for (const row of lines) if (pieces(row.querySelector(".count")) < Number(row.dataset.ordered)) markShort(row);
  count();
  for (const row of added.rows) if (row.querySelector(".sku").value) row.querySelector(".sku").dispatchEvent(new Event("input", { bubbles: true }));
  if (!document.querySelector(".errornote")) counts()[0]?.focus();
}
