import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oneFace } from "../../../test/harness/face-pictures.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import { unlimited } from "../../../test/harness/unlimited.ts";
import { diskFiles, type FileStorage } from "../../adapters/storage/storage.ts";
import type { Scope } from "../../kernel/scope.ts";
import { requireFacePicture } from "../access/faces/faces.queries.ts";
import { FileStore } from "./files.service.ts";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let directory: string;
let storage: FileStorage;
let files: FileStore;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
  hotel = await world.createHotel();
  owner = await hotel.scope();
  directory = await mkdtemp(join(tmpdir(), "innkey-files-"));
  storage = diskFiles(directory);
  files = new FileStore(storage, unlimited, requireFacePicture, oneFace);
});
afterAll(async () => {
  await world.close();
  await rm(directory, { recursive: true });
});

const RED = { r: 255, g: 0, b: 0 };
const BLUE = { r: 0, g: 0, b: 255 };

/** 400 × 200, its left half red, its right half blue. */
const redAndBlue = () =>
  sharp({ create: { width: 400, height: 200, channels: 3, background: RED } }).composite([
    { input: { create: { width: 200, height: 200, channels: 3, background: BLUE } }, left: 200, top: 0 },
  ]);

/** A few hundred bytes that claim to be 20,000 × 20,000 pixels. */
function bomb(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(20_000, 0);
  header.writeUInt32BE(20_000, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const rows = deflateSync(Buffer.alloc(20_000 * 2_501));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

const blankProgressive = () =>
  sharp({ create: { width: 400, height: 200, channels: 3, background: "tan" } })
    .jpeg({ progressive: true })
    .toBuffer();

/** A complete progressive JPEG with `count` more scans than it needs, each with one more bit of a value, after `before`. */
async function withScans(count: number, before = ""): Promise<Buffer> {
  const whole = await blankProgressive();
  const start = whole.indexOf(Buffer.from("ffda000801", "hex"));
  let end = start + 10;
  while (whole[end] !== 0xff || whole[end + 1] === 0) end++;
  const scans = Array.from({ length: count }, (_, index) => {
    const scan = Buffer.from(whole.subarray(start, end));
    const [value, bit] = [1 + Math.floor(index / 14), 13 - (index % 14)];
    scan.set([value, value, (bit === 13 ? 0 : (bit + 1) << 4) | bit], 7);
    return Buffer.concat([Buffer.from(before, "hex"), scan]);
  });
  return Buffer.concat([whole.subarray(0, start), ...scans, Buffer.from("ffd9", "hex")]);
}

const filesOnDisk = async (): Promise<number> =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((f) => f.isFile()).length;

describe("pictures", () => {
  it("are rotated upright and stripped of the camera's metadata", async () => {
    // Orientation 6: hold it a quarter turn clockwise; the left half becomes the top.
    const upload = await redAndBlue()
      .withExif({ IFD0: { Artist: "Somebody" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(upload).metadata()).exif).toBeDefined();
    const stored = await files.store(owner, "room", upload);
    expect(stored).toMatchObject({ url: `/files/${stored.id}`, width: 200, height: 400 });
    const { contentType, sizeBytes, content } = await files.open(owner, stored.id);
    const bytes = await buffer(content);
    expect({ contentType, sizeBytes }).toEqual({ contentType: "image/webp", sizeBytes: bytes.length });
    const { exif, orientation, icc, format } = await sharp(bytes).metadata();
    expect({ exif, orientation, icc, format }).toEqual({
      exif: undefined,
      orientation: undefined,
      icc: undefined,
      format: "webp",
    });
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
    expect(pixel(100, 50)[0]).toBeGreaterThan(200);
    expect(pixel(100, 350)[2]).toBeGreaterThan(200);
  });

  it("are reduced to 1600 px a side, and never enlarged", async () => {
    const large = await sharp({ create: { width: 3200, height: 800, channels: 3, background: RED } })
      .png()
      .toBuffer();
    expect(await files.store(owner, "room", large)).toMatchObject({ width: 1600, height: 400 });
    expect(await files.store(owner, "room", await redAndBlue().gif().toBuffer())).toMatchObject({
      width: 400,
      height: 200,
    });
  });

  it("are refused when they are not pictures, broken, vector graphics or too many pixels, and leave nothing behind", async () => {
    const before = await filesOnDisk();
    const whole = await redAndBlue().jpeg().toBuffer();
    const refused = {
      text: Buffer.from("GIF89a not really"),
      page: Buffer.from("<html><script>alert(1)</script></html>"),
      drawing: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
      ),
      half: whole.subarray(0, whole.length / 2),
      nothing: Buffer.alloc(0),
      bomb: bomb(),
    };
    for (const [name, upload] of Object.entries(refused)) {
      await expect(files.store(owner, "room", upload), name).rejects.toMatchObject({ code: "file_not_image" });
    }
    expect(await filesOnDisk()).toBe(before);
  });

  it("are refused before they are decoded if a JPEG has many scans, each of which passes over the whole picture", async () => {
    const refused = {
      plain: await withScans(42),
      endInComment: await withScans(42, "fffe0004ffd9"),
      filled: await withScans(42, "ffffffff"),
    };
    const cause = expect.objectContaining({ message: expect.stringContaining("scans") });
    for (const [name, upload] of Object.entries(refused)) {
      // Only the count is wrong.
      expect(await sharp(upload, { failOn: "warning" }).stats(), name).toMatchObject({ isOpaque: true });
      for (const kind of ["room", "avatar", "logo", "face"] as const) {
        const refusal = files.store(owner, kind, upload);
        await expect(refusal, name).rejects.toMatchObject({ code: "file_not_image", cause });
      }
    }
  });

  it("are accepted as progressive JPEG, also with a thumbnail in the header or a film behind it", async () => {
    const photo = await blankProgressive();
    const scanLike = Buffer.from("ffda0002".repeat(100), "hex");
    const header = Buffer.concat([photo.subarray(0, 2), Buffer.from("ffe10192", "hex"), scanLike]);
    const upload = Buffer.concat([header, photo.subarray(2), scanLike]);
    expect(await files.store(owner, "room", upload)).toMatchObject({ width: 400, height: 200 });
    expect(await files.store(owner, "room", await withScans(14))).toMatchObject({ width: 400, height: 200 });
  });

  it("are not even parsed as vector graphics, because a small one can take minutes", async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg"><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>';
    const cause = expect.objectContaining({ message: expect.stringContaining("unsupported image format") });
    const refusal = files.store(owner, "avatar", Buffer.from(drawing));
    await expect(refusal).rejects.toMatchObject({ code: "file_not_image", cause });
  });

  it("leave no bytes when their row cannot be written", async () => {
    const before = await filesOnDisk();
    const otherScope = await (await world.createHotel()).scope();
    await world.database.prisma.hotel.delete({ where: { id: otherScope.hotelId } });
    await expect(files.store(otherScope, "room", await redAndBlue().png().toBuffer())).rejects.toThrow();
    expect(await filesOnDisk()).toBe(before);
  });

  it("are recorded in the audit log, and not found from another hotel", async () => {
    const { id } = await files.store(owner, "room", await redAndBlue().png().toBuffer());
    const rows = await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id, entityId: id } });
    expect(rows).toMatchObject([{ action: "file.store", actorId: owner.actor.id }]);
    const other = await (await world.createHotel()).scope();
    await expect(files.open(other, id)).rejects.toMatchObject({ code: "not_found" });
    const staff = await hotel.scope("staff");
    (await files.open(await hotel.scope("administrator"), id)).content.destroy();
    await expect(files.open(staff, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(files.store(staff, "room", Buffer.alloc(1))).rejects.toMatchObject({ code: "no_permission" });
  });
});
