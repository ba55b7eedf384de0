/** A sheet that is not saved yet: what was typed stays in this tab. */
import { drafts } from "../drafts";
import { find } from "../elements";
import type { Change } from "../restored";
import { t } from "../texts";
import type { Check } from "./check";

interface Kept {
  at: number;
  sent: boolean;
  version: string;
  /** Pieces that were confirmed, by SKU. */
  confirmed: Record<string, number>;
  rows: string;
  paper: Record<string, string>;
}
const PAPER = ["remarks", "notify", "terms", "build_date"];

export class PackingDraft {
  private readonly form: HTMLFormElement;
  private readonly lines: Check["compared"];
  private readonly key: string;

  /** `lines` are those of the page: packed against confirmed. */
  constructor(form: HTMLFormElement, lines: Check["compared"]) {
    this.form = form;
    this.lines = lines;
    this.key = form.dataset.key ?? "";
  }

  /** Keep the sheet as it is; `sent` says that it is on its way to the server. */
  keep(rows: string, sent = false) {
    const paper = Object.fromEntries(PAPER.map((name) => [name, this.field(name).value]));
    const confirmed = Object.fromEntries(this.lines.map((line) => [line.sku, line.confirmed]));
    const version = this.field("version").value;
    const kept: Kept = { at: Date.now(), sent, version, confirmed, rows, paper };
    drafts.keep(this.key, kept);
  }

  forget() {
    drafts.forget(this.key);
  }

  /** Put the paper back and return the rows, and what has changed since; null where everything typed is saved. */
  restore(): { rows: string; at: number; changes: Change[] } | null {
    const kept = drafts.read<Kept>(this.key);
    if (!kept) return null;
    const saved = Number(new URLSearchParams(location.search).get("saved") ?? 0);
    if (kept.sent && saved > Number(kept.version)) {
      this.forget();
      return null;
    }
    const changes = this.changes(kept);
    // Saved against what it was typed over: somebody else's changes are shown, not lost.
    this.field("version").value = kept.version;
    for (const name of PAPER) this.field(name).value = kept.paper[name] ?? "";
    return { rows: kept.rows, at: kept.at, changes };
  }

  private changes({ version, confirmed }: Kept): Change[] {
    const none = { typed: "", target: null };
    const now = this.field("version").value;
    const saved = Number(now) > Number(version);
    return [
      ...(saved
        ? [
            {
              name: t("The sheet"),
              what: t("saved by somebody, version"),
              before: version,
              now,
              ...none,
            },
          ]
        : []),
      ...this.lines
        .filter((line) => line.confirmed !== (confirmed[line.sku] ?? line.confirmed))
        .map((line) => ({
          name: line.name,
          what: t("confirmed"),
          before: String(confirmed[line.sku]),
          now: String(line.confirmed),
          ...none,
        })),
    ];
  }

  private field(name: string) {
    return find<HTMLInputElement>(`[name=${name}]`, this.form);
  }
}
