// Sends many invalid envelopes and some valid ones to the built server: random bytes, bit flips, truncation, huge and
// nested JSON, another cipher, replays. The only statuses allowed are 200, 400 and 413. All invalid envelopes must get
// the same answer, and in a full run in the same time.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { encrypt, type LegacyCipher } from "../apps/server/src/api/legacy/envelope.ts";
import { CIPHER, CIPHER_SETTINGS, encryptPayload, logInAsOldClient } from "./manage/old-client.ts";
import { openBench } from "./measuring/bench.ts";
import { median } from "./measuring/durations.ts";
import { withLoadHotel } from "./measuring/load-database.ts";
import type { Program } from "./measuring/programs.ts";
import type { Row } from "./measuring/result.ts";

// The times of the first `warm` envelopes don't count, and the memory is read after every `memoryInterval`.
const bench = openBench("envelopes", {
  full: { rooms: 500, envelopes: 100_000, atOnce: 8, warm: 5_000, memoryInterval: 10_000 },
  tiny: { rooms: 5, envelopes: 400, atOnce: 4, warm: 20, memoryInterval: 200 },
});
const { rooms, envelopes, atOnce, warm, memoryInterval } = bench.sizes;
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
  rooms,
  async () => undefined,
  async ({ url, world }) => {
    const server = await world.serve(url, { env: { ...CIPHER_SETTINGS, LOG_LEVEL: "fatal" } });
    try {
      await bench.finish(await sendEnvelopes(server));
    } finally {
      await server.stop();
    }
  },
);

async function sendEnvelopes(server: Program): Promise<Row[]> {
  const token = await logInAsOldClient(server.url);
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const post = (body: string): Promise<Answered> => send(`${server.url}/manage/room/lockInfo`, token, body, agent);
  const times = new Map<string, number[]>(Object.keys(SAME_SIZE).map((kind) => [kind, []]));
  const bodies = new Set<string>();
  const memory: Row[] = [];
  const kinds = [...Object.entries(SAME_SIZE), ...Object.entries(OTHER_SIZES), ["replay", () => REPLAY] as const];

  const one = async (count: number): Promise<void> => {
    // The first are one of each kind. Later, large ones are sent less often, because they mostly cost transfer time.
    const isRare = count % 97 === 0;
    const pool = isRare
      ? kinds
      : kinds.filter(([kind]) => kind in SAME_SIZE || kind === "replay" || kind === "truncated");
    const any = pool[(randomBytes(2).readUInt16BE() + count) % pool.length];
    const [kind, make] = kinds[count - 1] ?? any ?? ["", () => ""];
    const { status, body, milliseconds } = await post(make());
    if (kind === "replay") assert.equal(status, 200, kind);
    else if (kind === "too large") assert.equal(status, 413, kind);
    else {
      assert.equal(status, 400, `${kind}: ${body}`);
      bodies.add(body);
    }
    if (kind in SAME_SIZE && count > warm) times.get(kind)?.push(milliseconds);
  };

  let startedCount = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (startedCount < envelopes) {
        startedCount += 1;
        const count = startedCount;
        await one(count);
        if (count % memoryInterval !== 0) continue;
        memory.push({ table: "memory", envelopes: count, serverMb: await server.memory() });
      }
    }),
  );
  agent.destroy();
  assert.equal(bodies.size, 1, "every bad envelope gets the same answer");
  return [...kindRows(times), ...memory];
}

function kindRows(times: ReadonlyMap<string, number[]>): Row[] {
  const all = median([...times.values()].flat());
  return [...times].map(([kind, values]) => {
    const p50Ms = median(values);
    const isClose = Math.abs(p50Ms / all - 1) < NOISE;
    assert.ok(isClose || bench.isTiny, `${kind} takes ${p50Ms} ms, all ${all} ms`);
    return { table: "kinds", kind, sent: values.length, p50Ms, ratio: p50Ms / all };
  });
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
