import type { SystemStatus } from "@innkey/shared/schemas/overview/system";
import { expect, it } from "vitest";
import { countNeedingCare, partStates } from "./part-states.ts";

const AT = "2026-11-22T10:00:00.000Z";
const job = {
  name: "locks.sweep",
  waiting: 0,
  active: 0,
  delayed: 1,
  failed: 0,
  waitingSince: null,
  lastFailure: null,
};
const sender = { configured: true, waiting: 0, lastFailure: null };
const WELL: SystemStatus = {
  at: AT,
  troubles: [],
  installation: true,
  version: { version: "1.0.0", build: "" },
  processes: [
    {
      id: "1",
      role: "all",
      host: "desk",
      version: "1.0.0",
      startedAt: AT,
      seenAt: AT,
      alive: true,
      memoryBytes: 1,
      node: "v20",
    },
  ],
  database: {
    version: "18",
    sizeBytes: 1,
    connections: 1,
    mostConnections: 100,
    pool: { total: 1, idle: 1, waiting: 0 },
    oldestTransactionSeconds: null,
    replicas: 0,
    migrations: null,
  },
  queue: { store: "postgresql", jobs: [job], depth: [] },
  locks: {
    broker: "embedded",
    connected: true,
    registered: 1,
    online: 1,
    notSetUp: 0,
    commandsWaiting: 0,
    waitingSince: null,
    hours: [],
  },
  liveEvents: { via: "postgresql", listening: true },
  storage: { kind: "disk", place: "/data", writable: true },
  disk: { freeBytes: 1, totalBytes: 2 },
  backup: { everyHours: 24, last: { at: AT, sizeBytes: 1, verifiedAt: AT, error: "" } },
  certificate: { host: "desk.example", expiresAt: "2027-01-22T10:00:00.000Z", issuer: "CA", problem: "" },
  senders: { mail: sender, sms: { ...sender, configured: false } },
  webhooks: { on: 1, failing: 0, givenUp: 0, waiting: 0 },
  journal: { checkedAt: AT, whole: true },
};

it("needs no attention while it works or if it was never set up", () => {
  expect(countNeedingCare(partStates(WELL))).toBe(0);
  const bare = partStates({
    ...WELL,
    certificate: null,
    journal: null,
    backup: { everyHours: 0, last: null },
    senders: { mail: { ...sender, configured: false }, sms: { ...sender, configured: false } },
    webhooks: { on: 0, failing: 0, givenUp: 0, waiting: 0 },
  });
  expect(countNeedingCare(bare)).toBe(0);
  for (const part of ["certificate", "journal", "backup", "senders", "webhooks"] as const) {
    expect(bare[part].state, part).toBe("off");
  }
});

it("says since when a part is away if its failure was reported", () => {
  const since = "2026-11-22T09:00:00.000Z";
  const stateOf = (part: SystemStatus["troubles"][number]["part"]) =>
    partStates({ ...WELL, troubles: [{ part, since }] });
  for (const part of ["database", "queue", "locks", "liveEvents", "storage", "journal"] as const) {
    expect(stateOf(part)[part], part).toEqual({ state: "away", since });
  }
  expect(stateOf("workers").queue).toEqual({ state: "away", since });
  expect(stateOf("disk").storage).toEqual({ state: "care", since });
  expect(stateOf("backup").backup).toEqual({ state: "care", since });
});

it("is silent if nothing was answered", () => {
  const states = partStates({
    ...WELL,
    database: null,
    queue: { ...WELL.queue, jobs: null },
    locks: null,
    storage: null,
    senders: null,
    webhooks: null,
    processes: null,
    certificate: { host: "desk.example", expiresAt: null, issuer: "", problem: "ETIMEDOUT" },
  });
  for (const part of [
    "database",
    "queue",
    "locks",
    "storage",
    "senders",
    "webhooks",
    "processes",
    "certificate",
  ] as const) {
    expect(states[part].state, part).toBe("silent");
  }
  expect(countNeedingCare(states)).toBe(8);
});

it("needs attention if a part fails, falls silent or expires soon", () => {
  const [process] = WELL.processes ?? [];
  const states = partStates({
    ...WELL,
    queue: { ...WELL.queue, jobs: [{ ...job, failed: 2 }] },
    locks: WELL.locks && { ...WELL.locks, registered: 60, online: 30 },
    senders: { mail: { ...sender, lastFailure: { reason: "450", at: AT } }, sms: sender },
    webhooks: { on: 2, failing: 1, givenUp: 0, waiting: 3 },
    processes: process ? [{ ...process, alive: false }] : [],
    certificate: { host: "desk.example", expiresAt: "2026-12-05T10:00:00.000Z", issuer: "CA", problem: "" },
  });
  for (const part of ["queue", "locks", "senders", "webhooks", "processes", "certificate"] as const) {
    expect(states[part].state, part).toBe("care");
  }
});

it("does not call a backup good that was never restored as a test, or not for days", () => {
  const { last } = WELL.backup;
  const backup = (verifiedAt: string | null) =>
    partStates({ ...WELL, backup: { everyHours: 24, last: last && { ...last, verifiedAt } } });
  expect(backup("2026-11-20T10:00:00.000Z").backup.state).toBe("well");
  for (const verifiedAt of [null, "2026-11-19T09:00:00.000Z"]) {
    const states = backup(verifiedAt);
    expect(states.backup.state).toBe("unproven");
    expect(countNeedingCare(states), "so not all is well").toBe(1);
  }
  const none = partStates({ ...WELL, backup: { everyHours: 24, last: null } });
  expect(none.backup.state).toBe("unproven");
});
