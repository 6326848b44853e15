// The bot's commands: the menu button and the suggestions while one types "/".
import { below, popupMenu } from "./dialog.js";
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { rowOf, store } from "./state.js";

const commands = () => rowOf(store.chatId)?.commands ?? store.bot?.commands ?? [];

function label(command) {
  return [h("b", {}, `/${command.command}`), h("span", { class: "command-description" }, command.description)];
}

/** The button beside the composer that lists the commands; a choice sends it. */
export function commandsButton(send) {
  const open = (event) => {
    const items = commands().map((command) => ({ label: label(command), run: () => send(`/${command.command}`), testid: "command-item", data: { command: command.command } }));
    popupMenu(items.length ? items : [h("p", { class: "menu-empty" }, t("no_commands"))], { ...below(event.currentTarget), testid: "commands-menu" });
  };
  return h("button", { type: "button", class: "commands-button", testid: "commands-button", "aria-label": t("commands"), title: t("commands"), "aria-haspopup": "menu", onclick: open }, icon("menu"), h("span", {}, t("menu")));
}

/** Suggestions above the composer for a text that begins a command. */
export function commandSuggestions(textarea, send) {
  const box = h("div", { class: "suggestions", testid: "command-suggestions", hidden: true });
  const draw = () => {
    const typed = /^\/(\w*)$/.exec(textarea.value);
    const fitting = typed ? commands().filter((command) => command.command.startsWith(typed[1])) : [];
    box.hidden = !fitting.length;
    box.replaceChildren(...fitting.map((command) => h("button", { type: "button", onclick: () => send(`/${command.command}`) }, label(command))));
  };
  textarea.addEventListener("input", draw);
  return { box, draw };
}
