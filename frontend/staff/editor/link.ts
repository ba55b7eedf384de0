/** What is used of the editor that django-prose-editor brings along (TipTap), and its dialog of a link. */
import { find } from "../elements";

type Command =
  | "focus"
  | "extendMarkRange"
  | "insertContent"
  | `set${"Heading" | "Paragraph" | "Link"}`
  | "unsetLink"
  | `toggle${"Bold" | "Italic" | "BulletList" | "OrderedList"}`
  | "undo"
  | "redo";
export type Chain = Record<Command, (options?: object | string) => Chain> & { run(): boolean };

export interface Editor {
  isEmpty: boolean;
  state: { selection: { empty: boolean } };
  commands: { focus(): void };
  can(): { undo(): boolean; redo(): boolean };
  chain(): Chain;
  getAttributes(name: "link"): { href?: string };
  getHTML(): string;
  isActive(name: string, options?: object): boolean;
}

interface Extension {
  configure(options: object): Extension;
  extend(options: object): Extension;
}

/** The editor and its extensions by name: what is set up here, and what is taken as it comes. */
export type Kit = { Editor: new (options: object) => Editor } & Record<
  "Heading" | "Link" | "OrderedList" | "Table",
  Extension
> &
  Record<string, object>;

/** A whole address of what was typed: `shop.test` is https, `a@b.test` is mailto; empty for anything else. */
export function wholeAddress(text: string): string {
  const address = text.trim();
  if (/^(https?:\/\/|mailto:)\S+$/i.test(address)) return address;
  if (/^[^\s@:]+@[^\s@]+\.[^\s@]+$/.test(address)) return `mailto:${address}`;
  return /^[^\s:@]+\.[^\s:@]+$/.test(address) ? `https://${address}` : "";
}

/** Return what opens the dialog for the link at the cursor. */
export function startLinkDialog(editor: Editor): () => void {
  const dialog = find<HTMLDialogElement>("#link-dialog");
  const address = find<HTMLInputElement>("#link-address");
  const fault = find("#link-error");
  find("form", dialog).addEventListener("submit", (event) => {
    const button = (event as SubmitEvent).submitter as HTMLButtonElement | null;
    if (button?.value === "remove") {
      editor.chain().focus().extendMarkRange("link").unsetLink().run();
      return;
    }
    const href = wholeAddress(address.value);
    if (href) {
      setLink(editor, href, address.value.trim());
      return;
    }
    event.preventDefault();
    fault.hidden = false;
    address.focus();
  });
  find("[data-cancel]", dialog).addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => editor.commands.focus());
  return () => {
    const { href } = editor.getAttributes("link");
    address.value = href ?? "";
    fault.hidden = true;
    find("[value=remove]", dialog).hidden = !href;
    dialog.showModal();
    address.select();
  };
}

/** Link what is selected; where nothing is, write what was typed as a link. */
function setLink(editor: Editor, href: string, typed: string) {
  const chain = editor.chain().focus().extendMarkRange("link");
  if (editor.state.selection.empty && !editor.isActive("link")) {
    const marks = [{ type: "link", attrs: { href } }];
    chain.insertContent({ type: "text", text: typed, marks }).run();
  } else {
    chain.setLink({ href }).run();
  }
}
