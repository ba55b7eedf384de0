/** New attachments: several at once, by the chooser, which lies over the place for drops; its own list is what is sent. */
import { find, findAll, linkButton, make } from "../elements";
import { t } from "../texts";

const KB = 1024;
const MAX_MB = 20;

/** `12 bytes`, `1.5 KB`, `2.0 MB`. */
export function size(bytes: number): string {
  if (bytes < KB) return t("{bytes} bytes", { bytes });
  return bytes < KB ** 2 ? `${(bytes / KB).toFixed(1)} KB` : `${(bytes / KB ** 2).toFixed(1)} MB`;
}

/** Add what is chosen or dropped to what was before; `touched` is told of each change. */
export function startFiles(form: HTMLFormElement, touched: () => void) {
  const chooser = find<HTMLInputElement>("#id_added");
  const list = find(".attached", form);
  const fileList = find("[data-files]");
  const fault = find("[data-file-error]", form);
  let picked: File[] = [];

  for (const name of ["dragover", "drop"] as const) {
    document.addEventListener(name, (event) => {
      // A file dropped beside the chooser does not replace the page.
      const hasFiles = event.dataTransfer?.types.includes("Files");
      if (hasFiles && event.target !== chooser) event.preventDefault();
    });
  }

  const keep = (files: File[]) => {
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    chooser.files = transfer.files;
    picked = files;
    for (const old of [...findAll("[data-new]", list), ...findAll("[data-new]", fileList)])
      old.remove();
    for (const file of files) {
      const remove = () => {
        keep(picked.filter((other) => other !== file));
        chooser.focus();
      };
      const button = linkButton(t("Remove"), remove);
      button.ariaLabel = t("Remove {name}", { name: file.name });
      const part = (className: string, text: string) => make("span", { className }, text);
      list.append(
        item(part("new", "+"), part("name", file.name), part("size", size(file.size)), button),
      );
      fileList.append(item(make("span", {}, file.name), ` ${size(file.size)}`));
    }
  };
  const add = (files: File[]) => {
    const large = files.filter((file) => file.size > MAX_MB * KB ** 2);
    fault.hidden = !large.length;
    fault.textContent = large
      .map(({ name }) => t("{name} is larger than {most} MB.", { name, most: MAX_MB }))
      .join(" ");
    const isNew = (file: File) =>
      !large.includes(file) &&
      !picked.some((other) => other.name === file.name && other.size === file.size);
    keep([...picked, ...files.filter(isNew)]);
    touched();
  };

  chooser.addEventListener("change", () => add([...(chooser.files ?? [])]));
  find("[data-drop]", form).hidden = false;
  list.addEventListener("change", (event) => {
    const tick = event.target as HTMLInputElement;
    if (tick.name === "remove") find(`[data-file="${tick.value}"]`, fileList).hidden = tick.checked;
  });
}

function item(...parts: (Node | string)[]): HTMLElement {
  const row = make("li", {}, ...parts);
  row.dataset.new = "";
  return row;
}
