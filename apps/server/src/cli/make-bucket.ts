import { setTimeout as delay } from "node:timers/promises";
import { s3Bucket } from "../adapters/storage/stores.ts";
import { loadConfig } from "../config.ts";

const TRIES = 30;
const PAUSE_MS = 1_000;

// Creates the bucket S3_BUCKET if it doesn't exist; waits half a minute for a store that has just started.
try {
  const { s3 } = loadConfig(process.env, []);
  if (!s3) throw new Error("No object store is set: S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY.");
  const bucket = s3Bucket(s3);
  const there = async (): Promise<boolean> => (await bucket.bucketExists()) || (await bucket.createBucket());
  for (let attempt = 1; !(await there().catch(() => false)); attempt += 1) {
    if (attempt === TRIES) throw new Error(`The bucket ${s3.bucket} is not there and can't be made.`);
    await delay(PAUSE_MS);
  }
  console.log(`The bucket ${s3.bucket} is there.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
