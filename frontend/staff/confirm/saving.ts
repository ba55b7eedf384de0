/** Nothing typed is lost: the sheet is saved for all staff once nothing was typed for a moment. */
import { ask } from "../answers";
import { askBeforeLeaving, find, later, setText } from "../elements";
import { t } from "../texts";

/** What the server says to a sheet that is saved meanwhile. */
interface Saved {
  revision?: number;
  at?: string;
  fault?: string;
}

const PAUSE = 1500;

/** Save what is typed from now on; return what to call after each change. */
export function saveMeanwhile(sheet: HTMLFormElement): () => void {
  let changed = Boolean(sheet.dataset.unsaved);
  let saving: Promise<void> | null = null;
  const start = () => {
    saving ??= save().finally(() => {
      saving = null;
    });
    return saving;
  };
  const place = document.querySelector("[data-saved]"); // a correction is not saved meanwhile
  const soon = later(() => {
    if (changed && place) start();
  }, PAUSE);

  const tell = (text: string) => place && setText(place, text);
  async function save() {
    changed = false;
    const body = new FormData(sheet);
    body.set("save", "meanwhile");
    const answer = await ask<Saved>(location.pathname, { method: "POST", body });
    if (answer?.revision) {
      find<HTMLInputElement>("[name=revision]", sheet).value = String(answer.revision);
      tell(t("Saved {time}", { time: answer.at ?? "" }));
      if (changed) soon();
      return;
    }
    changed = true;
    tell(t("Not saved yet: {fault}", { fault: answer?.fault ?? t("the server does not answer") }));
    if (!answer) soon();
  }

  sheet.addEventListener("submit", (event) => {
    const { submitter } = event;
    // The server takes this one without the sheet.
    const isAlone = submitter instanceof HTMLButtonElement && submitter.name === "withdraw";
    if (!saving && !(changed && isAlone)) {
      changed = false;
      return;
    }
    event.preventDefault(); // the sheet is sent with the revision that the save under way makes
    start().then(() => {
      changed = false;
      sheet.requestSubmit(submitter);
    });
  });
  askBeforeLeaving(() => changed || saving !== null);
  return () => {
    changed = true;
    soon();
  };
}
