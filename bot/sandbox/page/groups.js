// Groups: creating one, its members and admins, topics, and growing into a supergroup.
import * as api from "./api.js";
import { avatar } from "./avatar.js";
import { choice, complain, field, formDialog, modal } from "./dialog.js";
import { h, iconButton } from "./dom.js";
import { nameOf } from "./format.js";
import { t } from "./i18n.js";
import { go } from "./route.js";
import { on, rowOf, store } from "./state.js";

const here = (member) => !["left", "kicked"].includes(member.status);

function memberBox(user) {
  const box = h("input", { type: "checkbox", value: user.id, checked: true, disabled: user.id === store.me, testid: "group-member" });
  return h("label", { class: "pick" }, box, avatar(user, "small"), h("span", {}, nameOf(user)));
}

/** The form for a new group; the present person creates it. */
export function newGroupDialog() {
  const title = h("input", { required: true, maxlength: 128, value: t("group_default"), autofocus: true, testid: "group-title" });
  const kind = choice([["group", t("kind_group")], ["supergroup", t("kind_supergroup")], ["forum", t("kind_forum")]], { testid: "group-kind" });
  const members = h("div", { class: "picks" }, [...store.users.values()].filter((user) => !user.is_bot).map(memberBox));
  const submit = async () => {
    const ids = [...members.querySelectorAll("input:checked")].map((box) => Number(box.value));
    const type = kind.value === "group" ? "group" : "supergroup";
    const chat = await api.addChat({ title: title.value.trim(), type, member_ids: ids, is_forum: kind.value === "forum", creator_id: store.me });
    go(store.me, chat.id);
  };
  const body = [field(t("group_title"), title), field(t("group_kind"), kind), h("div", { class: "field" }, h("span", {}, t("group_members")), members)];
  formDialog({ title: t("new_group"), body, confirm: t("create"), submit, testid: "group-dialog" });
}

/** The form for a new topic of a forum. */
export function newTopicDialog(chat) {
  const name = h("input", { required: true, maxlength: 128, autofocus: true, testid: "topic-name" });
  const submit = async () => {
    await api.addTopic(chat.id, name.value.trim());
  };
  formDialog({ title: t("new_topic"), body: field(t("topic_name"), name), confirm: t("create"), submit, testid: "topic-dialog" });
}

async function attempt(work) {
  try {
    return (await work()) ?? true;
  } catch (error) {
    complain(error);
    return null;
  }
}

/** The present members of a chat as `{user, status}`; empty when the server does not tell. */
export function membersOf(chat) {
  const members = rowOf(chat.id)?.members ?? chat.members ?? [];
  const userOf = (member) => member.user ?? peer(member.user_id);
  return members.filter(here).map((member) => ({ user: userOf(member), status: member.status })).filter((member) => member.user);
}

const peer = (id) => (id === store.bot.id ? store.bot : store.users.get(id));
const STATUSES = [["creator", "owner"], ["administrator", "admin"], ["member", "member"], ["left", "not_member"]];

// Everybody is listed, with the place they have: one control adds, promotes and removes.
function memberRow(chat, user, status) {
  const known = status ?? "";
  const pairs = STATUSES.filter(([value]) => value !== "creator" || known === "creator").map(([value, label]) => [value, t(label)]);
  const set = async (event) => {
    if (!(await attempt(() => api.setMember(chat.id, user.id, event.target.value)))) event.target.value = known;
  };
  const place = choice(known ? pairs : [["", "—"], ...pairs], { class: "member-status", testid: "member-status", "aria-label": nameOf(user), onchange: set, disabled: known === "creator" });
  place.value = known;
  return h("div", { class: "pick", testid: "member-row", data: { userId: user.id, status: known } }, avatar(user, "small"),
    h("span", { class: "member-name" }, nameOf(user), user.is_bot || user === store.bot ? h("small", {}, t("bot")) : null), place);
}

function memberRows(chat) {
  const members = membersOf(chat);
  const statuses = new Map(members.map((member) => [member.user.id, member.status]));
  const everybody = [store.bot, ...store.users.values()];
  const unknown = members.length ? "left" : undefined;
  return everybody.map((user) => memberRow(chat, user, statuses.get(user.id) ?? unknown));
}

async function convert(chat, silent, dialog) {
  const grown = await attempt(() => api.migrate(chat.id, silent));
  if (!grown) return;
  dialog.close();
  go(store.me, grown.id);
}

/** What a group is made of, and what can be done with it. */
export function groupInfoDialog(chat) {
  const body = h("div", { class: "modal-body" });
  const head = h("div", { class: "modal-head" }, h("h2", {}, nameOf(chat)), iconButton("close", t("close"), () => dialog.close()));
  const button = (label, run, testid) => h("button", { type: "button", class: "wide-button", testid, onclick: run }, t(label));
  const draw = () => {
    const tools = chat.type === "group"
      ? [button("convert", () => convert(chat, false, dialog), "migrate"), button("convert_silent", () => convert(chat, true, dialog), "migrate-silent")]
      : chat.is_forum && button("new_topic", () => newTopicDialog(chat), "new-topic");
    body.replaceChildren(h("div", { class: "picks" }, memberRows(chat)), ...[tools].flat().filter(Boolean));
  };
  const dialog = modal([head, body], { testid: "group-info", "aria-label": t("group_info") });
  dialog.addEventListener("close", on("chats", draw));
  draw();
}
