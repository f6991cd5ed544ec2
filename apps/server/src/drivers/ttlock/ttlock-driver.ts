import { reversedUid } from "@innkey/shared/cards/uid";
import {
  type CommandMessage,
  deviceWords,
  type LockArgs,
  type LockEvent,
  lockArgs,
  type StoredCredential,
} from "@innkey/shared/locks/protocol";
import { z } from "zod";
import type { DeviceLinks } from "../../domain/access/lock-links/device-links.ts";
import type {
  DriverLock,
  LockDriver,
  LockReports,
  ReceivedEvent,
  SendResult,
} from "../../domain/access/lock-links/driver.ts";
import type { LinkedEvents } from "../../domain/access/lock-links/linked-events.ts";
import {
  DUPLICATE_CODE,
  lockErrorOf,
  NO_SUCH_CODE,
  resultOf,
  type TtlockCard,
  type TtlockCloud,
  type TtlockCode,
  TtlockError,
  TtlockNotSetUp,
} from "./ttlock-cloud.ts";

/** Name that stores our slot number in the cloud, so that we need no mapping of our own. */
const nameOf = (slot: number): string => `innkey-${slot}`;
const slotOf = (name: string | null | undefined): number | null => {
  const digits = /^innkey-(\d{1,9})$/.exec(name ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
};
/** Offsets for the slot numbers of credentials that this console did not create; our own slots are far below. */
const FOREIGN_CODES = 1_000_000_000_000;
const FOREIGN_CARDS = 2_000_000_000_000;

/** Sends the change through the gateway. The default is Bluetooth from a phone at the door. Source: passcode/add. */
const BY_GATEWAY = 2;
const PERMANENT = 2;
const PERIOD = 3;

const DONE: SendResult = { outcome: "answered", ack: { ok: true } };
const refused = (error: "invalid" | "unsupported" | "not_found" | "duplicate"): SendResult => ({
  outcome: "answered",
  ack: { ok: false, error },
});

/**
 * Driver for TTLock locks, through the TTLock cloud and a gateway near the lock. The cloud's response carries the
 * result. The lock's address is its TTLock id.
 */
export function ttlockDriver(cloud: TtlockCloud, links: Pick<DeviceLinks, "storeState">): LockDriver {
  return {
    name: "ttlock",
    async send(lock, command, signal) {
      if (!/^\d{1,12}$/.test(lock.address)) return { outcome: "answered", ack: { ok: false, error: "not_set_up" } };
      try {
        const result = await act(cloud, lock, command, signal);
        await links.storeState(lock.hotelId, "ttlock", null);
        return result;
      } catch (error) {
        if (error instanceof TtlockNotSetUp) return { outcome: "undelivered", error: "not_set_up", again: true };
        const errorCode = lockErrorOf(error);
        const hasNoAnswer = !(error instanceof TtlockError);
        if (errorCode === "account" || hasNoAnswer) await links.storeState(lock.hotelId, "ttlock", errorCode);
        // The cloud may have opened the door and only its answer was lost. We don't retry, because a retry could open
        // the door twice.
        if (hasNoAnswer && command.type === "unlock") return { outcome: "undelivered", error: errorCode, again: false };
        return resultOf(errorCode);
      }
    },
  };
}

async function act(
  cloud: TtlockCloud,
  { hotelId, address: lockId }: DriverLock,
  { type, args }: CommandMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const at: Target = { cloud, hotelId, lockId, signal };
  switch (type) {
    case "unlock":
      await cloud.call(hotelId, "/v3/lock/unlock", { lockId }, signal);
      return DONE;
    case "set_credential":
      return setCredential(at, lockArgs.set_credential.parse(args));
    case "remove_credential":
      return removeCredential(at, lockArgs.remove_credential.parse(args).slot);
    case "read_back":
      return { outcome: "answered", ack: { ok: true, held: await listCredentials(at) } };
    case "configure":
    case "set_clock":
      // TTLock locks don't read our card records, and the cloud sets their clock.
      return DONE;
    default:
      return refused("unsupported");
  }
}

interface Target {
  cloud: TtlockCloud;
  hotelId: number;
  lockId: string;
  signal: AbortSignal;
}

type CredentialArgs = LockArgs["set_credential"];

/**
 * Returns the validity period in milliseconds. A permanent credential has zero for both ends. Source: passcode/add,
 * card/add.
 */
const periodOf = ({ validFrom, validTo }: CredentialArgs): { startDate: number; endDate: number } =>
  validTo === null ? { startDate: 0, endDate: 0 } : { startDate: Date.parse(validFrom), endDate: Date.parse(validTo) };

function setCredential(at: Target, args: CredentialArgs): Promise<SendResult> | SendResult {
  // The cloud takes no days and hours, and without them the key would open at any time.
  if (args.hours) return refused("unsupported");
  if (args.kind === "passcode" && args.code) return setCode(at, args, args.code);
  if (args.kind === "card" && args.uid) return setCard(at, args, args.uid);
  return refused(args.kind === "face" ? "unsupported" : "invalid");
}

async function setCode(at: Target, args: CredentialArgs, keyboardPwd: string): Promise<SendResult> {
  const { cloud, hotelId, lockId, signal } = at;
  const period = periodOf(args);
  const keyboardPwdType = args.validTo === null ? PERMANENT : PERIOD;
  try {
    await cloud.call(
      hotelId,
      "/v3/keyboardPwd/add",
      { lockId, keyboardPwd, keyboardPwdName: nameOf(args.slot), keyboardPwdType, ...period, addType: BY_GATEWAY },
      signal,
    );
    return DONE;
  } catch (error) {
    if (!(error instanceof TtlockError) || error.code !== DUPLICATE_CODE) throw error;
  }
  // The duplicate may be our own code: an earlier call got no answer, or the stay's period has changed.
  const ours = (await cloud.codes(hotelId, lockId, signal)).find(
    (code) => slotOf(code.keyboardPwdName) === args.slot && code.keyboardPwd === keyboardPwd,
  );
  if (!ours) return refused("duplicate");
  if (isSamePeriod(ours, period)) return DONE;
  const change = { lockId, keyboardPwdId: ours.keyboardPwdId, ...period, changeType: BY_GATEWAY };
  await cloud.call(hotelId, "/v3/keyboardPwd/change", change, signal);
  return DONE;
}

async function setCard(at: Target, args: CredentialArgs, uid: string): Promise<SendResult> {
  const { cloud, hotelId, lockId, signal } = at;
  const period = periodOf(args);
  const ours = (await cloud.cards(hotelId, lockId, signal)).find((card) => slotOf(card.cardName) === args.slot);
  if (ours && isSamePeriod(ours, period)) return DONE;
  if (ours) {
    const change = { lockId, cardId: ours.cardId, ...period, changeType: BY_GATEWAY };
    await cloud.call(hotelId, "/v3/identityCard/changePeriod", change, signal);
    return DONE;
  }
  const cardNumber = decimalOf(uid);
  if (cardNumber === null) return refused("invalid");
  await cloud.call(
    hotelId,
    "/v3/identityCard/addForReversedCardNumber",
    { lockId, cardNumber, cardName: nameOf(args.slot), ...period, addType: BY_GATEWAY },
    signal,
  );
  return DONE;
}

/**
 * Converts a card's uid to the decimal number that the cloud's "reversed" form expects: the bytes in the order of our
 * card readers. Source: card/addForReversedCardNumber. Returns null unless the uid has 4 bytes, because these locks
 * compare only 4.
 */
function decimalOf(uid: string): string | null {
  return /^[0-9A-F]{8}$/.test(uid) ? String(Number.parseInt(uid, 16)) : null;
}

/**
 * Returns the uid for a card number in a list or record, where the bytes are in the opposite order; null if it isn't a
 * 32-bit number.
 */
function uidOfNumber(cardNumber: string): string | null {
  if (!/^\d{1,10}$/.test(cardNumber) || Number(cardNumber) > 0xffffffff) return null;
  return reversedUid(Number(cardNumber).toString(16).toUpperCase().padStart(8, "0"));
}

const isSamePeriod = (existing: TtlockCode | TtlockCard, period: { startDate: number; endDate: number }): boolean =>
  existing.startDate === period.startDate && existing.endDate === period.endDate;

async function removeCredential(at: Target, slot: number): Promise<SendResult> {
  const { cloud, hotelId, lockId, signal } = at;
  const code = (await cloud.codes(hotelId, lockId, signal)).find(
    (one) => slotOf(one.keyboardPwdName) === slot || one.keyboardPwdId + FOREIGN_CODES === slot,
  );
  if (code) return removed(at, "/v3/keyboardPwd/delete", { keyboardPwdId: code.keyboardPwdId });
  const card = (await cloud.cards(hotelId, lockId, signal)).find(
    (one) => slotOf(one.cardName) === slot || one.cardId + FOREIGN_CARDS === slot,
  );
  return card ? removed(at, "/v3/identityCard/delete", { cardId: card.cardId }) : refused("not_found");
}

async function removed({ cloud, hotelId, lockId, signal }: Target, path: string, ids: Record<string, number>) {
  try {
    await cloud.call(hotelId, path, { lockId, ...ids, deleteType: BY_GATEWAY }, signal);
  } catch (error) {
    if (error instanceof TtlockError && error.code === NO_SUCH_CODE) return refused("not_found");
    throw error;
  }
  return DONE;
}

async function listCredentials({ cloud, hotelId, lockId, signal }: Target): Promise<StoredCredential[]> {
  const codes = await cloud.codes(hotelId, lockId, signal);
  const cards = await cloud.cards(hotelId, lockId, signal);
  return [
    ...codes.map((one) => toStoredCredential("passcode", one.keyboardPwdName, one.keyboardPwdId + FOREIGN_CODES, one)),
    ...cards.map((one) => toStoredCredential("card", one.cardName, one.cardId + FOREIGN_CARDS, one)),
  ];
}

function toStoredCredential(
  kind: "passcode" | "card",
  name: string | null | undefined,
  foreignSlot: number,
  { startDate, endDate }: { startDate: number; endDate: number },
): StoredCredential {
  return {
    slot: slotOf(name) ?? foreignSlot,
    kind,
    name: deviceWords(name ?? "", 60),
    validFrom: startDate > 0 ? new Date(startDate).toISOString() : null,
    validTo: endDate > 0 ? new Date(endDate).toISOString() : null,
  };
}

/** One record of a lock as the cloud reports it. Source: euopen.ttlock.com, lockRecord/notify. */
const record = z.object({
  recordType: z.coerce.number().int(),
  success: z.coerce.number().int().default(1),
  keyboardPwd: z.string().nullish(),
  /** the name that the key has in TTLock's app */
  username: z.string().nullish(),
  lockDate: z.coerce.number().int(),
  electricQuantity: z.coerce.number().int().min(0).max(100).optional().catch(undefined),
});
type LockRecord = z.infer<typeof record>;
/** The form that the cloud posts. */
export const ttlockNotification = z.object({
  notifyType: z.coerce.number().int(),
  lockId: z.coerce.number().int().positive(),
  records: z.string().max(60_000).optional(),
});
/** Records with a `lockDate` after this are ignored as invalid. */
const LAST_INSTANT = Date.UTC(2999, 0, 1);

type Meaning = Pick<LockEvent, "style"> & { refused?: LockEvent["reason"]; alarm?: LockEvent["alarm"] };

/**
 * Meaning of each record type. Types that aren't listed (locking, settings) are no openings. Source: lockRecord/list,
 * recordTypeFromLock.
 */
const MEANINGS: Readonly<{ [type: number]: Meaning }> = {
  1: { style: "remote" },
  4: { style: "passcode" },
  7: { style: "passcode", refused: "unknown" },
  11: { style: "passcode", refused: "expired" },
  17: { style: "card" },
  20: { style: "unknown" },
  25: { style: "card", refused: "expired" },
  27: { style: "key" },
  28: { style: "remote" },
  38: { style: "unknown", refused: "deadbolt" },
  39: { style: "unknown", refused: "deadbolt" },
  44: { style: "unknown", refused: "unknown", alarm: "tamper" },
  48: { style: "passcode", refused: "locked_out", alarm: "wrong_codes" },
  49: { style: "card" },
  51: { style: "card", refused: "blocked" },
  67: { style: "face" },
};
const CARD_RECORDS = new Set([17, 25, 49, 51]);

interface TtlockRecordsDeps {
  events: LinkedEvents;
  reports: Pick<LockReports, "status">;
  /** Returns the slot of a live code on a lock, or null if the code isn't ours. */
  slotOfCode(hotelId: number, address: string, code: string): Promise<number | null>;
}

/**
 * Stores the records that the cloud posts for a hotel; duplicates are stored once. Returns false if the form is
 * invalid. @throws if the records can't be stored now; the cloud sends them again
 */
export async function storeTtlockRecords(deps: TtlockRecordsDeps, hotelId: number, form: unknown): Promise<boolean> {
  const notification = ttlockNotification.safeParse(form);
  if (!notification.success) return false;
  const { notifyType, lockId, records } = notification.data;
  if (notifyType !== 1) return true;
  const list = z
    .array(z.unknown())
    .max(500)
    .safeParse(parsed(records ?? "[]"));
  if (!list.success) return false;
  const name = { hotelId, driver: "ttlock" as const, address: String(lockId) };
  const validRecords = list.data.flatMap((one) => record.safeParse(one).data ?? []);
  for (const one of validRecords.sort((a, b) => a.lockDate - b.lockDate)) {
    const event = await eventOf(deps, name, one);
    const { recordType, success, keyboardPwd, lockDate } = one;
    if (event) await deps.events.store(name, event, JSON.stringify([recordType, success, keyboardPwd, lockDate]));
  }
  const power = validRecords.at(-1)?.electricQuantity;
  if (validRecords.length > 0)
    await deps.reports.status(name, { state: "online", ...(power !== undefined && { power }) });
  return true;
}

async function eventOf(
  deps: TtlockRecordsDeps,
  { hotelId, address }: { hotelId: number; address: string },
  { recordType, success, keyboardPwd, username, lockDate }: LockRecord,
): Promise<Omit<ReceivedEvent, "seq"> | null> {
  const meaning = MEANINGS[recordType];
  if (!meaning || lockDate <= 0 || lockDate > LAST_INSTANT) return null;
  const { style, refused, alarm } = meaning;
  const opened = success === 1 && refused === undefined;
  const uid = CARD_RECORDS.has(recordType) && keyboardPwd ? uidOfNumber(keyboardPwd) : null;
  const slot = recordType === 4 && keyboardPwd ? await deps.slotOfCode(hotelId, address, keyboardPwd) : null;
  return {
    at: new Date(lockDate).toISOString(),
    style,
    success: opened,
    ...(!opened && { reason: refused ?? "unknown" }),
    ...(uid !== null && { credential: { kind: "card", uid } }),
    ...(slot !== null && { credential: { kind: "slot", slot } }),
    ...(opened &&
      slot === null &&
      recordType === 4 && { foreignKey: username?.slice(0, 60) || masked(keyboardPwd ?? "") }),
    ...(alarm && { alarm }),
  };
}

const masked = (code: string): string => `••${code.slice(-2)}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
