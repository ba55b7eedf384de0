/* The payment desk: the button carries count and sum, arrows walk the lines, orders are found while typing. */
"use strict";
{
  const money = (cents) => (cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
  const cents = (text) => Math.round(Number(String(text).replaceAll(",", "")) * 100);

  const boxes = [...document.querySelectorAll("input[name=book]")];
  const button = document.querySelector("[data-book]");
  const count = (event) => {
    const ticked = boxes.filter((box) => box.checked);
    const sum = money(ticked.reduce((total, box) => total + cents(box.dataset.amount), 0));
    button.textContent = `Book ${ticked.length} ticked line${ticked.length === 1 ? "" : "s"}, ${sum}`;
    button.disabled = !ticked.length;
    if (event) document.querySelector("[data-ticked]").textContent = `${ticked.length} ticked, ${sum}`;
  };
  if (button) {
    for (const box of boxes) box.addEventListener("change", count);
    window.addEventListener("pageshow", () => count());
    count();
  }

  /* Up and down walk the lines of a statement, Enter opens the match of the line. */
  const table = document.querySelector("table.credits");
  const stops = () => [...table.querySelectorAll("tbody tr")].map((row) => row.querySelector("input[name=book], a, input"));
  table?.addEventListener("keydown", (event) => {
    const row = event.target.closest("tr");
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.type === "search") return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const all = stops().filter(Boolean);
      const here = all.findIndex((stop) => row.contains(stop));
      all[Math.max(0, Math.min(all.length - 1, here + (event.key === "ArrowDown" ? 1 : -1)))]?.focus();
    } else if (event.key === "Enter" && event.target.name === "book") {
      event.preventDefault();
      row.querySelector("a.open-match")?.click();
    }
  });

  /* Orders that ask for money, by code, company or amount; what is chosen is sent like what is typed. */
  const find = async (box) => {
    const term = box.value.trim();
    const list = box.list;
    if (term.length < 2 || [...list.options].some((option) => option.value === term)) return;
    try {
      const answer = await fetch(`${box.dataset.claims}?q=${encodeURIComponent(term)}`, { headers: { Accept: "application/json" } });
      if (!answer.ok || box.value.trim() !== term) return;
      const { results } = await answer.json();
      list.replaceChildren(
        ...results.map(({ code, text }) => {
          const option = document.createElement("option");
          option.value = code;
          option.label = `${code}, ${text}`;
          return option;
        }),
      );
    } catch {
      /* without the list the words are sent as they are */
    }
  };
  for (const box of document.querySelectorAll("input[data-claims]")) {
    let timer;
    box.addEventListener("input", (event) => {
      clearTimeout(timer);
      if (event.inputType === "insertReplacementText" || !event.inputType) box.form.requestSubmit();
      else timer = setTimeout(() => find(box), 150);
    });
  }

  /* A split says at once what is missing; the server decides. */
  const parts = [...document.querySelectorAll("input[data-part]")];
  const line = document.querySelector("[data-split-sum]");
  const arrived = () => cents(line.dataset.arrived ?? document.querySelector("[name=received]")?.value ?? 0);
  const add = () => {
    const given = parts.filter((part) => part.value.trim());
    const rest = arrived() - given.reduce((total, part) => total + cents(part.value), 0);
    if (!given.length || Number.isNaN(rest)) line.textContent = "";
    else line.textContent = rest ? `${money(Math.abs(rest))} ${rest > 0 ? "left over" : "too much"}` : "The sum agrees.";
  };
  if (line) {
    for (const part of parts) part.addEventListener("input", add);
    document.querySelector("[name=received]")?.addEventListener("input", add);
    add();
  }
}
