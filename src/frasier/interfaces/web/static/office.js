// Draws the office as a room. Everything that it shows is read from the list of the page, which live.js keeps current:
// the place of each agent, and the text of what has a data-fact. Without this file the list is the page.
const PX = 3, CELL = 164, ROW = 216, FEET = 140, WALL = 84, MARGIN = 6; // a pixel of the drawing; parts of the room in CSS pixels
const PLACES = { desk: "at the desk", review: "at the review table", waiting: "waiting", away: "away" };
const ZONES = { desk: "Desks", review: "Review table", waiting: "Waiting", away: "Coffee corner" };
const SPEED = 190, LONGEST_S = 3.2; // pixels a second; whoever goes far goes faster

// Sprites: a letter is a colour of office.css, a dot is nothing.
const HEADS = [
  ["...hhhhhh...", "..hhhhhhhh..", "..hhhhhhhh..", "..hhsssshh..", "..hsessesh..", "..ssssssss..", "...ssssss...", "....ssss...."],
  ["...hhhhhh...", "..hhhhhhhh..", ".hhhhhhhhhh.", ".hhhsssshhh.", ".hhsesseshh.", ".hhsssssshh.", ".hhhsssshhh.", ".hh.ssss.hh."],
  ["...ssssss...", "..ssssssss..", "..ssssssss..", "..hssssssh..", "..hsessesh..", "..hssssssh..", "..hhhsshhh..", "...hhhhhh..."],
  [".....hh.....", "....hhhh....", "...hhhhhh...", "..hhsssshh..", "..hgeggegh..", "..ssssssss..", "...ssssss...", "....ssss...."],
  ["....hhhhhh..", "..hhhhhhhhh.", "..hhhhhhhhh.", "..hssssshhh.", "..hsessesh..", "..ssssssss..", "...ssssss...", "....ssss...."],
];
const TORSO = ["..tttccttt..", ".tttttttttt.", ".tttttttttt.", ".ttdttttdtt.", ".ttdttttdtt.", ".ssdttttdss."];
const LEGS = {
  stand: ["...pppppp...", "...pppppp...", "...pp..pp...", "...pp..pp...", "..bbb..bbb.."],
  left: ["...pppppp...", "...pppppp...", "...pp..pp...", "..pp...pp...", "..bb...bbb.."],
  right: ["...pppppp...", "...pppppp...", "...pp..pp...", "...pp...pp..", "..bbb...bb.."],
  sit: ["..pppppppp..", "..pp....pp..", "..bb....bb.."],
};
const DESK = [
  ".nnnnnnnnn....................", ".nggggggGn...............ll...", ".ngGGgggGn..............llll..", ".nggggGggn...............y....",
  ".ngGGGgggn...............y....", ".nnnnnnnnn..........aaaa.y....", "....nnn............aaaa.yyy...", "wwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
  "wwwwwwwwwwwwwwwwwwwwwwwwwwwwww", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "WvvvvvW................WvvvvvW", "WvWWWvW................WvWWWvW",
  "WvvvvvW................WvvvvvW", "WWWWWWW................WWWWWWW",
];
const CHAIR = ["..kkkkkkkkkk..", "..kKKKKKKKKk..", "..kKKKKKKKKk..", "..kKKKKKKKKk..", "..kkkkkkkkkk..", "......kk......", "......kk......", "...kkkkkkkk..."];
const PLANT = ["....L...L...", ".L..LL.LL...", ".LLLLLLLL.L.", "..LLmLLmLLL.", "LL.LLmLLLL..", ".LLLLLmLL...", "...LLLLL....", "...oooooo...", "...OOOOOO...", "....OOOO....", "....OOOO...."];
const WINDOW = [
  "FFFFFFFFFFFFFFFFFFFFFF", "FiiiiiiiiiFFiiiiiiiiiF", "FiiiiiiiiiFFiiiiMMiiiF", "FiijjiiiiiFFiiiMMMMiiF", "FijjjjjiiiFFiiiMMMMiiF",
  "FiiiiiiiiiFFiiiiMMiiiF", "FiiiiiiiiiFFijjiiiiiiF", "FiiiiiiijiFFjjjjiiiiiF", "FiiiiiijjjFFiiiiiiiiiF", "FiiiiiiiiiFFiiiiiiiiiF", "FFFFFFFFFFFFFFFFFFFFFF", ".ffffffffffffffffffff.",
];
const SHELF = [
  "WWWWWWWWWWWWWWWWWW", "WvvvvvvvvvvvvvvvvW", "Wv1v2233v1v4422v3W", "W112v233411v442231", "W11222334114442233", "WWWWWWWWWWWWWWWWWW", "WvvvvvvvvvvvvvvvvW",
  "W44v11v33v2211v44W", "W441112334221134W4", "W44111233422113443", "WWWWWWWWWWWWWWWWWW", "WvvvvvvvvvvvvvvvvW", "WvvLLvvv22114vvvvW", "WvLLLLv3221143v11W", "WvooovW32211431v1W", "WWWWWWWWWWWWWWWWWW",
];
const COFFEE = [".nnnnnnnnnn.", ".nNNNNNNNNn.", ".nNxxNNyyNn.", ".nNNNNNNNNn.", ".nnnnnnnnnn.", ".n...nn...n.", ".n...aa...n.", ".n..aaaa..n.", ".n..aaaa..n.", ".nnnnnnnnnn.", "WWWWWWWWWWWW", "wwwwwwwwwwww", "wvvvvvvvvvvw", "wvvvvvvvvvvw", "WWWWWWWWWWWW"];

const room = document.getElementById("office-room"), list = document.getElementById("office-facts"), views = document.getElementById("office-views");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const people = new Map();
let plan, ticking = 0;

function element(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
function html(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
const group = (className, ...children) => element("g", { class: className }, ...children);
const layer = (className, ...children) => element("g", { class: className, "aria-hidden": "true" }, ...children);
const box = (className, x, y, width, height) => element("rect", { class: className, x, y, width, height });
const at = (x, y) => `translate(${Math.round(x)} ${Math.round(y)})`;

// A sprite at a place of the room: a path for each colour, of runs of pixels in a row.
function sprite(rows, x = 0, y = 0, className = "") {
  const paths = {};
  rows.forEach((row, top) => {
    for (const { 0: run, 1: letter, index } of row.matchAll(/([^.])\1*/g))
      paths[letter] = `${paths[letter] ?? ""}M${index * PX} ${top * PX}h${run.length * PX}v${PX}h${-run.length * PX}z`;
  });
  return element("g", { class: className, transform: at(x, y) }, ...Object.entries(paths).map(([letter, d]) => element("path", { class: `px-${letter}`, d })));
}
const standing = (rows, x, bottom, className) => sprite(rows, x - (rows[0].length * PX) / 2, bottom - rows.length * PX, className);

// The zones of a room of this width, each with columns and rows of spots for its agents.
function layOut(width, facts) {
  const columns = Math.max(2, Math.floor(width / CELL)), cell = width / columns, zones = {};
  const count = (place) => facts.filter((one) => one.place === place).length;
  const own = columns > 3; // a desk for each, where there is room
  const rows = (place, wide) => Math.max(1, Math.ceil((own && place === "desk" ? facts.length : count(place)) / wide));
  let y = WALL;
  const add = (...parts) => {
    const high = Math.max(...parts.map(([place, , wide]) => rows(place, wide))) * ROW;
    for (const [place, from, wide] of parts) zones[place] = { place, x: from * cell, y, columns: wide, width: wide * cell, height: high };
    y += high;
  };
  const table = Math.ceil(columns * 0.55);
  add(["desk", 0, columns]);
  if (own) add(["review", 0, table], ["waiting", table, columns - table]);
  else { add(["review", 0, columns]); add(["waiting", 0, columns]); }
  add(["away", 0, columns]);
  return { width, height: y + 4, cell, zones, own, key: JSON.stringify([width, facts.length, zones]) };
}
const spot = ({ x, y, columns }, index) => ({ x: x + ((index % columns) + 0.5) * plan.cell, y: y + Math.floor(index / columns) * ROW + FEET });
const spots = (zone) => Array.from({ length: zone.columns * (zone.height / ROW) }, (_, index) => spot(zone, index));

function furnish(agents) {
  const { width, height, zones, cell } = plan;
  const back = layer("back", box("px-floor", 0, WALL, width, height - WALL), box("px-wall", 0, 0, width, WALL - 8), box("px-skirting", 0, WALL - 8, width, 8)), front = layer("front");
  for (let y = WALL, nth = 0; y < height; y += 30, nth += 1) {
    back.append(box("px-plank", 0, y + 28, width, 2));
    for (let x = (nth * 131) % 210; x < width; x += 210) back.append(box("px-plank", x, y, 2, 30));
  }
  const windows = Math.max(1, Math.round(width / 300));
  for (let nth = 0; nth < windows; nth += 1) {
    const x = ((nth + 0.5) * width) / windows;
    back.append(standing(WINDOW, x - 28, 56), nth % 2 ? standing(PLANT, x + 62, WALL + 4) : standing(SHELF, x + 62, WALL + 2));
  }
  for (const zone of Object.values(zones)) {
    const { place, x, y } = zone;
    back.append(element("rect", { class: `zone ${place}`, "data-zone": place, x: x + MARGIN, y: y + MARGIN, width: zone.width - 2 * MARGIN, height: zone.height - 2 * MARGIN, rx: 8 }));
    const name = element("text", { class: "zone-name", x: x + MARGIN + 12, y: y + MARGIN + 20 });
    name.textContent = ZONES[place];
    back.append(name);
    const last = spots(zone);
    if (place === "desk") {
      for (const { x: middle, y: feet } of last.slice(0, plan.own ? agents : last.length)) {
        back.append(standing(CHAIR, middle, feet + 6));
        front.append(standing(DESK, middle, feet + 10, "desk-top"));
      }
      continue;
    }
    for (let nth = 0; nth < last.length; nth += zone.columns) {
      const { x: left, y: feet } = last[nth], long = zone.width - cell + 84, from = left - 42;
      if (place === "review") front.append(box("px-w", from, feet - 18, long, 12), box("px-W", from, feet - 6, long, 6), box("px-v", from + 9, feet, 9, 12), box("px-v", from + long - 18, feet, 9, 12), ...last.slice(nth, nth + zone.columns).map(({ x: middle }) => box("px-a", middle - 9, feet - 15, 18, 6)));
      if (place === "waiting") back.append(box("px-W", from, feet - 30, long, 9), box("px-w", from, feet - 15, long, 9), box("px-v", from + 6, feet - 6, 6, 9), box("px-v", from + long - 12, feet - 6, 6, 9));
      if (place === "away") back.append(box("px-u", from - 6, feet - 39, long + 12, 27), box("px-U", from - 6, feet - 15, long + 12, 15), box("px-u", from - 12, feet - 24, 9, 27), box("px-u", from + long + 3, feet - 24, 9, 27));
    }
    if (place === "away") back.append(standing(COFFEE, x + zone.width - 34, y + 58));
    if (place === "waiting") back.append(standing(PLANT, x + zone.width - 34, y + 46));
  }
  room.querySelector(".back").replaceWith(back);
  room.querySelector(".front").replaceWith(front);
}

// What the list says, in its order.
function readFacts() {
  const text = (item, name) => item.querySelector(`[data-fact="${name}"]`)?.textContent.replace(/\s+/g, " ").trim() ?? "";
  return [...list.querySelectorAll("li[data-place]")].map((item) => ({
    key: item.id, place: item.dataset.place, name: text(item, "name"), about: text(item, "about"), wrote: text(item, "wrote"), href: item.querySelector("[data-fact=name]").getAttribute("href"),
  }));
}

function enter(fact, index) {
  const head = HEADS[index % HEADS.length], bald = head[0].includes("s"), seat = (rows, top) => sprite(rows, -6 * PX, top * PX);
  const parts = { front: seat(head, 0), back: seat(head.map((row) => (bald ? row.replaceAll("e", "s") : row.replaceAll(/[seg]/g, "h"))), 0), torso: seat(TORSO, 8) };
  const body = group("body", ...Object.entries(LEGS).map(([name, rows]) => (parts[name] = seat(rows, 14))), parts.torso, group("head", parts.front, parts.back));
  const link = element("a", { class: `person look-${index % 7}`, href: fact.href, "data-agent": fact.key }, box("hit", -24, 0, 48, 57), body);
  const bubble = html("p", "bubble"), tag = html("p", "tag"), name = html("b", ""), about = html("span", "");
  tag.append(name, about);
  const above = html("div", "above");
  above.append(bubble);
  const talk = element("g", { class: "talk", "data-agent": fact.key }, element("foreignObject", { y: -FEET + 4, height: FEET - 62 }, above), element("foreignObject", { y: 14, height: ROW - FEET - 18 }, tag));
  room.querySelector(".people").append(link);
  room.querySelector(".talks").append(talk);
  return { index, parts, body, link, talk, bubble, name, about, x: 0, y: 0, path: [], slot: -1, place: "" };
}

function pose(person, legs, turned = false) {
  for (const [name, part] of Object.entries(person.parts)) part.setAttribute("display", [legs, "torso", turned ? "back" : "front"].includes(name) ? "inline" : "none");
  person.body.setAttribute("transform", at(0, (legs === "sit" ? -17 : -19) * PX));
}
function stand(person) {
  person.link.setAttribute("transform", at(person.x, person.y));
  person.talk.setAttribute("transform", at(person.x, person.y));
}
function arrive(person) {
  person.path = [];
  pose(person, person.place === "review" ? "stand" : "sit");
  stand(person);
  person.link.dataset.place = person.place;
  person.talk.classList.remove("walking");
}
// To the gap beside the furniture, along it to the row of the spot, and there to the spot.
function send(person, goal, walks) {
  if (person.x === goal.x && person.y === goal.y) return arrive(person);
  if (!walks) return arrive(Object.assign(person, goal));
  const side = person.x + (Math.sign(goal.x - person.x || plan.width / 2 - person.x) * plan.cell) / 2;
  person.path = person.y === goal.y ? [goal] : [{ x: side, y: person.y }, { x: side, y: goal.y }, goal];
  let long = 0, from = person;
  for (const to of person.path) { long += Math.hypot(to.x - from.x, to.y - from.y); from = to; }
  person.speed = Math.max(SPEED, long / LONGEST_S);
  person.link.dataset.place = "walking";
  person.talk.classList.add("walking");
  if (!ticking) ticking = requestAnimationFrame((now) => tick(now, now));
}
function tick(now, before) {
  let walking = false;
  for (const person of people.values()) {
    const [to] = person.path;
    if (!to) continue;
    const far = Math.hypot(to.x - person.x, to.y - person.y), step = Math.min(far, (person.speed * (now - before)) / 1000);
    pose(person, Math.floor(now / 140) % 2 ? "left" : "right", to.y < person.y);
    if (far > step) { person.x += ((to.x - person.x) / far) * step; person.y += ((to.y - person.y) / far) * step; stand(person); walking = true; continue; }
    Object.assign(person, person.path.shift());
    if (person.path.length) walking = true;
    else arrive(person);
  }
  ticking = walking ? requestAnimationFrame((next) => tick(next, now)) : 0;
}

function draw() {
  const width = room.clientWidth, facts = readFacts();
  if (!width) return; // the list is shown
  const before = plan?.key;
  plan = layOut(width, facts);
  const svg = room.firstElementChild, moved = plan.key !== before;
  if (moved) {
    for (const person of people.values()) person.slot = -1; // who stays may move up
    for (const [name, value] of Object.entries({ width, height: plan.height, viewBox: `0 0 ${width} ${plan.height}` })) svg.setAttribute(name, value);
    furnish(facts.length);
  }
  for (const [key, person] of people) if (!facts.some((one) => one.key === key)) { person.link.remove(); person.talk.remove(); people.delete(key); }
  facts.forEach((fact, index) => {
    const known = people.get(fact.key), person = known ?? enter(fact, index), { name, about, bubble } = person;
    people.set(fact.key, person);
    for (const [part, value] of [[name, fact.name], [about, fact.about], [bubble, fact.wrote]]) if (part.textContent !== value) part.textContent = value;
    person.link.setAttribute("aria-label", `${fact.name}, ${PLACES[fact.place]}. ${fact.about}.${fact.wrote ? ` Wrote: ${fact.wrote}` : ""}`);
    bubble.hidden = !fact.wrote;
    const left = person.place !== fact.place;
    if (left) Object.assign(person, { place: fact.place, slot: -1 });
    person.link.classList.toggle("busy", fact.place === "desk");
    if (!left && !moved) return;
    const taken = [...people.values()].filter((one) => one !== person && one.place === fact.place).map((one) => one.slot);
    if (plan.own && fact.place === "desk") person.slot = index;
    else if (person.slot < 0) { person.slot = 0; while (taken.includes(person.slot)) person.slot += 1; }
    for (const part of person.talk.children) { part.setAttribute("x", 4 - plan.cell / 2); part.setAttribute("width", plan.cell - 8); }
    send(person, spot(plan.zones[fact.place], person.slot), known && !calm.matches && !document.hidden && (left || person.path.length));
  });
  const used = [...people.values()].filter((one) => one.place === "desk").map((one) => one.slot);
  room.querySelectorAll(".desk-top").forEach((desk, slot) => desk.classList.toggle("lit", used.includes(slot)));
}

function show(view) {
  room.hidden = view !== "room";
  list.hidden = view === "room";
  for (const button of views.children) button.setAttribute("aria-pressed", button.value === view);
  draw();
}
room.append(element("svg", { role: "group", "aria-label": "The office" }, layer("back"), group("people"), layer("front"), layer("talks")));
views.hidden = false;
views.addEventListener("click", ({ target }) => target.value && show(target.value));
new MutationObserver(draw).observe(list, { subtree: true, childList: true, characterData: true, attributes: true });
new ResizeObserver(draw).observe(room);
show(calm.matches ? "list" : "room");
