// What a person would hear: a bell that flashes, a counter in it and in the window's title.
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { on, speaker, store } from "./state.js";

let heard = 0; // sounding messages since the page was opened or the bell was pressed
let unseen = 0; // sounding messages since the window last had the focus

function showTitle() {
  const name = store.bot?.first_name ?? "Sandbox";
  document.title = unseen ? `(${unseen}) ${name}` : name;
}

/** The bell with the number of sounding messages; a press starts counting anew. */
export function soundBell() {
  const count = h("span", { class: "bell-count" });
  const bell = h("button", { type: "button", class: "icon-button bell", testid: "sound-bell", data: { count: 0 } }, icon("bell"), count);
  const show = () => {
    bell.dataset.count = heard;
    count.textContent = heard || "";
    bell.setAttribute("aria-label", t("sounds", { n: heard }));
    bell.title = t("sounds", { n: heard });
  };
  bell.addEventListener("click", () => {
    heard = 0;
    show();
  });
  on("sound", () => {
    show();
    bell.classList.remove("ringing");
    void bell.offsetWidth; // restart the animation
    bell.classList.add("ringing");
  });
  for (const name of ["focus", "pointerdown", "keydown"]) window.addEventListener(name, seen);
  on("people", showTitle);
  show();
  return bell;
}

function seen() {
  unseen = 0;
  showTitle();
}

/** Count a message that came now; returns whether it sounded. */
export function hear(message, silent, ring) {
  if (silent || speaker(message) === "me") return false;
  heard += 1;
  unseen += 1;
  showTitle();
  ring();
  return true;
}
