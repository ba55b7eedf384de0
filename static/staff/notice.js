/* The page of a notice: the editor over the plain text field, files by drop, the live reach, the preview. */

const form = document.getElementById("notice");
const source = document.getElementById("id_content");
const preview = document.querySelector(".preview");
const may = Boolean(form.querySelector(".bar"));
form.classList.add("has-script");

/* Nothing is lost: whoever leaves with unsaved words is asked. */
let changed = Boolean(document.querySelector(".errornote"));
form.addEventListener("submit", () => {
  changed = false;
});
window.addEventListener("beforeunload", (event) => {
  if (changed) event.preventDefault();
});

/* Preview: what the server makes of the text; no other HTML is put into the page. */
const title = document.getElementById("id_title");
let asked = 0;
const showPreview = async () => {
  const turn = ++asked;
  const body = new URLSearchParams({ title: title.value, content: source.value });
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  const answer = await fetch(form.dataset.preview, { method: "POST", body, headers: { "X-CSRFToken": token } }).catch(() => null);
  if (!answer?.ok || turn !== asked) return;
  const shown = await answer.json();
  preview.querySelector("[data-html]").innerHTML = shown.html;
  for (const place of preview.querySelectorAll("[data-title]")) place.textContent = shown.title || "Title";
};
let previewSoon = 0;
const touched = () => {
  changed = true;
  clearTimeout(previewSoon);
  previewSoon = setTimeout(showPreview, 300);
};
form.addEventListener("input", (event) => {
  changed = true;
  if (event.target === title || event.target === source) touched();
});

const day = document.getElementById("id_published_at_0");
const shownDay = preview.querySelector("[data-day]").textContent;
day.addEventListener("input", () => {
  const whole = /^\d{4}-\d\d-\d\d$/.test(day.value.trim()) ? day.value.trim() : shownDay;
  for (const place of preview.querySelectorAll("[data-day]")) place.textContent = whole;
});

/* Reach */
const reach = form.querySelector("[data-reach]");
let counting = 0;
const count = async () => {
  const turn = ++counting;
  const kind = form.querySelector("[name=audience]:checked")?.value ?? "everybody";
  const select = form.querySelector(`select[name=${kind}]`);
  const ids = [...(select?.selectedOptions ?? [])].map((option) => option.value).join(",");
  const answer = await fetch(`${form.dataset.reach}?${new URLSearchParams({ kind, ids })}`).catch(() => null);
  if (!answer?.ok || turn !== counting) return;
  const { text } = await answer.json();
  if (reach.textContent !== text) reach.textContent = text;
};
for (const radio of form.querySelectorAll("[name=audience]")) {
  radio.addEventListener("change", count);
}
const { jQuery } = window.django ?? {};
jQuery?.(() => {
  const nameFields = () => {
    for (const select of form.querySelectorAll(".audience select")) {
      const field = select.parentElement.querySelector(".select2-search__field");
      field?.setAttribute("aria-label", `Add: ${select.getAttribute("aria-label")}`);
      field?.setAttribute("placeholder", "Add…");
    }
  };
  nameFields();
  jQuery(".audience select").on("change", () => {
    changed = true;
    setTimeout(nameFields); // the chips are drawn anew
    count();
  });
});

/* Files: several at once, by the chooser or by drop; the chooser's own list is what is sent. */
const chooser = document.getElementById("id_added");
const MAX_BYTES = 20 * 1024 * 1024;
const size = (bytes) =>
  bytes < 1024 ? `${bytes} bytes` : bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
if (chooser) {
  const list = form.querySelector(".attached");
  const fault = form.querySelector("[data-file-error]");
  const shown = preview.querySelector("[data-files]");
  let chosen = [];
  const keep = (files) => {
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    chooser.files = transfer.files;
    chosen = [...files];
    for (const row of [...list.querySelectorAll("[data-new]"), ...shown.querySelectorAll("[data-new]")]) row.remove();
    for (const file of chosen) {
      const row = document.createElement("li");
      row.dataset.new = "";
      const [mark, name, bytes, remove] = ["span", "span", "span", "button"].map((tag) => document.createElement(tag));
      mark.className = "new";
      mark.textContent = "+";
      name.className = "name";
      name.textContent = file.name;
      bytes.className = "size";
      bytes.textContent = size(file.size);
      remove.type = "button";
      remove.className = "link-button";
      remove.textContent = "Remove";
      remove.setAttribute("aria-label", `Remove ${file.name}`);
      remove.addEventListener("click", () => {
        keep(chosen.filter((other) => other !== file));
        chooser.focus();
      });
      row.append(mark, name, bytes, remove);
      list.append(row);
      const line = document.createElement("li");
      line.dataset.new = "";
      const label = document.createElement("span");
      label.textContent = file.name;
      line.append(label, ` ${size(file.size)}`);
      shown.append(line);
    }
  };
  const add = (files) => {
    const large = files.filter((file) => file.size > MAX_BYTES);
    fault.hidden = !large.length;
    fault.textContent = large.map((file) => `${file.name} is larger than 20 MB.`).join(" ");
    const same = (one) => chosen.some((other) => other.name === one.name && other.size === one.size);
    keep([...chosen, ...files.filter((file) => file.size <= MAX_BYTES && !same(file))]);
    changed = true;
  };
  chooser.addEventListener("change", () => add([...chooser.files]));
  const area = document.getElementById("attachments");
  form.querySelector("[data-drop]").hidden = false;
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  for (const name of ["dragover", "drop"]) {
    document.addEventListener(name, (event) => {
      if (carriesFiles(event)) event.preventDefault(); // a file dropped beside the place does not replace the page
    });
  }
  area.addEventListener("dragover", (event) => area.classList.toggle("over", carriesFiles(event)));
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    area.classList.remove("over");
    if (carriesFiles(event)) add([...event.dataTransfer.files]);
  });
  list.addEventListener("change", (event) => {
    if (event.target.name !== "remove") return;
    shown.querySelector(`[data-file="${event.target.value}"]`).hidden = event.target.checked;
  });
}

/* Editor */
const startEditor = async () => {
  const kit = await import(form.dataset.editor);
  const bar = form.querySelector(".editor-bar");
  const place = document.createElement("div");
  const link = kit.Link.configure({ enableTarget: false, autolink: false, linkOnPaste: true, protocols: ["http", "https", "mailto"] });
  const editor = new kit.Editor({
    element: place,
    injectCSS: false, // the page's policy allows no inline style: notice.css has these rules
    content: source.value,
    extensions: [
      kit.Document,
      kit.Paragraph,
      kit.Text,
      kit.HardBreak,
      kit.Heading.configure({ levels: [2, 3] }),
      kit.Bold,
      kit.Italic,
      kit.BulletList,
      kit.OrderedList.configure({ enableListAttributes: false }),
      kit.ListItem,
      link.extend({
        addKeyboardShortcuts: () => ({
          "Mod-k": () => {
            askForLink();
            return true;
          },
        }),
      }),
      kit.History,
      kit.Gapcursor,
    ],
    editorProps: {
      attributes: { id: "id_content_editor", role: "textbox", "aria-multiline": "true", "aria-labelledby": "id_content_label", "aria-required": "true" },
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
  document.getElementById("id_content_label").addEventListener("click", (event) => {
    event.preventDefault();
    editor.commands.focus();
  });
  for (const anchor of document.querySelectorAll('.errornote a[href="#id_content"]')) anchor.href = "#id_content_editor";

  const style = bar.querySelector("[data-style]");
  const buttons = [...bar.querySelectorAll("[data-do]")];
  const showState = () => {
    style.value = [2, 3].find((level) => editor.isActive("heading", { level })) ?? 0;
    for (const button of buttons) {
      const name = button.dataset.do;
      if (name === "undo" || name === "redo") button.disabled = !editor.can()[name]();
      else button.setAttribute("aria-pressed", String(editor.isActive(name)));
    }
  };
  style.addEventListener("change", () => {
    const level = Number(style.value);
    const chain = editor.chain().focus();
    (level ? chain.setHeading({ level }) : chain.setParagraph()).run();
  });
  const deeds = {
    bold: (chain) => chain.toggleBold(),
    italic: (chain) => chain.toggleItalic(),
    bulletList: (chain) => chain.toggleBulletList(),
    orderedList: (chain) => chain.toggleOrderedList(),
    undo: (chain) => chain.undo(),
    redo: (chain) => chain.redo(),
  };
  bar.addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-do]")) event.preventDefault(); // the text keeps the focus: no key typed next is lost
  });
  bar.addEventListener("click", (event) => {
    const name = event.target.closest("[data-do]")?.dataset.do;
    if (name === "link") askForLink();
    else if (name) deeds[name](editor.chain().focus()).run();
  });
  /* One stop for Tab; the arrows walk, as in any toolbar. */
  const stops = [style, ...buttons];
  const stopAt = (stop) => {
    for (const other of stops) other.tabIndex = other === stop ? 0 : -1;
  };
  stopAt(style);
  bar.addEventListener("focusin", (event) => stopAt(event.target));
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const usable = stops.filter((stop) => !stop.disabled);
    usable.at((usable.indexOf(document.activeElement) + step) % usable.length).focus();
  });

  /* Link */
  const dialog = document.getElementById("link-dialog");
  const address = document.getElementById("link-address");
  const linkError = document.getElementById("link-error");
  const askForLink = () => {
    const { href } = editor.getAttributes("link");
    address.value = href ?? "";
    linkError.hidden = true;
    dialog.querySelector("[value=remove]").hidden = !href;
    dialog.showModal();
    address.select();
  };
  /** A whole address of what was typed: `shop.test` is https, `a@b.test` is mailto; empty for anything else. */
  const whole = (text) => {
    const typed = text.trim();
    if (/^(https?:\/\/|mailto:)\S+$/i.test(typed)) return typed;
    if (/^[^\s@:]+@[^\s@]+\.[^\s@]+$/.test(typed)) return `mailto:${typed}`;
    return /^[^\s:@]+\.[^\s:@]+$/.test(typed) ? `https://${typed}` : "";
  };
  dialog.querySelector("form").addEventListener("submit", (event) => {
    const chain = editor.chain().focus().extendMarkRange("link");
    if (event.submitter?.value === "remove") {
      chain.unsetLink().run();
      return;
    }
    const href = whole(address.value);
    if (!href) {
      event.preventDefault();
      linkError.hidden = false;
      address.focus();
    } else if (editor.state.selection.empty && !editor.isActive("link")) {
      chain.insertContent({ type: "text", text: address.value.trim(), marks: [{ type: "link", attrs: { href } }] }).run();
    } else {
      chain.setLink({ href }).run();
    }
  });
  dialog.querySelector("[data-cancel]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => editor.commands.focus());
  showState();
};
if (may) await startEditor();
form.dataset.ready = "";
