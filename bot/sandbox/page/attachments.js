// Files to send: chosen, dropped or pasted, shown with a caption and a choice of their kind.
import * as api from "./api.js";
import { choice, field, formDialog } from "./dialog.js";
import { h, icon, iconButton } from "./dom.js";
import { fileSize } from "./format.js";
import { t } from "./i18n.js";

const FITS = {
  document: () => true,
  photo: (file) => file.type.startsWith("image/"),
  video: (file) => file.type.startsWith("video/"),
  video_note: (file) => file.type.startsWith("video/"),
  voice: (file) => /^(audio|video)\//.test(file.type) || /\.(ogg|oga|opus)$/i.test(file.name),
  audio: (file) => file.type.startsWith("audio/"),
};

/** The kinds that every one of the files can be sent as. */
export function kindsFor(files) {
  return Object.keys(FITS).filter((kind) => files.every(FITS[kind]));
}

function preview(file, drop) {
  const picture = FITS.photo(file) ? h("img", { src: URL.createObjectURL(file), alt: "", onload: (event) => URL.revokeObjectURL(event.target.src) }) : icon("file");
  return h("li", { testid: "attach-item" }, h("span", { class: "attach-picture" }, picture),
    h("span", { class: "attach-name" }, file.name, h("small", {}, fileSize(file.size))), iconButton("close", t("remove"), drop));
}

/** Show files before they are sent; `wish` is the kind asked for, `base` the fields of the message. */
export function attachDialog({ files, wish, me, chatId, base, caption: words, done }) {
  let chosen = [...files];
  const kinds = kindsFor(chosen);
  const kind = choice(kinds.map((name) => [name, t(`as_${name}`)]), { testid: "attach-kind" });
  kind.value = kinds.includes(wish) ? wish : "document";
  const caption = h("textarea", { rows: 2, value: words, testid: "attach-caption", placeholder: t("caption"), autofocus: true, onkeydown: (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  } });
  const list = h("ul", { class: "attach-list" });
  const draw = () => list.replaceChildren(...chosen.map((file) => preview(file, () => {
    chosen = chosen.filter((other) => other !== file);
    chosen.length ? draw() : dialog.close();
  })));
  const submit = async () => {
    await api.sendMessage(me, chatId, { ...base, caption: caption.value, kind: kind.value }, chosen);
    done();
  };
  draw();
  const body = [list, field(t("send_as"), kind), field(t("caption"), caption)];
  const dialog = formDialog({ title: t("files_n", { n: chosen.length }), body, confirm: t("send"), submit, testid: "attach-dialog" });
}

/** Take dropped files on an area; `area` is marked while files hover over it. */
export function onDrop(area, take) {
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  area.addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    area.classList.add("dropping");
  });
  area.addEventListener("dragleave", (event) => !area.contains(event.relatedTarget) && area.classList.remove("dropping"));
  area.addEventListener("drop", (event) => {
    area.classList.remove("dropping");
    if (!carriesFiles(event)) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
}

/** A hidden file field; `pick(accept, wish)` opens it, and `take(files, wish)` gets the choice. */
export function filePicker(take) {
  let wish = "document";
  const input = h("input", { type: "file", multiple: true, class: "visually-hidden", tabindex: -1, testid: "file-input", "aria-label": t("files") });
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = "";
    if (files.length) take(files, wish);
    wish = "document";
  });
  input.addEventListener("cancel", () => (wish = "document"));
  const pick = (accept, kind) => {
    input.accept = accept;
    wish = kind;
    input.click();
  };
  return { input, pick };
}
