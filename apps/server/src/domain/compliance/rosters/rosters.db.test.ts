import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { toLocalInput } from "@innkey/shared/hotel-time";
import type { RosterSheet } from "@innkey/shared/schemas/rosters";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import english from "../../../../../../locales/en.json" with { type: "json" };
import type { Browser } from "../../../../test/harness/browser.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, failure, type TestServer } from "../../../../test/harness/server.ts";
import { makeBackupKey, writeKeyFile } from "../../../adapters/backup/backup-key.ts";
import { openRoster, printRoster } from "./roster-file.ts";

const HOUR_MS = 3_600_000;
const GUEST = "Ines <Roster>";

let server: TestServer;
let folder: string;
let hotel: SeededHotel;
let desk: Browser;
let key: Awaited<ReturnType<typeof makeBackupKey>>;
let second: Awaited<ReturnType<typeof makeBackupKey>>;
let roomId: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "innkey-rosters-"));
  server = await createTestServer({ rosterDirectory: join(folder, "stick") });
  hotel = await seedTestHotel(server, "Roster");
  desk = hotel.ownerDesk;
  [key, second] = await Promise.all([makeBackupKey(), makeBackupKey()]);
  ({ roomId } = await desk.api.rooms.save.mutate({ name: "1007", groupId: null }));
  const now = server.clock.now().getTime();
  const stay = {
    roomId,
    unit: "day" as const,
    agreedTotalMinor: 100,
    guests: [{ name: GUEST }, { name: "Jo Second" }],
  };
  const { stayId } = await desk.api.stays.checkIn.mutate({
    ...stay,
    startsAt: new Date(now).toISOString(),
    endsAt: new Date(now + 26 * HOUR_MS).toISOString(),
    channel: null,
  });
  const { hotelId } = hotel.ids;
  const profile = await server.database.prisma.cardProfile.findFirstOrThrow({ where: { hotelId } });
  const card = {
    hotelId,
    kind: "guest",
    profileId: profile.id,
    stayId,
    sequence: 1,
    validFrom: new Date(now),
  } as const;
  const validTo = new Date(now + 26 * HOUR_MS);
  await server.database.prisma.card.createMany({
    data: [
      { ...card, uid: "04A1B2C3D4E5F6", state: "active", validTo },
      { ...card, uid: "04FFFFFFFFDEAD", state: "revoked", validTo },
    ],
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Lets hours pass and logs in again, because sessions end meanwhile. */
async function pass(hours: number): Promise<void> {
  server.clock.advance(hours * HOUR_MS);
  desk = await server.loginAs(hotel.owner);
}
const settings = (changed: { recipients?: string[]; time?: string; keep?: number } = {}) =>
  desk.api.rosters.saveSettings.mutate({ recipients: [key.recipient], time: "22:00", keep: 2, ...changed });
const rows = async () => (await desk.api.rosters.overview.query()).rows;
const files = async () => (await readdir(join(folder, "stick")).catch(() => [])).sort();
const roomOf = (sheet: RosterSheet) => sheet.rooms.find(({ name }) => name === "1007");
const runIfDue = () => server.services.rosters.runIfDue();

describe("the sheet", () => {
  it("has every room with its guests and how long their keys work, and no number in full", async () => {
    const sheet = await desk.api.rosters.sheet.query();
    expect(sheet.rooms.length).toBeGreaterThan(1);
    expect(roomOf(sheet)?.stays).toEqual([
      expect.objectContaining({
        state: "checked_in",
        guests: [GUEST, "Jo Second"],
        cards: [{ number: "E5F6", validTo: expect.any(String), overTheAir: false }],
        codes: [],
        faces: 0,
      }),
    ]);
    expect(JSON.stringify(sheet)).not.toMatch(/04A1B2C3|DEAD/);
  });

  it("has tomorrow's arrivals and not those of the week after", async () => {
    const { roomId: other } = await desk.api.rooms.save.mutate({ name: "1008", groupId: null });
    const at = (hours: number) => new Date(server.clock.now().getTime() + hours * HOUR_MS).toISOString();
    for (const [name, from] of [
      ["Soon", 24],
      ["Later", 24 * 7],
    ] as const) {
      const stay = { roomId: other, unit: "day" as const, agreedTotalMinor: 100, guests: [{ name }] };
      await desk.api.stays.reserve.mutate({ ...stay, startsAt: at(from), endsAt: at(from + 24) });
    }
    const { rooms } = await desk.api.rosters.sheet.query();
    const stays = rooms.find(({ name }) => name === "1008")?.stays;
    expect(stays?.map(({ state, guests }) => [state, ...guests])).toEqual([["reserved", "Soon"]]);
  });

  it("shows staff their own rooms, and keys only with the permission to see them", async () => {
    const clerk = await server.createOperator(hotel.hotel, {
      role: "staff",
      capabilities: ["stays.view"],
      roomIds: [roomId],
    });
    const { rooms } = await (await server.loginAs(clerk)).api.rosters.sheet.query();
    expect(rooms.map(({ name }) => name)).toEqual(["1007"]);
    expect(rooms[0]?.stays[0]).toMatchObject({ cards: null, codes: null, faces: null });
  });
});

describe("what the browser keeps of cards", () => {
  it("is the end of the numbers that work, of the reader's own rooms", async () => {
    const own = { roomName: "1007", number: "E5F6", validTo: expect.any(String) };
    expect(await desk.api.rosters.cardEndings.query()).toContainEqual(own);
    const staff = async (capabilities: ("cards.view" | "stays.view")[], roomIds: number[]) => {
      const clerk = await server.createOperator(hotel.hotel, { role: "staff", capabilities, roomIds });
      return (await server.loginAs(clerk)).api.rosters.cardEndings.query();
    };
    expect(await staff(["cards.view"], [roomId])).toEqual([own]);
    expect(await staff(["cards.view"], [])).toEqual([]);
    expect(await failure(staff(["stays.view"], [roomId]))).toMatchObject({ code: "no_permission" });
  });
});

describe("a sealed file", () => {
  it("is made only once there is somebody to seal it for", async () => {
    expect(await failure(desk.api.rosters.make.mutate())).toMatchObject({ code: "state_conflict" });
    await pass(14);
    await runIfDue();
    expect(await rows()).toEqual([]);
  });

  it("refuses a key that only looks like one", async () => {
    const wrong = `${key.recipient.slice(0, -1)}${key.recipient.endsWith("q") ? "p" : "q"}`;
    expect(await failure(settings({ recipients: [wrong] }))).toMatchObject({
      code: "invalid_input",
      fields: { recipients: { key: "validation.ageRecipient" } },
    });
  });

  it("opens with each recipient's key and no other, is downloaded as it was stored, and is in the audit", async () => {
    await settings({ recipients: [key.recipient, second.recipient] });
    const { rosterId } = await desk.api.rosters.make.mutate();
    const answer = await desk.http("GET", `/api/rosters/${rosterId}/file`);
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.includes(Buffer.from("Ines"))).toBe(false);
    const path = join(folder, "downloaded.age");
    await writeFile(path, answer.rawPayload);
    for (const { identity } of [key, second]) {
      const { sheet, page } = await openRoster(path, identity);
      expect(roomOf(sheet)?.stays[0]?.guests).toEqual([GUEST, "Jo Second"]);
      expect(page).toContain("Ines &#60;Roster&#62;");
      expect(
        printRoster(sheet)
          .rows.find(([room]) => room === "1007")
          ?.at(-1),
      ).toMatch(/^card ••••E5F6, until /);
    }
    await expect(openRoster(path, (await makeBackupKey()).identity)).rejects.toThrow(/another key/);
    expect(await readFile(join(folder, "stick", (await rows())[0]?.fileName ?? ""))).toEqual(answer.rawPayload);
    const { rows: audit } = await desk.api.audit.list.query({ limit: 10 });
    const actions = audit.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(["roster.settings", "roster.make", "roster.download"]));
  });

  it("is not there for another hotel or for staff", async () => {
    const [row] = await rows();
    const elsewhere = await server.createOperator(await server.createHotel(), { role: "owner" });
    const stranger = await server.loginAs(elsewhere);
    expect((await stranger.http("GET", `/api/rosters/${row?.id}/file`)).statusCode).toBe(404);
    expect((await stranger.api.rosters.overview.query()).rows).toEqual([]);
    const clerk = await server.createOperator(hotel.hotel, {
      role: "staff",
      capabilities: ["stays.view", "exports.make"],
    });
    expect((await (await server.loginAs(clerk)).http("GET", `/api/rosters/${row?.id}/file`)).statusCode).toBe(403);
  });
});

describe("each night", () => {
  it("one is made from the hotel's hour on, and the oldest are deleted here and in the folder", async () => {
    await settings({ keep: 2 });
    const { timeZone } = await desk.api.hotel.get.query();
    const clockTime = () => toLocalInput(server.clock.now().toISOString(), timeZone).slice(11);
    const nights = async () => (await rows()).filter(({ night }) => night !== null);
    while (!clockTime().startsWith("21")) await pass(1);
    await runIfDue();
    const before = (await nights()).length;
    await pass(1);
    await Promise.all([runIfDue(), runIfDue()]);
    expect((await nights()).length - before).toBe(1);
    for (let night = 0; night < 3; night += 1) {
      await pass(24);
      await runIfDue();
    }
    const left = await rows();
    expect(left.map(({ night }) => night)).toHaveLength(2);
    expect(left.every(({ copiedAt, madeBy }) => copiedAt !== null && madeBy === null)).toBe(true);
    expect(await files()).toEqual(left.map(({ fileName }) => fileName).sort());
  });

  it("one that was missed in the evening is made in the morning, once", async () => {
    await settings({ keep: 10 });
    const { timeZone } = await desk.api.hotel.get.query();
    const local = () => toLocalInput(server.clock.now().toISOString(), timeZone);
    await runIfDue();
    do await pass(1);
    while (!local().slice(11).startsWith("21"));
    const evening = local().slice(0, 10);
    const made = async () => (await rows()).filter(({ night }) => night === evening).length;
    await pass(10);
    expect(await made()).toBe(0);
    await runIfDue();
    await runIfDue();
    expect(await made()).toBe(1);
  });

  it("a file that can't be written is shown, and follows once it can", async () => {
    await rm(join(folder, "stick"), { recursive: true });
    await writeFile(join(folder, "stick"), "in the way");
    const { rosterId } = await desk.api.rosters.make.mutate();
    const made = async () => (await rows()).find(({ id }) => id === rosterId);
    expect(await made()).toMatchObject({ copiedAt: null, hasCopyFailed: true });
    await rm(join(folder, "stick"));
    await runIfDue();
    expect(await made()).toMatchObject({ copiedAt: expect.any(String), hasCopyFailed: false });
    expect(await files()).toContain((await made())?.fileName);
  });

  it("nothing is deleted from the folder that isn't a roster of this hotel", async () => {
    await writeFile(join(folder, "stick", "holiday.jpg"), "");
    await writeFile(join(folder, "stick", "roster-999999-20260101T000000Z.tar.gz.age"), "");
    await desk.api.rosters.make.mutate();
    expect(await files()).toEqual(expect.arrayContaining(["holiday.jpg", "roster-999999-20260101T000000Z.tar.gz.age"]));
  });
});

describe("the command", () => {
  const run = promisify(execFile);
  const roster = (...args: string[]) =>
    run("npx", ["tsx", join(import.meta.dirname, "../../../cli/roster.ts"), ...args], {
      env: { ...process.env, DATA_DIR: join(folder, "data") },
    });

  it("prints a file without the server, and writes its page", async () => {
    const [row] = await rows();
    const file = join(folder, "stick", row?.fileName ?? "");
    const keyFile = join(folder, "key");
    await writeKeyFile(keyFile, key, new Date());
    const { stdout } = await roster("open", file, "--key", keyFile);
    expect(stdout).toContain(`1007\t${english.status.checked_in}\t${GUEST}, Jo Second\t`);
    await roster("open", file, "--key", keyFile, "--to", join(folder, "page"));
    expect(await readFile(join(folder, "page/roster.html"), "utf8")).toContain("<table>");
    await expect(roster("open", keyFile, "--key", keyFile)).rejects.toMatchObject({
      stderr: expect.stringContaining("is not a roster"),
    });
  });
});
