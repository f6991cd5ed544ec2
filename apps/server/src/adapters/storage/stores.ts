import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as delay } from "node:timers/promises";
import { S3mini } from "s3mini";
import { z } from "zod";
import {
  type DirectUploads,
  diskFiles,
  diskUploads,
  FILE_ID,
  type LargeFileStorage,
  type UploadStorage,
} from "./storage.ts";

/** A bucket of an S3-compatible store. */
export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
  /** the bucket's name is in the path, as in most self-hosted stores; otherwise it is part of the host name */
  pathStyle: boolean;
}

type S3Bucket = S3mini;

/** Time limit until the store has received the request and starts to answer; the answer itself may take longer. */
const ANSWER_MS = 20_000;
const PAUSES_MS = [200, 1_000];

export function s3Bucket(settings: S3Settings): S3Bucket {
  return new S3mini({
    accessKeyId: settings.accessKey,
    secretAccessKey: settings.secretKey,
    region: settings.region,
    endpoint: bucketUrl(settings),
    fetch: fetchWithRetries,
  });
}

function bucketUrl({ endpoint, bucket, pathStyle }: S3Settings): string {
  const url = new URL(endpoint);
  if (pathStyle) url.pathname = `${url.pathname.replace(/\/$/, "")}/${bucket}`;
  else url.host = `${bucket}.${url.host}`;
  return url.href;
}

/**
 * Retries when the store is too busy or the connection is lost. Never retries a POST, since the first may have
 * succeeded.
 */
async function fetchWithRetries(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const pauses = init?.method === "POST" ? [] : PAUSES_MS;
  for (const pause of pauses) {
    const response = await fetchWithTimeout(input, init).catch((error: unknown) => {
      if (error instanceof DOMException) throw error;
      return null;
    });
    if (response && response.status !== 429 && response.status < 500) return response;
    await response?.body?.cancel();
    await delay(pause);
  }
  return fetchWithTimeout(input, init);
}

async function fetchWithTimeout(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ANSWER_MS);
  try {
    return await fetch(input, { ...init, signal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Removes an object; succeeds if it does not exist. */
async function removeObject(bucket: S3Bucket, key: string): Promise<void> {
  await bucket.deleteObject(key).catch((error: { status?: number }) => {
    if (error.status !== 404) throw error;
  });
}

const LIST_PAGE_SIZE = 1000;

/**
 * Uploads that clients send directly to the bucket. The link is for one key, type and size: both headers are signed, so
 * the store refuses more bytes than were announced (unlike a signed form, every store supports this).
 */
function s3Uploads(bucket: S3Bucket, prefix: string): DirectUploads {
  return {
    async presignUpload(key, { contentType, size }, seconds) {
      const signedHeaders = { "content-type": contentType, "content-length": String(size) };
      const url = await bucket.getPresignedUrl("PUT", key, seconds, {}, signedHeaders);
      // Clients set the length themselves; browsers do not allow scripts to set it.
      return { url, headers: { "content-type": contentType } };
    },
    async read(key, maxBytes) {
      const response = await bucket.getObjectResponse(key);
      if (!response) return null;
      const size = Number(response.headers.get("content-length") ?? maxBytes + 1);
      if (size > maxBytes) {
        await response.body?.cancel();
        throw new RangeError(`${key} has ${size} bytes`);
      }
      return Buffer.from(await response.arrayBuffer());
    },
    remove: (key) => removeObject(bucket, key),
    async sweep(before) {
      let from: string | undefined;
      do {
        const page = await bucket.listObjectsPaged("/", `${prefix}/`, LIST_PAGE_SIZE, from);
        for (const { Key, LastModified } of page?.objects ?? []) {
          if (LastModified < before) await removeObject(bucket, Key);
        }
        from = page?.nextContinuationToken;
      } while (from !== undefined);
    },
  };
}

/** A file in one part needs one request; S3 requires at least 5 MiB for all parts but the last. */
const PART_BYTES = 8 * 1024 * 1024;

/** Stores files in a bucket, named by their id below a prefix. */
export function s3Files(bucket: S3Bucket, prefix: string): LargeFileStorage {
  const keyOf = (id: string): string => {
    if (!FILE_ID.test(id)) throw new Error(`${id} is not a file id`);
    return `${prefix}/${id}`;
  };
  return {
    write: (id, bytes) => put(bucket, keyOf(id), bytes),
    save: (id, parts) => putParts(bucket, keyOf(id), parts),
    async read(id) {
      const response = await bucket.getObjectResponse(keyOf(id));
      if (!response) return null;
      return response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]);
    },
    async remove(id) {
      const key = keyOf(id);
      await removeObject(bucket, key);
      for (const uploadId of await listUnfinishedUploads(bucket, key)) await bucket.abortMultipartUpload(key, uploadId);
    },
  };
}

async function put(bucket: S3Bucket, key: string, bytes: Uint8Array): Promise<void> {
  const response = await bucket.putObject(key, bytes);
  await response.body?.cancel();
}

async function putParts(bucket: S3Bucket, key: string, parts: AsyncIterable<Uint8Array>): Promise<number> {
  const uploadedParts: { partNumber: number; etag: string }[] = [];
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
      uploadedParts.push(await bucket.uploadPart(key, uploadId, block, uploadedParts.length + 1));
    }
    // The store may fail after it has sent status 200: then the body has an error instead of an ETag.
    const { etag } = await bucket.completeMultipartUpload(key, uploadId ?? "", uploadedParts);
    if (!etag) throw new Error(`the store did not complete the upload of ${key}`);
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
async function listUnfinishedUploads(bucket: S3Bucket, key: string): Promise<string[]> {
  const answer: unknown = await bucket.listMultipartUploads("/", "", "GET", { prefix: key });
  const pending = uploads.safeParse(answer).data?.ListMultipartUploadsResult.Upload ?? [];
  return pending.filter(({ Key }) => Key === key).map(({ UploadId }) => UploadId);
}

export interface Stores {
  storage: LargeFileStorage;
  exportStorage: LargeFileStorage;
  uploadStorage: UploadStorage;
  /** null: all files are on disk */
  bucket: S3Bucket | null;
}

/** Opens the storage for files beside the database: pictures, exports and uploads, on disk or in an object store. */
export function openStores({ dataDir, s3 }: { dataDir: string; s3: S3Settings | undefined }): Stores {
  if (!s3) {
    return {
      storage: diskFiles(join(dataDir, "files")),
      exportStorage: diskFiles(join(dataDir, "exports")),
      uploadStorage: diskUploads(dataDir, "uploads"),
      bucket: null,
    };
  }
  const bucket = s3Bucket(s3);
  return {
    storage: s3Files(bucket, "files"),
    exportStorage: s3Files(bucket, "exports"),
    uploadStorage: s3Uploads(bucket, "uploads"),
    bucket,
  };
}
