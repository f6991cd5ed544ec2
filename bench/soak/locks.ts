// The locks of the soak test, in a separate process. Reads lines: a LocksPlan as JSON, then "awake"; "go" starts the
// openings, "end" stops them and waits until the console has all events. Prints { awake } and then a LocksReport, each
// as a line of JSON.
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { startStreet } from "../../apps/simulators/src/locks/street.ts";
import type { LocksPlan, LocksReport } from "./street.ts";

const AWAKE_MS = 180_000;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const plan = JSON.parse((await lines.next()).value ?? "") as LocksPlan;
const street = startStreet({
  locks: plan.locks.map((access) => ({ ...access, url: plan.url, hotelId: plan.hotelId })),
  ...(plan.resendMs !== undefined && { resendMs: plan.resendMs }),
});
const send = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const counts: Record<string, number> = {};
let timer: NodeJS.Timeout | undefined;

function open(): void {
  const door = street.doors[Math.floor(Math.random() * street.doors.length)];
  if (door) {
    door.lock.turnKey();
    counts[door.mac] = (counts[door.mac] ?? 0) + 1;
  }
  timer = setTimeout(open, (-Math.log(1 - Math.random()) * 3_600_000) / plan.perHour);
}

const pendingEvents = (): number => street.doors.reduce((sum, { lock }) => sum + lock.memory.events.length, 0);

for (let line = await lines.next(); !line.done; line = await lines.next()) {
  if (line.value === "awake") send({ awake: await street.awake(AWAKE_MS) });
  if (line.value === "go") open();
  if (line.value === "end") {
    clearTimeout(timer);
    for (const end = Date.now() + plan.drainMs; pendingEvents() > 0 && Date.now() < end; ) await delay(100);
    send({ sent: counts, unacknowledged: pendingEvents() } satisfies LocksReport);
  }
  if (line.value === "stop") break;
}
await street.stop();
process.exit(0);
