import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { z } from "zod";
import { FILE_ID, type LargeFileStorage } from "./file-storage.ts";
import { removeObject, type S3Bucket } from "./s3-client.ts";

/** A file in one part needs one request; S3 requires at least 5 MiB for all parts but the last. */
const PART_BYTES = 8 * 1024 * 1024;

/** Stores files in a bucket, named by their id below a prefix. */
export function s3Files(bucket: S3Bucket, prefix: string): LargeFileStorage {
  const keyOf = (id: string): string => {
    if (!FILE_ID.test(id)) throw new Error(`${id} is no file id`);
    return `${prefix}/${id}`;
  };
  return {
    write: (id, bytes) => put(bucket, keyOf(id), bytes),
    save: (id, parts) => save(bucket, keyOf(id), parts),
    async read(id) {
      const response = await bucket.getObjectResponse(keyOf(id));
      if (!response) return null;
      return response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]);
    },
    async remove(id) {
      const key = keyOf(id);
      await removeObject(bucket, key);
      for (const uploadId of await unfinished(bucket, key)) await bucket.abortMultipartUpload(key, uploadId);
    },
  };
}

async function put(bucket: S3Bucket, key: string, bytes: Uint8Array): Promise<void> {
  const response = await bucket.putObject(key, bytes);
  await response.body?.cancel();
}

async function save(bucket: S3Bucket, key: string, parts: AsyncIterable<Uint8Array>): Promise<number> {
  const done: { partNumber: number; etag: string }[] = [];
  let uploadId: string | undefined;
  let size = 0;
  try {
    for await (const block of blocksOf(parts)) {
      size += block.length;
      if (uploadId === undefined && block.length < PART_BYTES) {
        await put(bucket, key, block);
        return size;
      }
      uploadId ??= await bucket.getMultipartUploadId(key);
      done.push(await bucket.uploadPart(key, uploadId, block, done.length + 1));
    }
    // The store may fail after it has sent status 200: then the body has an error instead of an ETag.
    const { etag } = await bucket.completeMultipartUpload(key, uploadId ?? "", done);
    if (!etag) throw new Error(`the store did not put ${key} together`);
    return size;
  } catch (error) {
    if (uploadId !== undefined) await bucket.abortMultipartUpload(key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Yields the same bytes in blocks of one size, the last one shorter; one empty block if there are no bytes. */
async function* blocksOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let blocks = 0;
  for await (const part of parts) {
    chunks.push(part);
    size += part.length;
    while (size >= PART_BYTES) {
      const all = Buffer.concat(chunks);
      yield all.subarray(0, PART_BYTES);
      chunks = [all.subarray(PART_BYTES)];
      size -= PART_BYTES;
      blocks += 1;
    }
  }
  if (size > 0 || blocks === 0) yield Buffer.concat(chunks);
}

const upload = z.object({ Key: z.string(), UploadId: z.string() });
const uploads = z.object({
  ListMultipartUploadsResult: z.object({
    Upload: z
      .union([upload.transform((one) => [one]), z.array(upload)])
      .optional()
      .default([]),
  }),
});

/** Returns the ids of the uploads that an interrupted process left unfinished under this key. */
async function unfinished(bucket: S3Bucket, key: string): Promise<string[]> {
  const answer: unknown = await bucket.listMultipartUploads("/", "", "GET", { prefix: key });
  const pending = uploads.safeParse(answer).data?.ListMultipartUploadsResult.Upload ?? [];
  return pending.filter(({ Key }) => Key === key).map(({ UploadId }) => UploadId);
}
