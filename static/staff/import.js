/* Imports: "Apply" opens when all guards are ticked; the bar of what is under way moves, then the page is shown anew. */
"use strict";
{
  const boxes = [...document.querySelectorAll("input[name=guard]")];
  const button = document.querySelector("[data-apply]");
  if (button && boxes.length) {
    const open = !button.disabled;
    const why = document.querySelector("[data-why]");
    const told = document.querySelector("[data-ticked]");
    const count = () => {
      const missing = boxes.filter((box) => !box.checked).length;
      button.disabled = !open || missing > 0;
      told.textContent = `${boxes.length - missing} of ${boxes.length} ticked`;
      if (open) why.textContent = missing ? `${missing} guard${missing === 1 ? " is" : "s are"} not ticked.` : "";
    };
    /* Ticks outlive the look at a guard's rows. */
    const place = `import-guards:${location.pathname}`;
    try {
      const kept = JSON.parse(sessionStorage.getItem(place) ?? "[]");
      for (const box of boxes) box.checked = kept.includes(box.value);
    } catch {
      sessionStorage.removeItem(place);
    }
    for (const box of boxes) {
      box.addEventListener("change", () => {
        sessionStorage.setItem(place, JSON.stringify(boxes.filter((one) => one.checked).map((one) => one.value)));
        count();
      });
    }
    button.form.addEventListener("submit", () => sessionStorage.removeItem(place));
    window.addEventListener("pageshow", count);
    count();
  }

  const running = document.querySelector("[data-progress]");
  if (running) {
    const bar = running.querySelector("progress");
    const read = running.querySelector("[data-read]");
    const look = async () => {
      try {
        const answer = await fetch(running.dataset.progress, { headers: { Accept: "application/json" } });
        if (answer.ok && !answer.redirected) {
          const { state, read: rows, expected } = await answer.json();
          if (state !== running.dataset.state) return location.reload();
          if (read) read.textContent = rows.toLocaleString("en-US");
          if (read && expected) bar.value = Math.min(rows, expected);
        }
      } catch {
        /* asked again in a second */
      }
      setTimeout(look, 1000);
    };
    setTimeout(look, 1000);
  }
}
