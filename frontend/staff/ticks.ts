import { drafts } from "./drafts";

/** The ticked credits of a statement, over all its pages: choices with their amounts, kept in this tab. */
export interface Tick {
  /** The credit with its proposal, as the form sends it. */
  choice: string;
  amount: string;
}

export class Ticks {
  private readonly key: string;
  private readonly ticked: Map<string, string>;
  /** Credits of pages that were shown: what they tick at first is not ticked again. */
  private readonly seen: Set<string>;

  /** `key` names the statement; an empty one keeps nothing. */
  constructor(key: string) {
    this.key = key;
    const kept = drafts.read<{ ticked: [string, string][]; seen: string[] }>(key);
    this.ticked = new Map(kept?.ticked);
    this.seen = new Set(kept?.seen);
  }

  /** Show a page's boxes as they were left; a box that is new keeps what the server gave it. */
  follow(boxes: HTMLInputElement[]) {
    for (const box of boxes) {
      if (this.seen.has(box.value)) box.checked = this.ticked.has(box.value);
      this.set({ choice: box.value, amount: box.dataset.amount ?? "" }, box.checked);
    }
  }

  set({ choice, amount }: Tick, isTicked: boolean) {
    this.seen.add(choice);
    if (isTicked) this.ticked.set(choice, amount);
    else this.ticked.delete(choice);
    if (!this.key) return;
    const kept = { ticked: [...this.ticked], seen: [...this.seen] };
    drafts.keep(this.key, kept);
  }

  amounts(): string[] {
    return [...this.ticked.values()];
  }

  /** Put the ticks of other pages into the form that is sent, and forget them all. */
  send(form: HTMLFormElement, shown: HTMLInputElement[]) {
    const here = new Set(shown.map((box) => box.value));
    for (const choice of this.ticked.keys()) {
      if (here.has(choice)) continue;
      const field = Object.assign(document.createElement("input"), {
        type: "hidden",
        value: choice,
      });
      field.name = "book";
      form.append(field);
    }
    if (this.key) drafts.forget(this.key);
  }
}
