// Guesses links to guests' pages of the demo hotel, each from another network: random ones, one character beside a link
// that is valid, links that were revoked, replaced or of a cancelled stay, and texts that can't be a link. None may open
// anything, and no answer may tell what the guess was, by status, headers, body or, in a full run, time. Then it guesses
// from one network until that is refused.
import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { openBench } from "./measuring/bench.ts";
import { median } from "./measuring/durations.ts";
import { listGuests, makeGuestLink, mutate } from "./measuring/guest-links.ts";
import { DEMO_OWNER, logIn, OWNER } from "./measuring/owner.ts";
import type { Row } from "./measuring/result.ts";
import { withWorld } from "./measuring/world.ts";
import { freePort } from "./soak/neighbours.ts";

// The times of the first `warm` guesses don't count.
const bench = openBench("guest-links", {
  full: { guesses: 100_000, atOnce: 8, warm: 5_000, fromOneNetwork: 4_000 },
  tiny: { guesses: 300, atOnce: 4, warm: 20, fromOneNetwork: 40 },
});
const { guesses, atOnce, warm, fromOneNetwork } = bench.sizes;
/** Tolerated difference between the median of one kind and that of all, as a ratio; covers the noise of the machine. */
const NOISE = 0.15;
/** Calls of one network that find no link, within five minutes (guest-entrance.ts) */
const NETWORK_LIMIT = 3_000;

/** Acts on the page, with what they take besides the link */
const ACTS: Record<string, object> = {
  page: {},
  proof: { answer: "456" },
  open: {},
  late: { time: "18:00" },
  "check-in": {},
  "check-out": {},
};
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  milliseconds: number;
}

type Send = (act: string, token: string, address: string) => Promise<Answered>;

await withWorld(async (world) => {
  const port = String(await freePort());
  const guestUrl = `http://127.0.0.1:${port}`;
  const server = await world.serve(await world.database("guest_links"), {
    withDemo: true,
    env: {
      ...{ DEMO_PASSWORD: OWNER.password, GUEST_PORT: port, GUEST_URL: guestUrl },
      ...{ TRUST_PROXY: "true", LOG_LEVEL: "fatal" },
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  try {
    const cookie = await logIn(server.url, DEMO_OWNER);
    const { valid, kinds } = await makeLinks(server.url, cookie);
    const sendGuess: Send = (act, token, address) =>
      send(`${guestUrl}/api/${act}`, { token, ...ACTS[act] }, address, agent);
    assert.equal((await sendGuess("page", valid, "10.0.0.1")).status, 200, "the valid link opens its page");
    const rows = [...(await guess(sendGuess, kinds)), await exhaustNetwork(sendGuess)];
    assert.equal((await sendGuess("page", valid, "10.0.0.1")).status, 200, "the valid link still opens its page");
    await bench.finish(rows);
  } finally {
    agent.destroy();
    await server.stop();
  }
});

/** Returns a link that opens its page, and for each kind of guess a function that makes one. */
async function makeLinks(
  url: string,
  cookie: string,
): Promise<{ valid: string; kinds: ReadonlyMap<string, () => string> }> {
  const [guest, other, third] = await listGuests(url, cookie, "in");
  const [expected] = await listGuests(url, cookie, "reserved");
  assert.ok(guest && other && third && expected, "the demo hotel has these guests");
  const newToken = async (stayGuestId: number): Promise<string> =>
    (await makeGuestLink(url, cookie, stayGuestId)).split("#")[1] ?? "";
  const valid = await newToken(guest.stayGuestId);
  const revoked = await newToken(other.stayGuestId);
  await mutate(url, cookie, "guestLinks.revoke", { stayGuestId: other.stayGuestId });
  const replaced = await newToken(third.stayGuestId);
  await newToken(third.stayGuestId);
  const cancelled = await newToken(expected.stayGuestId);
  await mutate(url, cookie, "stays.cancel", { stayId: expected.stayId });
  const kinds = new Map([
    ["random", () => randomBytes(16).toString("base64url")],
    ["one character off", () => oneCharacterOff(valid)],
    ["revoked", () => revoked],
    ["replaced", () => replaced],
    ["of a cancelled stay", () => cancelled],
    ["of another form", () => randomBytes(randomInt(48)).toString("base64")],
  ]);
  return { valid, kinds };
}

function oneCharacterOff(token: string): string {
  const at = randomInt(token.length);
  const others = [...ALPHABET].filter((character) => character !== token[at]);
  return token.slice(0, at) + others[randomInt(others.length)] + token.slice(at + 1);
}

/** Sends all guesses; each address asks once. */
async function guess(sendGuess: Send, kinds: ReadonlyMap<string, () => string>): Promise<Row[]> {
  const times = new Map<string, number[]>([...kinds.keys()].map((kind) => [kind, []]));
  const names = [...kinds.keys()];
  const acts = Object.keys(ACTS);
  const answers = new Set<string>();
  let sent = 0;
  const work = async (): Promise<void> => {
    while (sent < guesses) {
      sent += 1;
      const count = sent;
      const kind = names[randomInt(names.length)] ?? "";
      const act = acts[randomInt(acts.length)] ?? "";
      const answer = await sendGuess(act, kinds.get(kind)?.() ?? "", addressOf(count));
      answers.add(visibleOf(answer));
      if (count > warm) times.get(kind)?.push(answer.milliseconds);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  assert.equal(answers.size, 1, `every guess gets the same answer: ${[...answers].join("\n")}`);
  assert.match([...answers][0] ?? "", /^404 /);
  const all = median([...times.values()].flat());
  return [...times].map(([kind, values]) => {
    const p50Ms = median(values);
    const isClose = Math.abs(p50Ms / all - 1) < NOISE;
    assert.ok(isClose || bench.isTiny, `${kind} takes ${p50Ms} ms, all ${all} ms`);
    return { table: "kinds", kind, sent: values.length, p50Ms, ratio: p50Ms / all };
  });
}

function addressOf(count: number): string {
  return `10.${1 + ((count >> 16) & 127)}.${(count >> 8) & 255}.${count & 255}`;
}

/** Returns what somebody sees of an answer, without what differs in every one: the time and the request's id. */
function visibleOf({ status, headers, body }: Answered): string {
  const { date: _date, "x-request-id": _id, ...seen } = headers;
  const { requestId: _requestId, ...content } = JSON.parse(body);
  return `${status} ${JSON.stringify(seen)} ${JSON.stringify(content)}`;
}

/** Guesses from one network; counts the guesses that were answered before it was refused. */
async function exhaustNetwork(sendGuess: Send): Promise<Row> {
  const counts = new Map<number, number>();
  let sent = 0;
  const work = async (): Promise<void> => {
    while (sent < fromOneNetwork) {
      sent += 1;
      const { status } = await sendGuess("page", randomBytes(16).toString("base64url"), "192.0.2.7");
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const answered = counts.get(404) ?? 0;
  const refused = counts.get(429) ?? 0;
  assert.equal(answered, Math.min(fromOneNetwork, NETWORK_LIMIT));
  assert.equal(answered + refused, fromOneNetwork);
  return { table: "network", sent: fromOneNetwork, answered, refused };
}

function send(url: string, input: object, address: string, agent: Agent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const body = JSON.stringify(input);
    const headers = {
      ...{ "content-type": "application/json", "x-innkey": "1", "x-forwarded-for": address },
      ...{ origin: new URL(url).origin, "content-length": Buffer.byteLength(body) },
    };
    const call = request(url, { method: "POST", headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const milliseconds = performance.now() - startedAt;
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, headers: received, body: Buffer.concat(parts).toString(), milliseconds });
      });
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(body);
  });
}
