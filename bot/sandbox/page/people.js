// Who plays in this tab: the switcher at the top and the form for a new person.
import * as api from "./api.js";
import { avatar } from "./avatar.js";
import { below, choice, field, formDialog, popupMenu } from "./dialog.js";
import { h, icon } from "./dom.js";
import { nameOf } from "./format.js";
import { language, switchLanguage, t } from "./i18n.js";
import { go } from "./route.js";
import { me, on, openChat, store } from "./state.js";

const LANGUAGES = [["ru", "Русский (ru)"], ["en", "English (en)"], ["kk", "Қазақша (kk)"], ["uk", "Українська (uk)"], ["de", "Deutsch (de)"], ["", "—"]];

/** Become another person; an open group stays open. */
function become(user) {
  const chat = openChat();
  go(user.id, chat && chat.type !== "private" ? chat.id : user.id);
}

function addPersonDialog() {
  const first = h("input", { required: true, maxlength: 64, autofocus: true, testid: "person-name" });
  const last = h("input", { maxlength: 64 });
  const username = h("input", { maxlength: 32, pattern: "[A-Za-z0-9_]*" });
  const code = choice(LANGUAGES, { testid: "person-language" });
  const submit = async () => {
    const optional = { last_name: last.value.trim(), username: username.value.trim(), language_code: code.value };
    const filled = Object.fromEntries(Object.entries(optional).filter(([, value]) => value));
    const user = await api.addUser({ first_name: first.value.trim(), ...filled });
    store.users.set(user.id, user);
    go(user.id, user.id);
  };
  const body = [field(t("first_name"), first), field(t("last_name"), last), field(t("username"), username), field(t("person_language"), code)];
  formDialog({ title: t("new_person"), body, confirm: t("create"), submit, testid: "person-dialog" });
}

function menu(event) {
  const people = [...store.users.values()].filter((user) => !user.is_bot).map((user) => ({
    icon: avatar(user, "tiny"), label: nameOf(user), checked: user.id === store.me, run: () => become(user), testid: "person-item", data: { userId: user.id },
  }));
  const add = { icon: icon("plus"), label: t("add_person"), run: addPersonDialog, testid: "add-person" };
  const words = { icon: h("span", { class: "menu-code" }, language === "ru" ? "EN" : "RU"), label: t("language"), run: switchLanguage, testid: "language-switch" };
  popupMenu([...people, h("hr"), add, words], { ...below(event.currentTarget), testid: "person-menu" });
}

/** The button that names the present person and opens the list of all. */
export function personSwitcher() {
  const button = h("button", { type: "button", class: "person-switcher", testid: "person-switcher", "aria-haspopup": "menu", onclick: menu });
  const draw = () => {
    const user = me();
    if (!user) return;
    button.dataset.userId = user.id;
    button.replaceChildren(avatar(user, "small"), h("span", { class: "person-name" }, h("small", {}, t("you_are")), nameOf(user)), icon("down"));
  };
  on("people", draw);
  on("me", draw);
  return button;
}
