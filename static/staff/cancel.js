/* The cancel page: the red button names the amount and follows the choice; the focus starts on keeping the order. */
"use strict";
{
  const form = document.getElementById("cancel");
  const follow = () => {
    const chosen = form.querySelector("[name=by_terms]:checked");
    if (!chosen) return;
    document.getElementById("cancel-button").textContent = `Cancel the order, credit ${chosen.dataset.credit}`;
    form.querySelector("[data-wallet-after]").textContent = chosen.dataset.wallet;
    form.querySelector("[data-letter-credit]").textContent = chosen.dataset.credit;
  };
  form.addEventListener("change", follow);
  form.elements.words.addEventListener("input", (event) => {
    form.querySelector("[data-letter-words]").textContent = event.target.value;
  });
  follow();
  if (!document.querySelector(".errors, .messagelist")) document.getElementById("keep").focus();
}
