import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { S3Settings } from "../../src/adapters/storage/stores.ts";

/**
 * Checks AWS Signature Version 4 as a store does. It is written from the documentation alone (Amazon S3 API Reference,
 * "Authenticating Requests: Using the Authorization Header" and "Using Query Parameters"), so that it doesn't repeat
 * mistakes of the signing code.
 */
export interface SignedRequest {
  method: string;
  /** As received, including its query */
  target: string;
  headers: Readonly<Record<string, string | undefined>>;
}

interface SigningKey {
  accessKey: string;
  secretKey: string;
  region: string;
}

type Verdict = "right" | "AccessDenied" | "SignatureDoesNotMatch" | "RequestTimeTooSkewed" | "InvalidAccessKeyId";

interface Claim {
  credential: string;
  signedHeaders: string[];
  signature: string;
  /** 20130524T000000Z */
  date: string;
  payloadHash: string;
  query: [string, string][];
}

const SKEW_MS = 15 * 60_000;
const UNSIGNED = "UNSIGNED-PAYLOAD";

export function verdictOn(request: SignedRequest, key: SigningKey, now: Date): Verdict {
  const [path = "", search = ""] = request.target.split(/\?(.*)/s);
  const query = search === "" ? [] : search.split("&").map(pairOf);
  const fromQuery = query.some(([name]) => name === "X-Amz-Signature");
  const claim = fromQuery ? claimInQuery(query) : claimInHeader(request, query);
  if (!claim) return "AccessDenied";
  const [accessKey, day, region, service, terminator] = claim.credential.split("/");
  if (accessKey !== key.accessKey) return "InvalidAccessKeyId";
  const scope = `${day}/${key.region}/s3/aws4_request`;
  if (`${day}/${region}/${service}/${terminator}` !== scope || claim.date.slice(0, 8) !== day) {
    return "SignatureDoesNotMatch";
  }
  const late = now.getTime() - instantOf(claim.date);
  const expires = Number(query.find(([name]) => name === "X-Amz-Expires")?.[1] ?? 0) * 1000;
  if (fromQuery ? !(late <= expires) : !(Math.abs(late) <= SKEW_MS)) {
    return fromQuery ? "AccessDenied" : "RequestTimeTooSkewed";
  }
  const canonical = [
    request.method,
    path,
    canonicalQuery(claim.query),
    ...claim.signedHeaders.map((name) => `${name}:${(request.headers[name] ?? "").trim().replace(/ +/g, " ")}`),
    "",
    claim.signedHeaders.join(";"),
    claim.payloadHash,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", claim.date, scope, sha256(canonical)].join("\n");
  const signingKey = [day ?? "", key.region, "s3", "aws4_request"].reduce<Buffer>(
    (secret, part) => hmac(secret, part),
    Buffer.from(`AWS4${key.secretKey}`),
  );
  const [right, signature] = [hmac(signingKey, toSign), Buffer.from(claim.signature, "hex")];
  const same = right.length === signature.length && timingSafeEqual(right, signature);
  return same && claim.signedHeaders.includes("host") ? "right" : "SignatureDoesNotMatch";
}

function claimInHeader({ headers }: SignedRequest, query: [string, string][]): Claim | null {
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const [date, payloadHash] = [headers["x-amz-date"], headers["x-amz-content-sha256"]];
  if (!credential || !signedHeaders || !signature || !date || !payloadHash) return null;
  return { credential, signedHeaders: signedHeaders.split(";"), signature, date, payloadHash, query };
}

function claimInQuery(query: [string, string][]): Claim | null {
  const of = (key: string): string => query.find(([name]) => name === key)?.[1] ?? "";
  if (of("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256") return null;
  return {
    credential: of("X-Amz-Credential"),
    signedHeaders: of("X-Amz-SignedHeaders").split(";"),
    signature: of("X-Amz-Signature"),
    date: of("X-Amz-Date"),
    payloadHash: UNSIGNED,
    query: query.filter(([name]) => name !== "X-Amz-Signature"),
  };
}

function pairOf(part: string): [string, string] {
  const [name = "", value = ""] = part.split(/=(.*)/s);
  return [decodeURIComponent(name), decodeURIComponent(value)];
}

function canonicalQuery(query: [string, string][]): string {
  return query
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** Escapes every byte but A-Z, a-z, 0-9, "-", ".", "_" and "~". */
function encoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

function instantOf(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

interface StoredObject {
  bytes: Buffer;
  contentType: string;
  modified: Date;
}

/** An in-memory S3-compatible store that checks every signature. */
export interface S3Server {
  settings: S3Settings;
  objects: Map<string, StoredObject>;
  /** Multipart uploads that were started and not completed */
  unfinished: Map<string, { key: string; parts: Map<number, Buffer> }>;
  requests: string[];
  /** Error statuses for the next requests */
  failures: number[];
  close(): Promise<void>;
}

const BUCKET = "innkey-test";
const STATUS: Record<Exclude<Verdict, "right">, number> = {
  AccessDenied: 403,
  SignatureDoesNotMatch: 403,
  RequestTimeTooSkewed: 403,
  InvalidAccessKeyId: 403,
};

export async function startS3Server({ pageSize = 1000 } = {}): Promise<S3Server> {
  const key = { accessKey: "AKIATEST", secretKey: "a secret/with+signs", region: "eu-central-1" };
  const listener = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const server: S3Server = {
    settings: { endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, pathStyle: true, ...key },
    objects: new Map(),
    unfinished: new Map(),
    requests: [],
    failures: [],
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: target = "" } = request;
    const url = new URL(target, "http://store");
    const bytes = await buffer(request);
    server.requests.push(`${method} ${url.pathname}`);
    const failure = server.failures.shift();
    if (failure !== undefined) return refuse(response, failure, "InternalError");
    const headers = request.headers as Record<string, string | undefined>;
    const verdict = verdictOn({ method, target, headers }, key, new Date());
    if (verdict !== "right") return refuse(response, STATUS[verdict], verdict);
    const claimed = headers["x-amz-content-sha256"] ?? "UNSIGNED-PAYLOAD";
    if (claimed !== "UNSIGNED-PAYLOAD" && claimed !== sha256(bytes)) {
      return refuse(response, 400, "XAmzContentSHA256Mismatch");
    }
    const [, bucket, ...rest] = url.pathname.split("/").map(decodeURIComponent);
    if (bucket !== BUCKET) return refuse(response, 404, "NoSuchBucket");
    const object = rest.join("/");
    const done = object === "" ? bucketCall(method, url) : objectCall({ method, url, object, bytes, headers });
    if (done.status >= 400) return refuse(response, done.status, done.body.toString());
    response.writeHead(done.status, { "content-length": done.body.length, ...done.headers }).end(done.body);
  }

  function bucketCall(method: string, { searchParams: query }: URL): Answer {
    if (method === "HEAD") return ok("");
    if (query.has("uploads")) {
      const upload = [...server.unfinished].filter(([, one]) => one.key.startsWith(query.get("prefix") ?? ""));
      const listed = upload.map(([id, one]) => `<Upload><Key>${one.key}</Key><UploadId>${id}</UploadId></Upload>`);
      return xml(`<ListMultipartUploadsResult>${listed.join("")}</ListMultipartUploadsResult>`);
    }
    const limit = Math.min(Number(query.get("max-keys") ?? pageSize), pageSize);
    const keys = [...server.objects.keys()].sort().filter((name) => name.startsWith(query.get("prefix") ?? ""));
    const after = query.get("continuation-token");
    const remainingKeys = after === null ? keys : keys.filter((name) => name > after);
    const page = remainingKeys.slice(0, limit);
    const contents = page.map((name) => {
      const { bytes, modified } = server.objects.get(name) as StoredObject;
      const facts = `<LastModified>${modified.toISOString()}</LastModified><Size>${bytes.length}</Size>`;
      return `<Contents><Key>${name}</Key>${facts}<ETag>&quot;${sha256(bytes)}&quot;</ETag></Contents>`;
    });
    const more = remainingKeys.length > page.length;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    return xml(`<ListBucketResult>${contents.join("")}<IsTruncated>${more}</IsTruncated>${next}</ListBucketResult>`);
  }

  function objectCall({ method, url, object, bytes, headers }: ObjectRequest): Answer {
    const { searchParams: query } = url;
    const uploadId = query.get("uploadId");
    if (uploadId !== null) return partCall(method, object, uploadId, Number(query.get("partNumber")), bytes);
    if (method === "POST" && query.has("uploads")) {
      const id = randomUUID();
      server.unfinished.set(id, { key: object, parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    if (method === "PUT") {
      server.objects.set(object, { bytes, contentType: headers["content-type"] ?? "", modified: new Date() });
      return ok("", { etag: `"${sha256(bytes)}"` });
    }
    if (method === "DELETE") {
      server.objects.delete(object);
      return { status: 204, body: Buffer.alloc(0) };
    }
    const stored = server.objects.get(object);
    if (!stored) return { status: 404, body: Buffer.from("NoSuchKey") };
    return { status: 200, body: stored.bytes, headers: { "content-type": stored.contentType } };
  }

  function partCall(method: string, object: string, id: string, number: number, bytes: Buffer): Answer {
    const upload = server.unfinished.get(id);
    if (upload?.key !== object) return { status: 404, body: Buffer.from("NoSuchUpload") };
    if (method === "PUT") {
      upload.parts.set(number, bytes);
      return ok("", { etag: `"${sha256(bytes)}"` });
    }
    server.unfinished.delete(id);
    if (method === "DELETE") return { status: 204, body: Buffer.alloc(0) };
    const partNumbers = [...bytes.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, at]) => Number(at));
    const parts = partNumbers.map((at) => upload.parts.get(at) ?? Buffer.alloc(0));
    // S3 requires at least 5 MiB for every part but the last.
    if (parts.slice(0, -1).some(({ length }) => length < 5 * 1024 * 1024)) {
      return { status: 400, body: Buffer.from("EntityTooSmall") };
    }
    server.objects.set(object, { bytes: Buffer.concat(parts), contentType: "", modified: new Date() });
    return xml(
      `<CompleteMultipartUploadResult><ETag>&quot;${id}-${parts.length}&quot;</ETag></CompleteMultipartUploadResult>`,
    );
  }

  return server;
}

interface ObjectRequest {
  method: string;
  url: URL;
  object: string;
  bytes: Buffer;
  headers: Record<string, string | undefined>;
}

interface Answer {
  status: number;
  body: Buffer;
  headers?: Record<string, string>;
}

const ok = (body: string, headers: Record<string, string> = {}): Answer => ({
  status: 200,
  body: Buffer.from(body),
  headers,
});
const xml = (body: string): Answer =>
  ok(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`, { "content-type": "application/xml" });

function refuse(response: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`;
  response.writeHead(status, { "content-type": "application/xml" }).end(body);
}
