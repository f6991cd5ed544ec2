import { existsSync } from "node:fs";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { type BackupRow, BackupRuns, type BackupSettings, lastBackup, makeBackup } from "./make-backup.ts";
import { selectOutdated } from "./scheduled-backups.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Settings that the server's schedule reads; tests change them. */
const changed: Partial<BackupSettings> = { everyHours: 6, keep: 3 };

let server: TestServer;
let beside: TestServer;
beforeAll(async () => {
  server = await createTestServer({ backup: changed });
  await server.createHotel();
  beside = await createTestServer({ backup: changed, beside: server, clock: server.clock });
});
afterAll(async () => {
  await beside.close();
  await server.close();
});
beforeEach(async () => {
  await server.database.pool.query("DELETE FROM backup_run");
  server.clock.advance(HOUR_MS);
});

const backups = (): Promise<string[]> => readdir(join(server.dataDir, "backups")).catch(() => []);
const runIfDue = () => server.services.backups.runIfDue();
const last = () => lastBackup(server.database);
const runs = () => new BackupRuns(server.database);

describe("the schedule", () => {
  it("makes a first backup, and the next when it is due, however often it runs", async () => {
    expect(await last()).toBeNull();
    const before = (await backups()).length;
    await runIfDue();
    await beside.services.backups.runIfDue();
    server.clock.advance(6 * HOUR_MS - MINUTE_MS);
    await runIfDue();
    expect((await backups()).length - before).toBe(1);
    expect(await last()).toMatchObject({ at: expect.any(Date), bytes: expect.any(Number), error: null });
    server.clock.advance(2 * MINUTE_MS);
    await Promise.all([runIfDue(), beside.services.backups.runIfDue()]);
    expect((await backups()).length - before).toBe(2);
  });

  it("makes none where no interval is set", async () => {
    const idle = await createTestServer();
    await idle.services.backups.runIfDue();
    expect(await lastBackup(idle.database)).toBeNull();
    await idle.close();
  });

  it("verifies a backup of a hotel whose locks have completed commands", async () => {
    const hotel = await server.createHotel();
    const { api } = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
    const { lockId } = await api.locks.save.mutate({ mac: "A4:C1:38:00:00:01" });
    await api.locks.readBack.mutate({ lockId });
    await api.locks.readBack.mutate({ lockId });
    expect(await server.database.prisma.lockCommand.count({ where: { state: "superseded" } })).toBe(1);
    await runIfDue();
    expect(await last()).toMatchObject({ verifiedAt: server.clock.now(), error: null });
  });

  it("verifies a backup by a trial restore, at most once a day", async () => {
    await runIfDue();
    expect((await last())?.verifiedAt).toEqual(server.clock.now());
    server.clock.advance(7 * HOUR_MS);
    await runIfDue();
    expect((await last())?.verifiedAt).toBeNull();
    server.clock.advance(24 * HOUR_MS);
    await runIfDue();
    expect((await last())?.verifiedAt).toEqual(server.clock.now());
  });

  it("records a failure, still shows the last good backup, and tries again after an hour", async () => {
    await runIfDue();
    const good = (await last())?.at;
    server.clock.advance(7 * HOUR_MS);
    const blocked = join(server.dataDir, "a file");
    await writeFile(blocked, "");
    await expect(runInto(blocked)).rejects.toThrow();
    expect(await last()).toMatchObject({ at: good, error: expect.stringMatching(/EEXIST|ENOTDIR/) });
    const before = (await backups()).length;
    server.clock.advance(30 * MINUTE_MS);
    await runIfDue();
    expect((await backups()).length).toBe(before);
    server.clock.advance(31 * MINUTE_MS);
    await runIfDue();
    expect((await backups()).length).toBe(before + 1);
    expect(await last()).toMatchObject({ error: null });
  });

  it("closes a run that a dead process left open", async () => {
    await runs().begin(server.clock.now());
    server.clock.advance(25 * HOUR_MS);
    await runIfDue();
    const { rows } = await server.database.pool.query("SELECT error FROM backup_run ORDER BY id");
    expect(rows).toEqual([{ error: expect.stringMatching(/ended before/) }, { error: null }]);
  });

  it("keeps the newest backups, and deletes only its own files", async () => {
    const foreign = join(server.dataDir, "backups", "innkey-20200101T000000Z.tar.gz.age");
    await writeFile(foreign, "of another system");
    const partialFile = `${foreign}.part`;
    await writeFile(partialFile, "of a process that was killed");
    await utimes(partialFile, new Date(0), new Date(0));
    for (let backupCount = 0; backupCount < 5; backupCount += 1) {
      await runIfDue();
      server.clock.advance(7 * HOUR_MS);
    }
    const remaining = await runs().listWithFile();
    expect(remaining).toHaveLength(3);
    expect(remaining.every(({ file }) => existsSync(file))).toBe(true);
    expect(existsSync(foreign)).toBe(true);
    expect(existsSync(partialFile)).toBe(false);
  });
});

/** Makes a backup into a directory of choice, as the command line does. */
const runInto = (directory: string) =>
  makeBackup({
    settings: { ...createServerSettings(), directory },
    files: { read: async () => null },
    runs: runs(),
    now: () => server.clock.now(),
  });

const createServerSettings = (): BackupSettings => ({
  databaseUrl: server.url,
  trialUrl: undefined,
  directory: "",
  everyHours: 0,
  keep: 1,
  key: async () => ({ recipient: "age1".padEnd(62, "q"), identity: null }),
  secrets: {},
  version: "0",
  migrationsDir: "",
});

describe("a backup to delete", () => {
  const DAY = (day: number): Date => new Date(Date.UTC(2026, 0, day));
  const backup = (day: number, fields: Partial<BackupRow> = {}): BackupRow => ({
    id: day,
    file: `${day}`,
    startedAt: DAY(day),
    verifiedAt: null,
    error: null,
    ...fields,
  });
  const days = (backups: BackupRow[], keep: number) => selectOutdated(backups, keep).map(({ id }) => id);

  it("is older than the newest few", () => {
    expect(days([backup(5), backup(4), backup(3), backup(2)], 2)).toEqual([3, 2]);
    expect(days([backup(5)], 1)).toEqual([]);
    expect(days([], 1)).toEqual([]);
  });

  it("is never the newest one that passed a trial restore", () => {
    const proven = { verifiedAt: DAY(9) };
    expect(days([backup(5), backup(4), backup(3, proven), backup(2, proven)], 1)).toEqual([4, 2]);
  });

  it("is a bad one only once a newer one is good, and bad ones do not count", () => {
    const bad = { error: "not whole" };
    expect(days([backup(5, bad), backup(4, bad), backup(3), backup(2)], 2)).toEqual([]);
    expect(days([backup(5), backup(4, bad), backup(3)], 2)).toEqual([4]);
    expect(days([backup(5, bad)], 1)).toEqual([]);
  });

  it("is a bad one with three newer ones, even where none is good", () => {
    const bad = { error: "not whole" };
    const many = [9, 8, 7, 6, 5].map((day) => backup(day, bad));
    expect(days([...many, backup(3)], 1)).toEqual([6, 5]);
    expect(days(many, 1)).toEqual([6, 5]);
  });
});
