// Keys: ? shows them, j and k move through what a page lists, g and a letter open a page, / goes to the search.
const typing = (element) => element.closest("input, textarea, select, [contenteditable]");
const links = () => [...document.querySelectorAll("a[data-key]")];
const items = () => [...document.querySelectorAll("main .card[tabindex], main tr[id] a, main [data-item]")].filter((item) => item.offsetParent);
let prefix = "";

function move(step) {
  const list = items(), now = document.activeElement;
  const at = list.findIndex((item) => item === now || item.contains(now));
  const next = list[at < 0 ? (step > 0 ? 0 : list.length - 1) : Math.min(list.length - 1, Math.max(0, at + step))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function element(name, text, ...children) {
  const made = document.createElement(name);
  made.textContent = text;
  made.append(...children);
  return made;
}

function help() {
  const open = document.getElementById("keys");
  if (open) return open.remove();
  const rows = [["j, k", "next and previous entry"], ["Enter", "open the entry"], ["/", "search"], ["?", "these keys"]];
  for (const link of links()) rows.push([link.dataset.key, link.textContent.trim()]);
  const list = element("dl", "", ...rows.flatMap(([key, what]) => [element("dt", "", element("kbd", key)), element("dd", what)]));
  const close = element("button", "Close");
  const dialog = element("dialog", "", element("h2", "Keys"), list, close);
  dialog.id = "keys";
  close.onclick = () => dialog.close();
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target)) return event.key === "Escape" && event.target.blur();
  const key = prefix ? `${prefix} ${event.key}` : event.key;
  prefix = !prefix && event.key === "g" ? "g" : "";
  const link = links().find((one) => one.dataset.key === key);
  const search = document.querySelector("main input[type=search]");
  if (key === "?") help();
  else if (key === "j" || key === "k") move(key === "j" ? 1 : -1);
  else if (key === "/" && search) { event.preventDefault(); search.focus(); }
  else if (key === "Enter" && event.target.matches(".card")) event.target.querySelector("a, button")?.click();
  else if (link) location.assign(link.href);
});
