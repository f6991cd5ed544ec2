import { setTimeout as delay } from "node:timers/promises";
import { S3mini } from "s3mini";

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

export type S3Bucket = S3mini;

/** Time limit until the store has received the request and starts to answer; the answer itself may take longer. */
const ANSWER_MS = 20_000;
const PAUSES_MS = [200, 1_000];

export function s3Bucket(settings: S3Settings): S3Bucket {
  return new S3mini({
    accessKeyId: settings.accessKey,
    secretAccessKey: settings.secretKey,
    region: settings.region,
    endpoint: bucketUrl(settings),
    fetch: patientFetch,
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
async function patientFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const pauses = init?.method === "POST" ? [] : PAUSES_MS;
  for (const pause of pauses) {
    const response = await answered(input, init).catch((error: unknown) => {
      if (error instanceof DOMException) throw error;
      return null;
    });
    if (response && response.status !== 429 && response.status < 500) return response;
    await response?.body?.cancel();
    await delay(pause);
  }
  return answered(input, init);
}

async function answered(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ANSWER_MS);
  try {
    return await fetch(input, { ...init, signal: patience.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Removes an object; succeeds if it does not exist. */
export async function removeObject(bucket: S3Bucket, key: string): Promise<void> {
  await bucket.deleteObject(key).catch((error: { status?: number }) => {
    if (error.status !== 404) throw error;
  });
}
