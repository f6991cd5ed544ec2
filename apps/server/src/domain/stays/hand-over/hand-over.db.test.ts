import { MAX_OPEN_NOTES } from "@innkey/shared/limits";
import { addNoteInput } from "@innkey/shared/schemas/stays/hand-over";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { deleteOldNotes } from "./hand-over.jobs.ts";
import { add, list, markRead, setDone, waiting } from "./hand-over.service.ts";

let world: TestWorld;
let hotel: TestHotel;
/** Two people of the night and the day, who see every room, and a housekeeper who sees one. */
let night: Scope;
let day: Scope;
let keeper: Scope;
let roomId: number;
let otherRoomId: number;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T06:00:00.000Z");
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-18T06:00:00.000Z");
  hotel = await world.createHotel();
  [roomId, otherRoomId] = [await hotel.createRoom("101"), await hotel.createRoom("102")];
  night = await hotel.scope();
  day = await hotel.scope("administrator");
  keeper = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [roomId] });
});

const write = (input: z.input<typeof addNoteInput>, scope = night) => add(scope, addNoteInput.parse(input));
const openTexts = async (scope: Scope) => (await list(scope)).open.map(({ text }) => text);
const code = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: { code?: string }) => error.code,
  );
const audit = () =>
  world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id }, orderBy: { seq: "asc" } });

describe("a hand-over note", () => {
  it("is on the list of the next shift with its author, room and time, and new to everybody but its author", async () => {
    const { id } = await write({ text: "Wake up at seven", roomId, dueAt: "2026-11-18T07:00:00+01:00" });
    const [note] = (await list(day)).open;
    expect(note).toEqual({
      id,
      text: "Wake up at seven",
      roomId,
      roomName: "101",
      dueAt: "2026-11-18T06:00:00.000Z",
      authorName: night.actor.name,
      createdAt: "2026-11-18T06:00:00.000Z",
      doneAt: null,
      doneByName: null,
      unread: true,
    });
    expect((await list(night)).open).toMatchObject([{ id, unread: false }]);
  });

  it("comes first if it has a time, and then by age, the newest first", async () => {
    for (const text of ["old", "new"]) await write({ text });
    await write({ text: "late", dueAt: "2026-11-18T20:00:00.000Z" });
    await write({ text: "soon", dueAt: "2026-11-18T08:00:00.000Z" });
    expect(await openTexts(day)).toEqual(["soon", "late", "new", "old"]);
  });

  it("waits for each person until they read it, and again once it is due, until it is done", async () => {
    const { id } = await write({ text: "Call the plumber", dueAt: "2026-11-18T09:00:00.000Z" });
    expect([await waiting(night), await waiting(day), await waiting(keeper)]).toEqual([
      { waiting: 0 },
      { waiting: 1 },
      { waiting: 1 },
    ]);
    expect(await markRead(day, { ids: [id] })).toEqual({ changed: 1 });
    expect(await markRead(day, { ids: [id] })).toEqual({ changed: 0 });
    expect([await waiting(day), await waiting(keeper)]).toEqual([{ waiting: 0 }, { waiting: 1 }]);
    world.clock.set("2026-11-18T09:00:00.000Z");
    expect([await waiting(night), await waiting(day)]).toEqual([{ waiting: 1 }, { waiting: 1 }]);
    await setDone(day, { id, done: true });
    expect([await waiting(night), await waiting(keeper)]).toEqual([{ waiting: 0 }, { waiting: 0 }]);
  });

  it("is ticked off with name and time, and can be opened again; doing so twice changes nothing", async () => {
    const { id } = await write({ text: "Fold the towels", roomId });
    world.clock.advance(60_000);
    await setDone(day, { id, done: true });
    await setDone(night, { id, done: true });
    const { open, done } = await list(night);
    expect(open).toEqual([]);
    expect(done).toMatchObject([{ id, doneAt: "2026-11-18T06:01:00.000Z", doneByName: day.actor.name }]);
    await setDone(night, { id, done: false });
    expect(await list(night)).toMatchObject({ open: [{ id, doneAt: null, doneByName: null }], done: [] });
    expect((await audit()).map(({ action, after }) => ({ action, after }))).toEqual([
      { action: "handOver.add", after: { text: "***", room: "101", dueAt: null } },
      { action: "handOver.done", after: { room: "101" } },
      { action: "handOver.reopen", after: { room: "101" } },
    ]);
  });

  it("about a room is only for those who see the room", async () => {
    const about = await write({ text: "About 102", roomId: otherRoomId });
    await write({ text: "About the hotel" });
    await write({ text: "About 101", roomId }, keeper);
    expect(await openTexts(keeper)).toEqual(["About 101", "About the hotel"]);
    expect(await waiting(keeper)).toEqual({ waiting: 1 });
    expect(await markRead(keeper, { ids: [about.id] })).toEqual({ changed: 0 });
    expect(await code(setDone(keeper, { id: about.id, done: true }))).toBe("not_found");
    expect(await code(write({ text: "x", roomId: otherRoomId }, keeper))).toBe("not_found");
  });

  it("names a room that was removed, without leading there", async () => {
    await write({ text: "Where is the key?", roomId });
    await world.database.prisma.room.update({ where: { id: roomId }, data: { deletedAt: world.clock.now() } });
    expect((await list(day)).open).toMatchObject([{ roomName: "101", roomId: null }]);
    expect(await code(write({ text: "x", roomId }))).toBe("not_found");
  });

  it("doesn't exist for another hotel, for somebody who doesn't see the board, or for programs", async () => {
    const { id } = await write({ text: "Secret" });
    const stranger = await (await world.createHotel()).scope();
    expect(await openTexts(stranger)).toEqual([]);
    expect(await markRead(stranger, { ids: [id] })).toEqual({ changed: 0 });
    expect(await code(setDone(stranger, { id, done: true }))).toBe("not_found");
    expect(await code(write({ text: "x", roomId }, stranger))).toBe("not_found");
    const outsider = await hotel.scope("staff", { capabilities: ["stays.view"] });
    for (const scope of [outsider, hotel.keyScope(["rooms.view"])]) {
      const calls = [list(scope), waiting(scope), write({ text: "x" }, scope), setDone(scope, { id, done: true })];
      expect(await Promise.all(calls.map(code))).toEqual(Array.from({ length: 4 }, () => "no_permission"));
      expect(await code(markRead(scope, { ids: [id] }))).toBe("no_permission");
    }
  });

  it("is refused while too many are open", async () => {
    const { hotelId, operatorId } = night;
    const row = { hotelId, authorId: operatorId ?? 0, text: "x", createdAt: world.clock.now() };
    await world.database.prisma.handOverNote.createMany({ data: Array.from({ length: MAX_OPEN_NOTES }, () => row) });
    expect(await code(write({ text: "One too many" }))).toBe("too_many_notes");
    const [first] = (await list(night)).open;
    await setDone(night, { id: first?.id ?? 0, done: true });
    expect(await code(write({ text: "Fits again" }))).toBeNull();
  });

  it("is deleted a month after it was done, with who read it, and not before", async () => {
    const { id: old } = await write({ text: "Old" });
    await markRead(day, { ids: [old] });
    await setDone(day, { id: old, done: true });
    const { id: open } = await write({ text: "Open" });
    world.clock.advance(29 * 86_400_000);
    const { id: fresh } = await write({ text: "Fresh" });
    await setDone(day, { id: fresh, done: true });
    const ids = async () =>
      (await world.database.prisma.handOverNote.findMany({ where: { hotelId: hotel.id }, orderBy: { id: "asc" } })).map(
        (note) => note.id,
      );
    await deleteOldNotes(world);
    expect(await ids()).toEqual([old, open, fresh]);
    world.clock.advance(2 * 86_400_000);
    await deleteOldNotes(world);
    expect(await ids()).toEqual([open, fresh]);
  });
});
