import { DomainError, ERRORS, type ErrorCode } from "@innkey/shared/errors";
import type { LanguageCode } from "@innkey/shared/languages";
import { translator } from "../../kernel/translate.ts";
import { fieldOfPath, toErrorReply } from "../error-reply.ts";

/**
 * Names on the wire for the field names of services. The last part of a path counts ("guests.0.birthDate" is "birth").
 * Names that aren't listed become snake case: "roomIds" is "room_ids".
 */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  account: "mobile",
  startsAt: "check_in_time",
  endsAt: "check_out_time",
  birthDate: "birth",
  documentType: "id_type",
  documentNumber: "id_number",
  uid: "card_num",
  number: "card_num",
  cardNote: "cardNote",
  validFrom: "start",
  validTo: "end",
  agreedTotalMinor: "price",
  depositMinor: "deposit",
  usualMinor: "usual_price",
  weekendMinor: "weekend_price",
  renewalMinor: "renew_price",
  hourMinor: "hour_price",
  monthMinor: "month_price",
  yearMinor: "year_price",
  priceMinor: "price",
  amountMinor: "amount",
  dates: "special",
  faceId: "faceId",
  mac: "mac_id",
  timeZone: "timezone",
  weekendNights: "weekend_days",
  operatorId: "user_id",
  refundsEntryId: "order_id",
  person: "name",
  code: "password",
};

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function wireName(path: string, names: Readonly<Record<string, string>> = {}): string {
  const own = names[path];
  if (own !== undefined) return own;
  const last = fieldOfPath(path);
  return names[last] ?? WIRE_NAMES[last] ?? snake(last);
}

/** Content of an answer, before encryption. */
export interface LegacyAnswer {
  errno: number;
  errmsg: string;
  data: unknown;
}

/** Stable words of `data.reason` that differ from our own error codes. */
const REASONS: Partial<Record<ErrorCode, string>> = { in_house: "in_use", room_in_use: "in_use" };
/** Numbers that several of our errors share, so that `data.reason` tells them apart. */
const ERRNOS_WITH_REASON: ReadonlySet<number> = new Set([100_008, 100_009, 100_010]);
const INVALID = ERRORS.invalid_input.errno;

export function reasonOf(code: ErrorCode): string {
  return REASONS[code] ?? code;
}

export function success(data: unknown): LegacyAnswer {
  return { errno: 0, errmsg: "", data };
}

export function repeated(language: LanguageCode): LegacyAnswer {
  return failed(new DomainError("repeated"), { language, requestId: "" });
}

/**
 * Returns the answer of a failed call in the caller's language. `names` are the call's own field names. Unexpected
 * errors become `internal` with the request's id; the log has the cause under that id.
 */
export function failed(
  error: unknown,
  to: { language: LanguageCode; requestId: string; names?: Readonly<Record<string, string>> | undefined },
): LegacyAnswer {
  const { code, params, fields } = toErrorReply(error);
  const { errno } = ERRORS[code];
  const translate = translator(to.language);
  const messages = Object.entries(fields ?? {}).map(([path, message]) => {
    const name = wireName(path, to.names);
    return [name, translate(message.key, message.params)] as const;
  });
  const first = messages[0];
  const general = translate(`errors.${code}`, params);
  return {
    errno,
    errmsg: errno === INVALID && first ? `${first[0]}: ${first[1]}` : general,
    data: {
      ...(ERRNOS_WITH_REASON.has(errno) ? { reason: reasonOf(code) } : {}),
      ...(typeof params.roomName === "string" ? { room_name: params.roomName } : {}),
      ...(typeof params.retryAfterSeconds === "number" ? { retry_after: params.retryAfterSeconds } : {}),
      ...(messages.length > 0 ? { fields: Object.fromEntries(messages) } : {}),
      ...(errno === ERRORS.internal.errno ? { request_id: to.requestId } : {}),
    },
  };
}
