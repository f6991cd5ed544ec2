// Logs in, lists the rooms and reads one: a client of the compatibility layer with nothing but Node.
//   INNKEY_URL=https://hotel.example LEGACY_CIPHER=aes-256-cbc LEGACY_KEY=<hex> LEGACY_IV=<hex> \
//   INNKEY_ACCOUNT=13800000001 INNKEY_PASSWORD=… npx tsx client.ts
// Prints the rooms' names, one a line; what concerns the first of them goes to the error output.
import { createCipheriv, createDecipheriv } from "node:crypto";

interface Answer<T> {
  errno: number;
  errmsg: string;
  data: T;
}

interface Room {
  room_id: number;
  name: string;
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

const url = setting("INNKEY_URL");
const cipher = setting("LEGACY_CIPHER");
const key = Buffer.from(setting("LEGACY_KEY"), "hex");
const iv = Buffer.from(setting("LEGACY_IV"), "hex");

// OpenSSL has no single DES any more; triple DES with one key three times is the same.
const algorithm = cipher === "des-cbc" ? "des-ede3-cbc" : cipher;
const fullKey = cipher === "des-cbc" ? Buffer.concat([key, key, key]) : key;

function seal(value: unknown): string {
  const encryptor = createCipheriv(algorithm, fullKey, iv);
  return Buffer.concat([encryptor.update(JSON.stringify(value), "utf8"), encryptor.final()]).toString("base64");
}

function open<T>(data: string): Answer<T> {
  const decryptor = createDecipheriv(algorithm, fullKey, iv);
  const bytes = Buffer.concat([decryptor.update(data, "base64"), decryptor.final()]);
  return JSON.parse(bytes.toString("utf8")) as Answer<T>;
}

let token = "";

async function call<T>(path: string, payload: Record<string, unknown> = {}): Promise<T> {
  const response = await fetch(`${url}/manage/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", language: "en", ...(token ? { "x-token": token } : {}) },
    body: JSON.stringify({ data: seal({ ...payload, action: "manage" }), language: "en" }),
    signal: AbortSignal.timeout(40_000),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${path}: HTTP ${response.status} ${body}`);
  const { errno, errmsg, data } = open<T>((JSON.parse(body) as { data: string }).data);
  if (errno !== 0) throw new Error(`${path}: ${errno} ${errmsg}`);
  return data;
}

async function allRooms(): Promise<Room[]> {
  const rooms: Room[] = [];
  for (let page = 1; ; page += 1) {
    const { list, total } = await call<{ list: Room[]; total: number }>("room/listNew", { page, page_size: 200 });
    rooms.push(...list);
    if (list.length === 0 || rooms.length >= total) return rooms;
  }
}

const account = { mobile: setting("INNKEY_ACCOUNT"), password: setting("INNKEY_PASSWORD") };
token = (await call<{ token: string }>("login", account)).token;
const rooms = await allRooms();
for (const { name } of rooms) process.stdout.write(`${name}\n`);
const [first] = rooms;
if (first) {
  const { room } = await call<{ room: { name: string; status: string } }>("room/lockInfo", { room_id: first.room_id });
  process.stderr.write(`${room.name}: ${room.status}\n`);
}
await call("logout");
