/** The editor over the plain text field, and its toolbar. */
import "./editor.css";
import { find, findAll } from "../elements";
import { type Chain, type Editor, type Kit, startLinkDialog } from "./link";
import { fromWord } from "./word";

type Stop = HTMLSelectElement | HTMLButtonElement;

/** Extensions that are taken as they come. */
const PLAIN =
  "Document,Paragraph,Text,HardBreak,Bold,Italic,BulletList,ListItem,History,Gapcursor," +
  "TableRow,TableHeader,TableCell";

const COMMANDS: Record<string, (chain: Chain) => Chain> = {
  bold: (chain) => chain.toggleBold(),
  italic: (chain) => chain.toggleItalic(),
  bulletList: (chain) => chain.toggleBulletList(),
  orderedList: (chain) => chain.toggleOrderedList(),
  undo: (chain) => chain.undo(),
  redo: (chain) => chain.redo(),
};

/** Put the editor in the text field's place; the field stays what is sent. `touched` is told of each change. */
export async function startEditor(form: HTMLFormElement, touched: () => void) {
  const kit: Kit = await import(/* @vite-ignore */ form.dataset.editor ?? "");
  const source = find<HTMLTextAreaElement>("#id_content");
  const bar = find(".editor-bar", form);
  const place = document.createElement("div");
  let showState = () => {};
  let askForLink = () => {};
  const editor = new kit.Editor({
    element: place,
    injectCSS: false, // the page's policy allows no inline style: editor.css has these rules
    content: source.value,
    extensions: extensions(kit, () => askForLink()),
    editorProps: {
      transformPastedHTML: fromWord,
      attributes: {
        id: "id_content_editor",
        role: "textbox",
        "aria-multiline": "true",
        "aria-labelledby": "id_content_label",
        "aria-required": "true",
      },
    },
    onUpdate: () => {
      source.value = editor.isEmpty ? "" : editor.getHTML();
      touched();
    },
    onTransaction: () => showState(),
  });
  source.before(place);
  source.hidden = true;
  bar.hidden = false;
  bar.setAttribute("aria-controls", "id_content_editor");
  find("#id_content_label").addEventListener("click", (event) => {
    event.preventDefault();
    editor.commands.focus();
  });
  for (const fault of findAll<HTMLAnchorElement>('.errornote a[href="#id_content"]')) {
    fault.href = "#id_content_editor";
  }
  askForLink = startLinkDialog(editor);
  showState = startToolbar(bar, editor, askForLink);
  showState();
}

function extensions(kit: Kit, askForLink: () => void) {
  const link = kit.Link.configure({
    enableTarget: false,
    autolink: false,
    linkOnPaste: true,
    protocols: ["http", "https", "mailto"],
  });
  const openDialog = () => {
    askForLink();
    return true;
  };
  return [
    ...PLAIN.split(",").map((name) => kit[name]),
    kit.Heading.configure({ levels: [2, 3] }),
    kit.OrderedList.configure({ enableListAttributes: false }),
    link.extend({ addKeyboardShortcuts: () => ({ "Mod-k": openDialog }) }),
    // Without the columns' widths, which the page's policy allows no inline style for.
    kit.Table.extend({ renderHTML: () => ["table", ["tbody", 0]] }),
  ];
}

/** Start the toolbar and return what shows the state of the text at the cursor. */
function startToolbar(bar: HTMLElement, editor: Editor, askForLink: () => void): () => void {
  const style = find<HTMLSelectElement>("[data-style]", bar);
  const buttons = findAll<HTMLButtonElement>("[data-do]", bar);
  const nameOf = (target: EventTarget | null) =>
    (target as Element).closest<HTMLElement>("[data-do]")?.dataset.do;
  style.addEventListener("change", () => {
    const level = Number(style.value);
    const chain = editor.chain().focus();
    (level ? chain.setHeading({ level }) : chain.setParagraph()).run();
  });
  bar.addEventListener("mousedown", (event) => {
    if (nameOf(event.target)) event.preventDefault(); // the text keeps the focus: no key typed next is lost
  });
  bar.addEventListener("click", (event) => {
    const name = nameOf(event.target) ?? "";
    if (name === "link") askForLink();
    else COMMANDS[name]?.(editor.chain().focus()).run();
  });
  walkWithArrows(bar, [style, ...buttons]);
  return () => {
    const level = [2, 3].find((one) => editor.isActive("heading", { level: one }));
    style.value = String(level ?? 0);
    for (const button of buttons) {
      const name = button.dataset.do ?? "";
      if (name === "undo" || name === "redo") button.disabled = !editor.can()[name]();
      else button.ariaPressed = String(editor.isActive(name));
    }
  };
}

/** One stop for Tab; the arrows walk, as in any toolbar. */
function walkWithArrows(bar: HTMLElement, stops: Stop[]) {
  const stopAt = (stop: EventTarget | null | undefined) => {
    for (const other of stops) other.tabIndex = other === stop ? 0 : -1;
  };
  stopAt(stops[0]);
  bar.addEventListener("focusin", (event) => stopAt(event.target));
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const usable = stops.filter((stop) => !stop.disabled);
    const here = usable.indexOf(document.activeElement as Stop);
    usable.at((here + step) % usable.length)?.focus();
  });
}
