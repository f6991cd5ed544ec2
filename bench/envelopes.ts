// Sends a hundred thousand invalid envelopes and some valid ones to the built server: random bytes, bit flips,
// truncation, huge and nested JSON, another cipher, replays. The only statuses allowed are 200, 400 and 413. All
// invalid envelopes must get the same answer in the same time, and memory must not grow. Prints the table of
// docs/operators/performance.md.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encrypt, type LegacyCipher } from "../apps/server/src/api/legacy/envelope.ts";
import { type Program, startProgram } from "./board/programs.ts";
import { CIPHER, CIPHER_SETTINGS, encryptPayload, logInAsOldClient } from "./manage/old-client.ts";
import { machine, withLoadHotel } from "./measuring/load-database.ts";

const ENVELOPES = 100_000;
const AT_ONCE = 8;
const WARM = 5_000;
const MEMORY_INTERVAL = 10_000;
/** Tolerated difference between the median of one kind and that of all, as a ratio; covers the noise of the machine. */
const NOISE = 0.15;

const FOREIGN: LegacyCipher = { name: "aes-256-cbc", key: Buffer.alloc(32, 9), iv: Buffer.alloc(16, 9) };
const WEAK: LegacyCipher = { name: "des-cbc", key: Buffer.alloc(8, 9), iv: Buffer.alloc(8, 9) };
const PAYLOAD = { room_id: 1, name: "Ann Lee", note: "x".repeat(200) };
const SIZE = 256;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const wrap = (data: string): string => JSON.stringify({ data, language: "en" });
const seal = (text: string, cipher = CIPHER): Buffer => encrypt(cipher, text);
/** Pads a valid text to the length of the others, so that only the fault differs. */
const padded = (text: string): string => text.padEnd(SIZE - 1, " ");
const validEnvelope = (): Buffer => seal(padded(JSON.stringify({ ...PAYLOAD, note: "", action: "manage" })));

function withFlippedBit(): Buffer {
  const bytes = validEnvelope();
  // In the last two blocks, so that the padding or the JSON's end becomes invalid.
  const at = bytes.length - 1 - ((randomBytes(1)[0] ?? 0) % 32);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << ((randomBytes(1)[0] ?? 0) % 8));
  return bytes;
}

/** Invalid envelopes of the same size, which a client must not be able to tell apart. */
const SAME_SIZE: Record<string, () => string> = {
  "bad base64": () => wrap(`!${base64(validEnvelope()).slice(1)}`),
  "half a block": () => wrap(base64(validEnvelope().subarray(0, SIZE - 7))),
  "random bytes": () => wrap(base64(randomBytes(SIZE))),
  "a flipped bit": () => wrap(base64(withFlippedBit())),
  "bad JSON": () => wrap(base64(seal(padded('{"room_id":1,')))),
  "no action": () => wrap(base64(seal(padded(JSON.stringify({ ...PAYLOAD, note: "" }))))),
  "another key": () => wrap(base64(seal(padded(JSON.stringify({ action: "manage" })), FOREIGN))),
  "another cipher": () => wrap(base64(seal(padded(JSON.stringify({ action: "manage" })), WEAK))),
};
/** Invalid envelopes of other sizes, which only must do no harm. */
const OTHER_SIZES: Record<string, () => string> = {
  truncated: () => encryptPayload(PAYLOAD).slice(0, 1 + (randomBytes(1)[0] ?? 0)),
  "deeply nested": () => wrap(base64(seal("[".repeat(50_000)))),
  huge: () => wrap("A".repeat(900_000)),
  "too large": () => wrap("A".repeat(1_100_000)),
  "no envelope": () => base64(randomBytes(100)),
  empty: () => "",
};
const REPLAY = encryptPayload({ room_id: 1 });

interface Answered {
  status: number;
  body: string;
  milliseconds: number;
}

await withLoadHotel(
  async () => undefined,
  async ({ url, dataDir }) => {
    const server = await startProgram(
      [fileURLToPath(new URL("../apps/server/dist/main.js", import.meta.url)), "--empty"],
      {
        ...CIPHER_SETTINGS,
        ...{ NODE_ENV: "production", DATABASE_URL: url, PORT: "0", MQTT_PORT: "0", LOG_LEVEL: "fatal" },
        DATA_DIR: join(dataDir, "server"),
      },
    );
    try {
      await sendEnvelopes(server);
    } finally {
      await server.stop();
    }
  },
);

async function sendEnvelopes(server: Program): Promise<void> {
  const token = await logInAsOldClient(server.url);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const post = (body: string): Promise<Answered> => send(`${server.url}/manage/room/lockInfo`, token, body, agent);
  const times = new Map<string, number[]>(Object.keys(SAME_SIZE).map((kind) => [kind, []]));
  const bodies = new Set<string>();
  const memory: number[] = [];
  const kinds = [...Object.entries(SAME_SIZE), ...Object.entries(OTHER_SIZES), ["replay", () => REPLAY] as const];

  const one = async (count: number): Promise<void> => {
    // Large ones are sent less often, because they mostly cost transfer time.
    const rare = count % 97 === 0;
    const pool = rare
      ? kinds
      : kinds.filter(([kind]) => kind in SAME_SIZE || kind === "replay" || kind === "truncated");
    const [kind, make] = pool[(randomBytes(2).readUInt16BE() + count) % pool.length] ?? kinds[0] ?? ["", () => ""];
    const { status, body, milliseconds } = await post(make());
    if (kind === "replay") assert.equal(status, 200, kind);
    else if (kind === "too large") assert.equal(status, 413, kind);
    else {
      assert.equal(status, 400, `${kind}: ${body}`);
      bodies.add(body);
    }
    if (kind in SAME_SIZE && count > WARM) times.get(kind)?.push(milliseconds);
  };

  let startedCount = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (startedCount < ENVELOPES) {
        startedCount += 1;
        const count = startedCount;
        await one(count);
        if (count % MEMORY_INTERVAL === 0) memory.push(await server.memory());
      }
    }),
  );
  agent.destroy();
  assert.equal(bodies.size, 1, "every bad envelope gets the same answer");
  report(times, memory);
}

function report(times: Map<string, number[]>, memory: number[]): void {
  const median = (values: number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const all = median([...times.values()].flat());
  const lines = [...times].map(([kind, values]) => {
    const own = median(values);
    assert.ok(Math.abs(own / all - 1) < NOISE, `${kind} takes ${own} ms, all ${all} ms`);
    return `| ${kind} | ${values.length.toLocaleString("en")} | ${own.toFixed(3)} | ${(own / all).toFixed(2)} |`;
  });
  console.log(`
${machine()}, ${ENVELOPES.toLocaleString("en")} envelopes, ${AT_ONCE} at once.

| bad envelope of one size | sent | median ms | against all |
|---|---|---|---|
${lines.join("\n")}

Memory of the server (RSS) after every ${MEMORY_INTERVAL.toLocaleString("en")}: ${memory.map((mb) => Math.round(mb)).join(", ")} MB.`);
}

function send(url: string, token: string, body: string, agent: Agent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const headers = { "content-type": "application/json", "x-token": token, "content-length": Buffer.byteLength(body) };
    const call = request(url, { method: "POST", headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const milliseconds = performance.now() - startedAt;
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString(), milliseconds });
      });
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(body);
  });
}
