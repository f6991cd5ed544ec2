import type { LockEvent } from "@innkey/shared/locks/protocol";
import { z } from "zod";
import type { LinkedEvents } from "../../domain/access/lock-links/linked-events.ts";
import type { LockReports } from "../../domain/access/locks/reports.ts";
import type { ReceivedEvent } from "../../domain/access/unlocks/reported-event.ts";
import { uidOfNumber } from "./ttlock-driver.ts";

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
export const ttlockNotice = z.object({
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

export interface TtlockRecordsDeps {
  events: Pick<LinkedEvents, "keep">;
  reports: Pick<LockReports, "status">;
  /** Returns the slot of a live code on a lock, or null if the code isn't ours. */
  slotOfCode(hotelId: number, address: string, code: string): Promise<number | null>;
}

/**
 * Stores the records that the cloud posts for a hotel; duplicates are stored once. Returns false if the form is
 * invalid. @throws if the records can't be stored now; the cloud sends them again
 */
export async function takeTtlockNotice(deps: TtlockRecordsDeps, hotelId: number, form: unknown): Promise<boolean> {
  const notification = ttlockNotice.safeParse(form);
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
    if (event) await deps.events.keep(name, event, JSON.stringify([recordType, success, keyboardPwd, lockDate]));
  }
  const power = validRecords.at(-1)?.electricQuantity;
  if (power !== undefined) await deps.reports.status(name, { state: "online", power });
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
