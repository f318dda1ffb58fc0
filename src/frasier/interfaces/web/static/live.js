// Keeps a page current: HTML of the server's is put where an element with the same id stands. One tab of a browser
// listens for all of them. Without this file pages are as they were loaded, and forms work by themselves.
const asHtml = { createHTML: (text) => text }; // from our server, which escapes; scripts in a template never run
const policy = globalThis.trustedTypes ? trustedTypes.createPolicy("live", asHtml) : asHtml;
const { page, sequence } = document.body.dataset;
const link = document.getElementById("link"), notice = document.getElementById("notice"), refused = notice.classList.contains("bad"), seen = {}, queue = [];
const newTab = () => { const name = `tab-${Math.random().toString(36).slice(2)}`; navigator.locks?.request(name, () => new Promise(() => {})); return name; };
let current = +sequence, tab = newTab(), unsure = null, ready = Promise.resolve();

function morph(from, to) {
  if (from.isEqualNode(to) || (refused && from.matches?.("form[data-whole]"))) return; // a form that was refused keeps what was typed
  if (from.nodeName !== to.nodeName || from.nodeType !== to.nodeType) return from.replaceWith(to);
  if (from.nodeType !== 1) return void (from.nodeValue = to.nodeValue);
  const kept = (name) => name === "open" && from.nodeName === "DETAILS"; // opened or closed by the reader
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !kept(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value && !kept(name)) from.setAttribute(name, value);
  if (from.nodeName === "TEXTAREA" && from.value !== from.defaultValue) return; // what was typed stays
  const keyed = new Map([...from.children].filter((child) => child.id).map((child) => [child.id, child]));
  const wanted = new Set([...to.children].map((child) => child.id).filter(Boolean));
  let at = from.firstChild;
  for (const want of [...to.childNodes]) {
    while (at?.id && !wanted.has(at.id)) { const gone = at; at = at.nextSibling; gone.remove(); }
    const same = want.id && keyed.get(want.id);
    if (same) { if (same === at) at = at.nextSibling; else from.insertBefore(same, at); morph(same, want); }
    else if (at && !at.id && !want.id) { const next = at.nextSibling; morph(at, want); at = next; }
    else from.insertBefore(want, at);
  }
  while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
}

export function apply(html, place) {
  const parsed = document.createElement("template");
  parsed.innerHTML = policy.createHTML(html);
  const held = document.activeElement, card = held?.closest(".card[id]"), next = card?.nextElementSibling ?? card?.previousElementSibling;
  for (const part of [...parsed.content.children]) {
    for (const to of "part" in part.dataset ? [...part.children] : [part]) { // parts of a drawing come in one of their own
      const from = document.getElementById(to.id);
      if (!from || place < (seen[to.id] ?? 0)) continue;
      seen[to.id] = place;
      morph(from, to);
    }
  }
  if (held && !held.isConnected) (next?.isConnected ? next : document.getElementById("main")).focus({ preventScroll: true });
  dispatchEvent(new CustomEvent("live:patched"));
}

function tell(text, kind) { notice.textContent = text; notice.className = `notice ${kind}`; }
function show(connected) { link.hidden = connected; link.textContent = connected ? "" : "Reconnecting…"; }

async function readSince() { // what this tab has missed; it also says that this tab shows the page
  const answer = await fetch(`/live/since?${new URLSearchParams({ page, tab, after: current })}`).catch(() => null);
  if (answer && [401, 404].includes(answer.status)) return location.reload();
  if (!answer?.ok) return;
  const place = +answer.headers.get("X-Sequence"), html = await answer.text();
  apply(html, place);
  current = Math.max(current, place);
  if (!unsure) return;
  tell(unsure.isConnected ? "The connection was lost before this was done. Nothing was changed; send it again." : "It was done, although the connection was lost.", unsure.isConnected ? "bad" : "good");
  unsure = null;
}
const catchUp = () => (ready = ready.then(readSince, readSince)); // one after the other

function hear(message) {
  if (message.kind === "reload") return location.reload();
  if (message.kind === "link") { show(message.on); if (message.on) catchUp(); }
  if (message.kind === "patch" && message.page === page) { queue.push(message); if (queue.length === 1) (document.hidden ? setTimeout : requestAnimationFrame)(flush); }
}
function flush() { for (const { html, place } of queue.splice(0)) { apply(html, place); current = Math.max(current, place); } }

const tabs = globalThis.BroadcastChannel && new BroadcastChannel("live"), say = (message) => { tabs?.postMessage(message); hear(message); };
async function listen() { // HTTP/1.1 gives a browser six connections to a server: one stream for all tabs
  const { held } = await navigator.locks?.query() ?? { held: [] }, names = held.map(({ name }) => name).filter((name) => name.startsWith("tab-"));
  const stream = new EventSource(`/live?${new URLSearchParams({ tabs: names })}`); // others broke off, and could not say so
  stream.onopen = () => say({ kind: "link", on: true });
  stream.onerror = () => { say({ kind: "link", on: false }); if (stream.readyState === EventSource.CLOSED) { catchUp(); setTimeout(listen, 2000); } };
  stream.addEventListener("reload", () => say({ kind: "reload" }));
  stream.addEventListener("patch", ({ data, lastEventId }) => {
    const end = data.indexOf("\n");
    say({ kind: "patch", page: data.slice(0, end), html: data.slice(end + 1), place: +lastEventId });
  });
}
if (tabs) tabs.onmessage = ({ data }) => hear(data); // what the tab that listens passes on
navigator.locks && tabs ? navigator.locks.request("live", () => new Promise(listen)) : listen(); // held until this tab goes
catchUp();
setInterval(() => document.hidden || catchUp(), 60_000);
addEventListener("visibilitychange", () => document.hidden || catchUp());
addEventListener("pagehide", () => { navigator.sendBeacon(`/live/leave?${new URLSearchParams({ page, tab })}`); tab = newTab(); });
addEventListener("submit", async (event) => {
  const form = event.target, button = event.submitter, action = button?.getAttribute("formaction") ?? form.getAttribute("action"); // not form.action, which a field may be called
  if (form.method !== "post" || "whole" in form.dataset) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, button));
  form.inert = true; // not twice
  const answer = await fetch(action, { method: "POST", body, headers: { "X-Live": "1" } }).catch(() => null);
  form.inert = false;
  if (!answer) { unsure = form; return tell("The connection was lost. Whether this was done is shown as soon as it is back.", "bad"); }
  if (answer.headers.has("X-Go-To")) return location.assign(answer.headers.get("X-Go-To"));
  if (!answer.headers.has("X-Sequence")) return location.reload();
  apply(await answer.text(), +answer.headers.get("X-Sequence"));
});
