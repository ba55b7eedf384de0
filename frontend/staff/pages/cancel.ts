/** The cancel page: the red button names the amount and follows the choice; the focus starts on keeping the order. */
import "./desk.css";
import { find } from "../elements";
import { t } from "../texts";

const form = find<HTMLFormElement>("#cancel");

function follow() {
  const chosen = form.querySelector<HTMLInputElement>("[name=by_terms]:checked");
  if (!chosen) return;
  const { credit = "", wallet = "" } = chosen.dataset;
  find("#cancel-button").textContent = t("Cancel the order, credit {credit}", { credit });
  find("[data-wallet-after]", form).textContent = wallet;
  find("[data-letter-credit]", form).textContent = credit;
  offerReasons(chosen.value === "0");
}

/** Our fault is never that the buyer gave it up. */
function offerReasons(isOurFault: boolean) {
  const reasons = find<HTMLSelectElement>("[name=kind]", form);
  const gaveUp = find<HTMLOptionElement>("[value='Cancelled by the buyer']", reasons);
  gaveUp.disabled = isOurFault;
  if (isOurFault && gaveUp.selected) reasons.value = "We cannot supply";
}

form.addEventListener("change", follow);
const words = find<HTMLTextAreaElement>("[name=words]", form);
words.addEventListener("input", () => {
  find("[data-letter-words]", form).textContent = words.value;
});
follow();
if (!document.querySelector(".errors, .messagelist")) find("#keep").focus();
