// The doors of the control page: a button for each door, and the actions for the selected one.
const at = (id) => document.getElementById(id);
let doors = [];
let chosen = "";

const plain = (mac) => mac.replaceAll(":", "");
const isFault = (value) => value !== false && value !== 0;

async function call(method, path, body) {
  const response = await fetch(path, { method, body: body && JSON.stringify(body) });
  return response.ok ? response.json() : undefined;
}

function show() {
  at("street").hidden = doors.length === 0;
  at("awake").textContent = `${doors.filter(({ online }) => online).length} of ${doors.length} locks are connected.`;
  const list = at("doors");
  if (list.childElementCount !== doors.length) list.replaceChildren(...doors.map(button));
  for (const [index, { mac, online, faults }] of doors.entries()) {
    const { dataset } = list.children[index];
    dataset.online = online;
    dataset.fault = Object.values(faults).some(isFault);
    list.children[index].setAttribute("aria-pressed", String(mac === chosen));
    list.children[index].title = online ? "connected" : "not connected";
  }
  const door = doors.find(({ mac }) => mac === chosen);
  at("door").hidden = !door;
  if (door) showDoor(door);
}

function button({ room, mac }) {
  const element = Object.assign(document.createElement("button"), { type: "button" });
  element.append(document.createElement("i"), room);
  element.addEventListener("click", () => {
    chosen = chosen === mac ? "" : mac;
    at("opened").textContent = "";
    show();
  });
  return element;
}

function showDoor({ room, mac, power, configured, credentials, unacknowledged, strangeAcks, bolted, notice, faults }) {
  at("room").textContent = room;
  at("about").textContent = [
    mac,
    `${power} %`,
    configured ? `${credentials} keys` : "not set up yet",
    strangeAcks > 0 && `acknowledgements of what it never sent: ${strangeAcks}`,
    unacknowledged > 0 && `records to send: ${unacknowledged}`,
    bolted && "bolted",
    notice && `shows “${notice}”`,
  ]
    .filter(Boolean)
    .join(" · ");
  for (const box of at("troubles").querySelectorAll("input"))
    if (box.type === "checkbox") box.checked = faults[box.name];
    else if (box !== document.activeElement) box.value = faults[box.name];
}

async function present(what) {
  const answer = await call("POST", `/locks/${plain(chosen)}/present`, what);
  const output = at("opened");
  output.dataset.opened = answer?.opened ?? false;
  output.textContent = !answer
    ? "There is no card on the reader."
    : answer.opened
      ? "Opened"
      : `Stays shut: ${answer.reason.replaceAll("_", " ")}`;
  await refresh();
}

async function refresh() {
  try {
    doors = (await call("GET", "/locks"))?.locks ?? [];
    show();
  } catch {
    // The page itself reports when the simulators have stopped.
  }
}

for (const act of at("door").querySelectorAll("[data-act]"))
  act.addEventListener("click", () => present(JSON.parse(act.dataset.act)));
for (const act of at("troubles").querySelectorAll("[data-reset]"))
  act.addEventListener("click", async () => {
    await call("POST", `/locks/${plain(chosen)}/reset`, JSON.parse(act.dataset.reset));
    await refresh();
  });
at("door")
  .querySelector("form")
  .addEventListener("submit", (event) => {
    event.preventDefault();
    present({ code: at("code").value });
    at("code").value = "";
  });
at("troubles").addEventListener("change", async ({ target }) => {
  const value = target.type === "checkbox" ? target.checked : Number(target.value);
  await call("PUT", `/locks/${plain(chosen)}/faults`, { [target.name]: value });
  await refresh();
});
await refresh();
setInterval(refresh, 1000);
