// The address's hash says who one is and what is open: `#user=1001&chat=-100…`.

/** The user and chat of the present address; null for what it does not say. */
export function route() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const number = (name) => (/^-?\d+$/.test(parts.get(name) ?? "") ? Number(parts.get(name)) : null);
  return { user: number("user"), chat: number("chat"), closed: parts.get("chat") === "none" };
}

/** Become a person and open a chat (null shows the list). */
export function go(user, chat) {
  location.hash = `user=${user}&chat=${chat ?? "none"}`;
}

/** Complete the address without a step in the browser's history. */
export function correct(user, chat) {
  history.replaceState(null, "", `#user=${user}&chat=${chat ?? "none"}`);
}
