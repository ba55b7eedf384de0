/** A confirmation sheet that is not sent yet: what was typed stays in this tab, with the stock as it was then. */
import { drafts } from "../drafts";
import { find, findAll } from "../elements";
import type { Change } from "../restored";
import { countOf } from "./rows";

interface Kept {
  at: number;
  /** What was typed: of an ordered line by its id, so that it never lands on another line. */
  fields: Record<string, string>;
  /** Pieces that were available, by the line's id. */
  available: Record<string, string>;
}
type Field = HTMLInputElement | HTMLSelectElement;

export class ConfirmationDraft {
  private readonly sheet: HTMLFormElement;
  private readonly key: string;

  constructor(sheet: HTMLFormElement) {
    this.sheet = sheet;
    this.key = sheet.dataset.key ?? "";
  }

  /** Keep the sheet as it is, or some of its fields alone. */
  keep(fields = this.fields()) {
    const kept: Kept = {
      at: Date.now(),
      fields: Object.fromEntries(fields.map((field) => [nameOf(field), field.value])),
      available: Object.fromEntries(
        this.lines().map((row) => [lineOf(row), row.dataset.available ?? ""]),
      ),
    };
    drafts.keep(this.key, kept);
  }

  forget() {
    drafts.forget(this.key);
  }

  /** Keep what was typed beside the proposals, such as the fee: they are the portal's once they are sent. */
  keepRest() {
    const rest = this.fields().filter(
      (field) => isChanged(field) && !field.closest(".proposed, .proposal"),
    );
    if (rest.length) this.keep(rest);
    else this.forget();
  }

  /** Put back what was typed; return when that was and what has changed since, null where nothing was kept. */
  restore(
    addLines: (names: string[]) => void,
  ): { at: number; changes: Change[]; lost: string[] } | null {
    const kept = drafts.read<Kept>(this.key);
    if (!kept?.fields) return null;
    addLines(Object.keys(kept.fields));
    const rest = new Map(Object.entries(kept.fields));
    for (const field of this.fields()) {
      field.value = rest.get(nameOf(field)) ?? field.value;
      rest.delete(nameOf(field));
    }
    const gone = [...rest.values()].some(Boolean);
    return {
      at: kept.at,
      changes: this.changes(kept.available),
      lost: gone ? ["lines that the order does not have any more"] : [],
    };
  }

  private changes(available: Record<string, string>): Change[] {
    return this.lines().flatMap((row) => {
      const before = available[lineOf(row)];
      const now = row.dataset.available ?? "";
      if (before === undefined || before === now) return [];
      const count = countOf(row);
      const name = row.querySelector("th")?.firstChild?.textContent?.trim() ?? "";
      return [{ name, what: "available", before, now, typed: count.value, target: count }];
    });
  }

  private lines(): HTMLTableRowElement[] {
    return findAll<HTMLTableRowElement>("#lines tbody tr[data-available]", this.sheet);
  }

  /** Return the sheet's fields; those of a deed of its own are sent at once or not at all. */
  private fields(): Field[] {
    return findAll<Field>("input[name], select[name]", this.sheet).filter(
      (field) => field.type !== "hidden" && !field.closest("[data-deed]"),
    );
  }
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const first = [...field.options].findIndex((option) => option.defaultSelected);
    return field.selectedIndex !== Math.max(0, first);
  }
  return field.value !== field.defaultValue;
}

function lineOf(row: Element): string {
  return find<HTMLInputElement>("[name$=-line_id]", row).value;
}

/** `line:17:confirmed` for a field of an ordered line or of what is proposed for it, else its own name. */
function nameOf(field: Field): string {
  const row = field.closest("#lines tbody tr");
  return row
    ? `line:${lineOf(row)}:${field.name.replace(/^(line|proposal)-\d+-/, "")}`
    : field.name;
}
