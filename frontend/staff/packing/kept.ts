/** A sheet that is not saved yet: what was typed stays in this tab. */
import { find } from "../elements";

interface Kept {
  sent: boolean;
  version: string;
  rows: string;
  paper: Record<string, string>;
}
const PAPER = ["remarks", "notify", "terms", "build_date"];

export class KeptSheet {
  private readonly form: HTMLFormElement;
  private readonly key: string;

  constructor(form: HTMLFormElement) {
    this.form = form;
    this.key = form.dataset.key ?? "";
  }

  /** Keep the sheet as it is; `sent` says that it is on its way to the server. */
  keep(rows: string, sent = false) {
    const paper = Object.fromEntries(PAPER.map((name) => [name, this.field(name).value]));
    const kept: Kept = { sent, version: this.field("version").value, rows, paper };
    sessionStorage.setItem(this.key, JSON.stringify(kept));
  }

  forget() {
    sessionStorage.removeItem(this.key);
  }

  /** Put the paper back and return the rows; null where everything that was typed is saved. */
  restore(): string | null {
    const kept: Kept | null = JSON.parse(sessionStorage.getItem(this.key) ?? "null");
    if (!kept) return null;
    const saved = Number(new URLSearchParams(location.search).get("saved") ?? 0);
    if (kept.sent && saved > Number(kept.version)) {
      this.forget();
      return null;
    }
    // Saved against what it was typed over: somebody else's changes are shown, not lost.
    this.field("version").value = kept.version;
    for (const name of PAPER) this.field(name).value = kept.paper[name] ?? "";
    return kept.rows;
  }

  private field(name: string) {
    return find<HTMLInputElement>(`[name=${name}]`, this.form);
  }
}
