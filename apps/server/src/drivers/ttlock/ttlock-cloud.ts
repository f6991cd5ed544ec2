import type { LockErrorCode } from "@innkey/shared/enums";
import { z } from "zod";
import { mayReachWorld, type OutsideOptions, postOutside } from "../../adapters/http/outside-request.ts";
import type { DeviceLinks, SettingsOf } from "../../domain/access/lock-links/device-links.ts";
import type { SendResult } from "../../domain/access/lock-links/driver.ts";

/** An error code returned by the cloud. Source: euopen.ttlock.com, errorCode. */
export class TtlockError extends Error {
  override readonly name = "TtlockError";
  readonly code: number;
  constructor(code: number) {
    super(`TTLock error ${code}`);
    this.code = code;
  }
}

/** The account's access token is invalid or expired. */
const TOKEN_ERRORS: ReadonlySet<number> = new Set([10003, 10004]);
export const DUPLICATE_CODE = -3007;
export const NO_SUCH_CODE = -2009;

const LOCK_ERRORS: Readonly<Record<number, LockErrorCode>> = {
  10001: "account",
  10003: "account",
  10004: "account",
  10007: "account",
  10011: "account",
  20002: "refused",
  30006: "busy",
  30007: "busy",
  80000: "internal",
  [-1003]: "not_set_up",
  [-2012]: "gateway",
  [-2018]: "refused",
  [-2025]: "frozen",
  [-2032]: "too_simple",
  [NO_SUCH_CODE]: "not_found",
  [-3002]: "gateway",
  [-3003]: "busy",
  [-3006]: "invalid",
  [DUPLICATE_CODE]: "duplicate",
  [-3008]: "refused",
  [-3009]: "full",
  [-3036]: "offline",
  [-3037]: "busy",
  [-4056]: "full",
};
/**
 * Errors that may disappear by themselves or once someone fixes the cause, so a retry makes sense. All others are
 * permanent.
 */
const RETRYABLE_ERRORS: ReadonlySet<LockErrorCode> = new Set(["account", "busy", "gateway", "offline", "internal"]);

/** Returns our error code for an error of a cloud call. An unreachable cloud counts as "gateway". */
export function lockErrorOf(error: unknown): LockErrorCode {
  return error instanceof TtlockError ? (LOCK_ERRORS[error.code] ?? "internal") : "gateway";
}

export function resultOf(error: LockErrorCode): SendResult {
  if (RETRYABLE_ERRORS.has(error)) return { outcome: "undelivered", error, again: true };
  return { outcome: "answered", ack: { ok: false, error } };
}

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const HEADERS = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };

/**
 * POSTs a form and reads JSON; follows no redirect.
 * @throws Error that quotes neither the form nor the answer
 */
async function postForm(url: URL, form: Record<string, string>, options: OutsideOptions): Promise<unknown> {
  const body = new URLSearchParams(form).toString();
  const response = await postOutside(url, { headers: HEADERS, body }, options);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new Error("the answer is no JSON");
  }
}

type Form = Record<string, string | number>;

const tokenAnswer = z.object({ access_token: z.string(), expires_in: z.number().default(3600) });
const refusal = z.object({ errcode: z.number().int().optional() });
const codePage = z.object({
  list: z.array(
    z.object({
      keyboardPwdId: z.number().int(),
      keyboardPwd: z.coerce.string().default(""),
      keyboardPwdName: z.string().nullish(),
      startDate: z.number().default(0),
      endDate: z.number().default(0),
    }),
  ),
  pages: z.number().int().default(1),
});
export type TtlockCode = z.infer<typeof codePage>["list"][number];
const cardPage = z.object({
  list: z.array(
    z.object({
      cardId: z.number().int(),
      cardNumber: z.coerce.string().default(""),
      cardName: z.string().nullish(),
      startDate: z.number().default(0),
      endDate: z.number().default(0),
    }),
  ),
  pages: z.number().int().default(1),
});
export type TtlockCard = z.infer<typeof cardPage>["list"][number];

const PAGE_SIZE = 200;
const MAX_PAGES = 10;
/** We renew a token this long before it expires. */
const TOKEN_MARGIN_MS = 60_000;

export class TtlockNotSetUp extends Error {
  override readonly name = "TtlockNotSetUp";
}

/**
 * Client of the TTLock cloud, with one account per hotel. Tokens are cached in memory. `date` is the time of the call.
 * Source: euopen.ttlock.com.
 */
export class TtlockCloud {
  readonly #links: Pick<DeviceLinks, "of" | "allowLoopback">;
  readonly #now: () => Date;
  readonly #tokens = new Map<number, { settings: SettingsOf<"ttlock">; token: Promise<string>; until: number }>();

  constructor(links: Pick<DeviceLinks, "of" | "allowLoopback">, now: () => Date) {
    this.#links = links;
    this.#now = now;
  }

  /**
   * Calls the cloud, with one retry after a token error. @throws TtlockError if the cloud refuses, TtlockNotSetUp
   * without an account, Error if the cloud can't be reached
   */
  async call(hotelId: number, path: string, form: Form, signal: AbortSignal): Promise<unknown> {
    const settings = this.#links.of(hotelId, "ttlock");
    if (!settings) throw new TtlockNotSetUp();
    for (let attempt = 1; ; attempt += 1) {
      const accessToken = await this.#token(hotelId, settings, signal);
      try {
        return await this.#post(settings, path, { clientId: settings.clientId, accessToken, ...form }, signal);
      } catch (error) {
        if (attempt > 1 || !(error instanceof TtlockError) || !TOKEN_ERRORS.has(error.code)) throw error;
        this.#tokens.delete(hotelId);
      }
    }
  }

  async codes(hotelId: number, lockId: string, signal: AbortSignal): Promise<TtlockCode[]> {
    return this.#pages(codePage, hotelId, "/v3/lock/listKeyboardPwd", lockId, signal);
  }

  async cards(hotelId: number, lockId: string, signal: AbortSignal): Promise<TtlockCard[]> {
    return this.#pages(cardPage, hotelId, "/v3/identityCard/list", lockId, signal);
  }

  async #pages<T>(
    page: z.ZodType<{ list: T[]; pages: number }>,
    hotelId: number,
    path: string,
    lockId: string,
    signal: AbortSignal,
  ): Promise<T[]> {
    const items: T[] = [];
    for (let pageNo = 1; pageNo <= MAX_PAGES; pageNo += 1) {
      const answer = await this.call(hotelId, path, { lockId, pageNo, pageSize: PAGE_SIZE }, signal);
      const { list, pages } = page.parse(answer);
      items.push(...list);
      if (pageNo >= pages) break;
    }
    return items;
  }

  /** Returns the hotel's access token. Concurrent callers share one login. */
  #token(hotelId: number, settings: SettingsOf<"ttlock">, signal: AbortSignal): Promise<string> {
    const cached = this.#tokens.get(hotelId);
    const sameAccount = cached && JSON.stringify(cached.settings) === JSON.stringify(settings);
    if (cached && sameAccount && cached.until > this.#now().getTime()) return cached.token;
    const entry = { settings, until: Number.POSITIVE_INFINITY, token: Promise.resolve("") };
    entry.token = this.#logIn(settings, signal).then(({ access_token: token, expires_in: seconds }) => {
      entry.until = this.#now().getTime() + seconds * 1000 - TOKEN_MARGIN_MS;
      return token;
    });
    this.#tokens.set(hotelId, entry);
    entry.token.catch(() => {
      if (this.#tokens.get(hotelId) === entry) this.#tokens.delete(hotelId);
    });
    return entry.token;
  }

  async #logIn(settings: SettingsOf<"ttlock">, signal: AbortSignal): Promise<z.infer<typeof tokenAnswer>> {
    const { clientId, clientSecret, account: username, passwordMd5: password } = settings;
    const answer = await this.#post(settings, "/oauth2/token", { clientId, clientSecret, username, password }, signal);
    return tokenAnswer.parse(answer);
  }

  async #post({ baseUrl }: SettingsOf<"ttlock">, path: string, form: Form, signal: AbortSignal): Promise<unknown> {
    const fields = Object.entries({ ...form, date: this.#now().getTime() }).map(([name, value]) => [
      name,
      String(value),
    ]);
    const answer = await postForm(new URL(path, baseUrl), Object.fromEntries(fields), {
      mayReach: (address) => mayReachWorld(address, this.#links.allowLoopback),
      signal,
    });
    const code = refusal.safeParse(answer).data?.errcode ?? 0;
    if (code !== 0) throw new TtlockError(code);
    return answer;
  }
}
