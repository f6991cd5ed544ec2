import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { oneFace } from "../../../../test/harness/face-pictures.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { unlimited } from "../../../../test/harness/unlimited.ts";
import { diskFiles } from "../../../adapters/storage/storage.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { requireFacePicture } from "../../access/faces/faces.queries.ts";
import { FileStore } from "../../files/files.service.ts";
import { list } from "../staff/staff.queries.ts";
import { me } from "./auth.service.ts";
import { saveOwnProfile } from "./own-account.ts";

let world: TestWorld;
let hotel: TestHotel;
let directory: string;
let files: FileStore;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
  directory = await mkdtemp(join(tmpdir(), "innkey-avatars-"));
  files = new FileStore(diskFiles(directory), unlimited, requireFacePicture, oneFace);
});
afterAll(async () => {
  await world.close();
  await rm(directory, { recursive: true });
});
beforeEach(async () => {
  hotel = await world.createHotel();
});

/** Adds a member to the hotel and returns their scope. */
async function employ(at = hotel, role: "owner" | "staff" = "owner"): Promise<Scope> {
  const scope = await at.scope(role);
  const data = { hotelId: at.id, operatorId: scope.actor.id ?? 0, role, capabilities: [] };
  await world.database.prisma.membership.create({ data });
  return scope;
}
const upload = async (scope: Scope) => {
  const image = sharp({ create: { width: 900, height: 600, channels: 3, background: "red" } });
  return files.store(scope, "avatar", await image.png().toBuffer());
};
const save = (scope: Scope, name: string, avatarFileId: string | null) =>
  saveOwnProfile(scope, files, { name, avatarFileId });
const storedFiles = async (): Promise<string[]> =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((f) => f.isFile()).map((f) => f.name);

describe("one's own profile", () => {
  it("is a name and a picture that colleagues see, and needs no permission", async () => {
    const clerk = await employ(hotel, "staff");
    const avatar = await upload(clerk);
    expect(avatar).toMatchObject({ width: 512, height: 341 });
    await save(clerk, "Ada", avatar.id);
    expect(await me(clerk)).toMatchObject({ avatarUrl: `/files/${avatar.id}` });
    const owner = await employ();
    expect(await list(owner)).toContainEqual(
      expect.objectContaining({ name: "Ada", avatarUrl: `/files/${avatar.id}` }),
    );
    (await files.open(owner, avatar.id)).content.destroy();
    const where = { hotelId: hotel.id, action: "operator.profile" };
    expect(await world.database.prisma.auditEntry.findMany({ where })).toMatchObject([
      { entityId: String(clerk.actor.id), before: { avatarFileId: null }, after: { name: "Ada" } },
    ]);
    await save(clerk, "Ada", avatar.id);
    expect(await world.database.prisma.auditEntry.count({ where })).toBe(1);
  });

  it("says which page opens after the login, for this person only", async () => {
    const [clerk, colleague] = [await employ(hotel, "staff"), await employ()];
    expect(await me(clerk)).toMatchObject({ startPage: "customers" });
    await saveOwnProfile(clerk, files, { name: "Ada", avatarFileId: null, startPage: "today" });
    await save(clerk, "Ada B", null);
    expect(await me(clerk)).toMatchObject({ startPage: "today" });
    expect(await me(colleague)).toMatchObject({ startPage: "customers" });
  });

  it("leaves nothing behind of a picture that was replaced, removed, or never used", async () => {
    const clerk = await employ();
    const first = await upload(clerk);
    await save(clerk, "Ada", first.id);
    const unused = await upload(clerk);
    const second = await upload(clerk);
    expect(await storedFiles()).toEqual(expect.arrayContaining([first.id, second.id]));
    expect(await storedFiles()).not.toContain(unused.id);
    await expect(save(clerk, "Ada", unused.id)).rejects.toMatchObject({ code: "not_found" });
    await save(clerk, "Ada", second.id);
    expect(await storedFiles()).not.toContain(first.id);
    await save(clerk, "Ada", null);
    expect(await storedFiles()).not.toContain(second.id);
    expect(await world.database.prisma.storedFile.count({ where: { hotelId: hotel.id } })).toBe(0);
    expect(await me(clerk)).toMatchObject({ avatarUrl: null });
  });

  it("refuses another person's picture, and one of a room or a face", async () => {
    const [clerk, colleague] = [await employ(), await employ()];
    const { id: colleaguePictureId } = await upload(colleague);
    const room = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const { id: roomId } = await files.store(clerk, "room", room);
    const stranger = await upload(await employ(await world.createHotel()));
    for (const id of [colleaguePictureId, roomId, stranger.id]) {
      await expect(save(clerk, "Ada", id)).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(files.open(clerk, stranger.id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is shown in every hotel its person works for, and in no other", async () => {
    const elsewhere = await world.createHotel();
    const clerk = await employ();
    const data = { hotelId: elsewhere.id, operatorId: clerk.actor.id ?? 0, role: "staff" as const, capabilities: [] };
    const { id } = await upload(clerk);
    await save(clerk, "Ada", id);
    const colleague = await employ(elsewhere);
    await expect(files.open(colleague, id)).rejects.toMatchObject({ code: "not_found" });
    await world.database.prisma.membership.create({ data });
    (await files.open(colleague, id)).content.destroy();
  });
});
