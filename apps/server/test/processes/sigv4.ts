import { createHash, createHmac, timingSafeEqual } from "node:crypto";

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

export interface SigningKey {
  accessKey: string;
  secretKey: string;
  region: string;
}

export type Verdict =
  | "right"
  | "AccessDenied"
  | "SignatureDoesNotMatch"
  | "RequestTimeTooSkewed"
  | "InvalidAccessKeyId";

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

export const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
