import { randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type S3Server, startS3Server } from "../../../test/processes/s3-server.ts";
import { openStores, s3Bucket, s3Files } from "./stores.ts";

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

let store: S3Server;
beforeEach(async () => {
  store = await startS3Server({ pageSize: 2 });
});
afterEach(() => store.close());

const stores = () => openStores({ dataDir: "/nowhere", s3: store.settings });

async function* partsOf(...sizes: number[]): AsyncGenerator<Buffer> {
  for (const size of sizes) yield randomBytes(size);
}

describe("files in a bucket", () => {
  it("are written, read and removed; a missing one reads as null", async () => {
    const { storage } = stores();
    const id = randomUUID();
    expect(await storage.read(id)).toBeNull();
    await storage.write(id, Buffer.from("a picture"));
    expect([...store.objects.keys()]).toEqual([`files/${id}`]);
    expect((await buffer((await storage.read(id)) ?? Readable.from([]))).toString()).toBe("a picture");
    await storage.remove(id);
    await storage.remove(id);
    expect(await storage.read(id)).toBeNull();
    await expect(storage.read("../../secret")).rejects.toThrow("is not a file id");
  });

  it("are saved completely from parts of any size, small files in one request, large ones in several", async () => {
    const { exportStorage } = stores();
    for (const sizes of [[], [0], [10, 20], [8 * MIB], [3 * MIB, 3 * MIB, 3 * MIB, 9 * MIB, 1]]) {
      const id = randomUUID();
      const parts: Buffer[] = [];
      for await (const part of partsOf(...sizes)) parts.push(part);
      const whole = Buffer.concat(parts);
      const from = async function* () {
        yield* parts;
      };
      expect(await exportStorage.save(id, from())).toBe(whole.length);
      expect(whole.equals(store.objects.get(`exports/${id}`)?.bytes ?? Buffer.alloc(1)), String(sizes)).toBe(true);
    }
    expect(store.unfinished.size).toBe(0);
  });

  it("leave nothing behind when their source or the store fails", async () => {
    const { exportStorage } = stores();
    const brokenParts = async function* () {
      yield* partsOf(9 * MIB);
      throw new Error("the list broke off");
    };
    await expect(exportStorage.save(randomUUID(), brokenParts())).rejects.toThrow("the list broke off");
    store.failures.push(200, 400);
    await expect(exportStorage.save(randomUUID(), partsOf(9 * MIB))).rejects.toThrow();
    expect([store.objects.size, store.unfinished.size]).toEqual([0, 0]);
  });

  it("are removed together with their unfinished uploads, and no other file's", async () => {
    const { exportStorage } = stores();
    const [id, other] = [randomUUID(), randomUUID()];
    const bucket = s3Bucket(store.settings);
    for (const key of [`exports/${id}`, `exports/${id}`, `exports/${other}`]) await bucket.getMultipartUploadId(key);
    await exportStorage.remove(id);
    expect([...store.unfinished.values()].map(({ key }) => key)).toEqual([`exports/${other}`]);
  });
});

describe("the store", () => {
  it("is asked again when it is busy, but not when it refuses", async () => {
    const { storage } = stores();
    const id = randomUUID();
    store.failures.push(503, 500);
    await storage.write(id, Buffer.from("x"));
    expect(store.requests).toHaveLength(3);
    const stranger = s3Files(s3Bucket({ ...store.settings, secretKey: "another" }), "files");
    await expect(stranger.write(id, Buffer.from("y"))).rejects.toThrow("SignatureDoesNotMatch");
    await expect(stranger.read(id)).rejects.toThrow("SignatureDoesNotMatch");
    expect(store.requests).toHaveLength(5);
    expect(store.objects.get(`files/${id}`)?.bytes.toString()).toBe("x");
  });

  it("is addressed by path or by host", () => {
    const endpointOf = (endpoint: string, pathStyle: boolean) =>
      s3Bucket({ ...store.settings, endpoint, pathStyle }).endpoint.href;
    expect(endpointOf("https://s3.example/", true)).toBe("https://s3.example/innkey-test");
    expect(endpointOf("https://store.example/storage/s3", true)).toBe("https://store.example/storage/s3/innkey-test");
    expect(endpointOf("https://s3.eu-central-1.amazonaws.com", false)).toBe(
      "https://innkey-test.s3.eu-central-1.amazonaws.com/",
    );
  });
});

describe("uploads into a bucket", () => {
  const key = `uploads/1/7/${randomUUID()}`;
  const send = (url: string, bytes: Buffer, contentType = "image/png") =>
    fetch(url, { method: "PUT", headers: { "content-type": contentType }, body: new Uint8Array(bytes) });

  it("are accepted by a link for one key, type and size until it expires", async () => {
    const { uploadStorage } = stores();
    if (!("presignUpload" in uploadStorage)) throw new Error("not a bucket");
    const { url, headers } = await uploadStorage.presignUpload(key, { contentType: "image/png", size: 5 }, 60);
    expect(headers).toEqual({ "content-type": "image/png" });
    expect((await send(url, Buffer.from("123456"))).status).toBe(403);
    expect((await send(url, Buffer.from("12345"), "text/html")).status).toBe(403);
    expect((await send(url.replace("/7/", "/8/"), Buffer.from("12345"))).status).toBe(403);
    expect((await send(url.replace("Expires=60", "Expires=600"), Buffer.from("12345"))).status).toBe(403);
    expect(store.objects.size).toBe(0);
    expect((await send(url, Buffer.from("12345"))).status).toBe(200);
    expect((await uploadStorage.read(key, 5))?.toString()).toBe("12345");
    await expect(uploadStorage.read(key, 4)).rejects.toThrow(RangeError);
    await uploadStorage.remove(key);
    expect(await uploadStorage.read(key, 5)).toBeNull();
  });

  it("are deleted when they are old, and nothing else is", async () => {
    const { storage, uploadStorage } = stores();
    const [old, fresh] = [new Date(Date.now() - 2 * DAY_MS), new Date()];
    for (let i = 0; i < 5; i += 1) {
      const modified = i % 2 === 0 ? old : fresh;
      store.objects.set(`uploads/1/7/${i}`, { bytes: Buffer.alloc(1), contentType: "image/png", modified });
    }
    const id = randomUUID();
    await storage.write(id, Buffer.alloc(1));
    const picture = store.objects.get(`files/${id}`);
    if (picture) picture.modified = old;
    await uploadStorage.sweep(new Date(Date.now() - DAY_MS));
    expect([...store.objects.keys()].sort()).toEqual([`files/${id}`, "uploads/1/7/1", "uploads/1/7/3"]);
  });
});
