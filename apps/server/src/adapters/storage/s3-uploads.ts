import { removeObject, type S3Bucket } from "./s3-client.ts";
import type { DirectUploads } from "./upload-storage.ts";

const AT_ONCE = 1000;

/**
 * Uploads that clients send directly to the bucket. The link is for one key, type and size: both headers are signed, so
 * the store refuses more bytes than were announced (unlike a signed form, every store supports this).
 */
export function s3Uploads(bucket: S3Bucket, prefix: string): DirectUploads {
  return {
    async sendTo(key, { contentType, size }, seconds) {
      const signed = { "content-type": contentType, "content-length": String(size) };
      const url = await bucket.getPresignedUrl("PUT", key, seconds, {}, signed);
      // Clients set the length themselves; browsers do not allow scripts to set it.
      return { url, headers: { "content-type": contentType } };
    },
    async read(key, most) {
      const response = await bucket.getObjectResponse(key);
      if (!response) return null;
      const size = Number(response.headers.get("content-length") ?? most + 1);
      if (size > most) {
        await response.body?.cancel();
        throw new RangeError(`${key} has ${size} bytes`);
      }
      return Buffer.from(await response.arrayBuffer());
    },
    remove: (key) => removeObject(bucket, key),
    async sweep(before) {
      let from: string | undefined;
      do {
        const page = await bucket.listObjectsPaged("/", `${prefix}/`, AT_ONCE, from);
        for (const { Key, LastModified } of page?.objects ?? []) {
          if (LastModified < before) await removeObject(bucket, Key);
        }
        from = page?.nextContinuationToken;
      } while (from !== undefined);
    },
  };
}
