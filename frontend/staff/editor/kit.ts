/** What is used of the editor that django-prose-editor brings along (TipTap). */
export interface Chain {
  focus(): Chain;
  extendMarkRange(name: "link"): Chain;
  insertContent(content: object): Chain;
  setHeading(options: { level: number }): Chain;
  setParagraph(): Chain;
  setLink(options: { href: string }): Chain;
  unsetLink(): Chain;
  toggleBold(): Chain;
  toggleItalic(): Chain;
  toggleBulletList(): Chain;
  toggleOrderedList(): Chain;
  undo(): Chain;
  redo(): Chain;
  run(): boolean;
}

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

export type Kit = { Editor: new (options: object) => Editor } & Record<
  | "Document"
  | "Paragraph"
  | "Text"
  | "HardBreak"
  | "Heading"
  | "Bold"
  | "Italic"
  | "BulletList"
  | "OrderedList"
  | "ListItem"
  | "Link"
  | "History"
  | "Gapcursor"
  | "Table"
  | "TableRow"
  | "TableHeader"
  | "TableCell",
  Extension
>;
