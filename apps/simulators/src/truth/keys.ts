import { silentSince } from "@innkey/shared/locks/lock-status";
import type { MasterCardRow, PreparedCard } from "@innkey/shared/schemas/access/cards";
import type { CredentialRow, LockRow, PendingRevocation } from "@innkey/shared/schemas/access/locks";
import type { PasscodeRow } from "@innkey/shared/schemas/access/passcodes";
import type { StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import type { Opening } from "../locks/virtual-lock.ts";
import { cardAtDoor, DELIVERED_ACCESS, trailerOf, VirtualCard } from "../virtual-card.ts";
import type { Door } from "./hotel.ts";
import type { DeskSession } from "./hotel-server.ts";

const KEY_KINDS = [
  "guest card",
  "air card",
  "code",
  "one-time code",
  "management card",
  "universal card",
  "emergency card",
  "one-shot card",
  "block-out card",
] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** A card or code that opens doors. */
export interface Key {
  /** for example K00017; also the person or note under which the console lists it */
  name: string;
  kind: KeyKind;
  /** id of the card or of the passcode */
  id: number;
  /** doors that it opens or ever opened */
  doors: Set<Door>;
  /** the card number, or the code's digits */
  content: string;
  /** contents of the card; another key may have overwritten it since */
  plastic: VirtualCard | null;
  /** The stay it was made for, as long as the desk hasn't ended it; null: none. Its party may rely on it. */
  stayId: number | null;
  /** doors it opened, in order; a one-time code may have only one */
  openings: { at: number; door: string; memories: number }[];
  history: string[];
}

const KINDS_OF_STAY: Record<string, string> = { "guest card": "card", "air card": "airCard", code: "passcode" };

/** States in which the keys of a stay announce that the door may refuse the key. */
const ANNOUNCED: readonly string[] = ["rewrite", "waiting", "failed"];

/**
 * Whether the desk is told that a key of a stay doesn't open the door yet: it is to be written again, or on its way to the
 * lock, or doesn't open this common door.
 */
export async function isAnnounced(desk: DeskSession, key: Key, { name, zone }: Door): Promise<boolean> {
  const stayId = key.stayId;
  if (stayId === null) return false;
  const { keys } = await desk.read<StayKeys>("keys.ofStay", { stayId });
  const row = keys.find(({ kind, id }) => kind === KINDS_OF_STAY[key.kind] && id === key.id);
  // A card whose writing was not confirmed is no key yet; its earlier issue carries the mark.
  if (row === undefined) return keys.some(({ state }) => state === "rewrite");
  const isTold = zone !== null && row.doors.find((door) => door.name === name)?.state !== "opens";
  return isTold || ANNOUNCED.includes(row.state);
}

/** Kinds that a block-out card keeps out. */
const KEPT_OUT: ReadonlySet<KeyKind> = new Set<KeyKind>(["guest card", "air card", "code", "one-time code"]);

export const isCode = ({ kind }: Key): boolean => kind === "code" || kind === "one-time code";

/** Presents the key at a door, or enters its code. It first clears the lockout that follows five wrong codes. */
export function tryKey(key: Key, { door }: Door): Opening {
  const { lock } = door;
  Object.assign(lock.memory, { wrongCodes: 0, lockedOutUntil: 0 });
  if (isCode(key)) return lock.enterCode(key.content);
  return lock.presentCard(key.plastic ? cardAtDoor(key.plastic) : { uid: key.content, read: () => null });
}

/** Returns a card as the desk's reader leaves it. `isTorn`: it was removed before the record that opens was written. */
export function writtenPlastic(card: PreparedCard, isTorn: boolean): { plastic: VirtualCard; readBack: string } {
  const { uid, sectorKey, keyType, dataBlock, data, others } = card;
  const places = isTorn ? others : [...others, { sectorKey, dataBlock, data }];
  const plastic = new VirtualCard({
    name: "",
    uid,
    keyA: sectorKey,
    keyB: sectorKey,
    blocks: Object.fromEntries(
      places.flatMap((block) => [
        [block.dataBlock, block.data],
        [trailerOf(block.dataBlock), `${block.sectorKey}${DELIVERED_ACCESS}${block.sectorKey}`],
      ]),
    ),
  });
  const bytes = cardAtDoor(plastic).read(dataBlock, keyType, sectorKey);
  return {
    plastic,
    readBack: Buffer.from(bytes ?? [])
      .toString("hex")
      .toUpperCase(),
  };
}

/**
 * The console's statement about a key at a door: it opens, it doesn't, it may still open, the status is unknown because
 * the lock was silent for too long, or the key has not reached the lock yet.
 */
export interface Claim {
  verdict: "opens" | "dead" | "may open" | "unknown" | "waiting";
  basis: string;
  /** the console also shows that the card must be written again */
  writeAgain?: boolean;
  /** period in which the key opens, according to the console */
  period?: { validFrom: string; validTo: string | null };
}

const claim = (verdict: Claim["verdict"], basis: string): Claim => ({ verdict, basis });

/** Basis of a claim that a block-out card keeps a key out. */
export const BLOCKED_OUT = "blocked out";

/**
 * Reads the claim from the key's row and the list of keys that may still open, as a user at the desk does, who also sees whether
 * the door is blocked for guests.
 */
export async function readClaim(desk: DeskSession, key: Key, door: Door): Promise<Claim> {
  const claimed = await readClaimOfKey(desk, key, door);
  if (claimed.verdict !== "opens" || !KEPT_OUT.has(key.kind)) return claimed;
  const locks = await desk.read<LockRow[]>("locks.list");
  const isBlocked = locks.some(({ id, blockedOutAt }) => id === door.lockId && blockedOutAt !== null);
  return isBlocked ? { ...claimed, verdict: "dead", basis: BLOCKED_OUT } : claimed;
}

async function readClaimOfKey(desk: DeskSession, key: Key, door: Door): Promise<Claim> {
  const [pendingRevocations, row] = await Promise.all([
    desk.read<PendingRevocation[]>("locks.pendingRevocations"),
    isCode(key) ? codeRow(desk, key) : cardRow(desk, key),
  ]);
  const now = new Date().toISOString();
  if (!row) return claim("dead", "not on any list");
  const credential = newest(row.credentials.filter(({ lockId }) => lockId === door.lockId));
  const isListed = pendingRevocations.some(
    ({ lockId, cardId, credentialId }) =>
      lockId === door.lockId && (isCode(key) ? credentialId === credential?.id : cardId === row.id),
  );
  if (isListed) return claim("may open", "on the list");
  if (key.kind === "guest card" && "rewrite" in row) return claimOfRecord(row, door, now);
  if (key.kind === "block-out card") return claim("dead", "opens nothing");
  const hasEnded = row.standing === "expired" || row.standing === "revoked";
  const base = hasEnded
    ? claim("dead", row.standing)
    : claimOfCredential(credential, key.kind === "one-time code", now);
  return credential ? { ...base, period: credential } : base;
}

/** Claim about a guest card, which opens by the record written on it. */
function claimOfRecord(row: MasterCardRow, door: Door, now: string): Claim {
  const { standing, rewrite } = row;
  const claimOf = (verdict: Claim["verdict"], basis: string): Claim => ({
    verdict,
    basis,
    period: row,
    writeAgain: rewrite !== null,
  });
  if (standing === "expired" || standing === "revoked") return claimOf("dead", standing);
  const other = row.otherDoors.find(({ lockId }) => lockId === door.lockId);
  if (row.roomName !== door.name && !other) return claimOf("dead", "not for this door");
  if (standing === "revoking") return claimOf("dead", "taken back");
  const outsidePeriod = claimOfPeriod(row, now);
  if (outsidePeriod) return { ...outsidePeriod, period: row };
  if (other) {
    if (other.state === "waiting") return claimOf("waiting", "zone");
    const since = silentSince(other);
    return since ? claimOf("unknown", `last heard ${since}`) : claimOf("opens", "zone");
  }
  if (standing !== "active") return claimOf("waiting", standing);
  const since = silentSince(row);
  return since ? claimOf("unknown", `last heard ${since}`) : claimOf("opens", standing);
}

function claimOfCredential(credential: CredentialRow | undefined, isOneTime: boolean, now: string): Claim {
  if (!credential) return claim("dead", "not for this door");
  const { state } = credential;
  if (state === "revoking" || state === "revoked") return claim("dead", state);
  if (isOneTime && state === "used") return claim("dead", "used");
  const period = claimOfPeriod(credential, now);
  if (period) return period;
  if (state !== "confirmed" && state !== "used") return claim("waiting", state);
  const since = silentSince(credential);
  return since ? claim("unknown", `last heard ${since}`) : claim("opens", state);
}

function claimOfPeriod(
  { validFrom, validTo }: { validFrom: string; validTo: string | null },
  now: string,
): Claim | null {
  if (validTo !== null && Date.parse(validTo) <= Date.parse(now)) return claim("dead", "expired");
  return Date.parse(validFrom) > Date.parse(now) ? claim("dead", "not yet") : null;
}

const newest = (rows: readonly CredentialRow[]): CredentialRow | undefined =>
  rows.find(({ state }) => state !== "revoked") ?? rows.at(-1);

async function cardRow(desk: DeskSession, { id }: Key): Promise<MasterCardRow | undefined> {
  const { rows } = await desk.read<{ rows: MasterCardRow[] }>("cards.list", { cardId: id, state: "all" });
  return rows[0];
}

async function codeRow(desk: DeskSession, { id, name }: Key): Promise<PasscodeRow | undefined> {
  for (const state of ["live", "ended"]) {
    const { rows } = await desk.read<{ rows: PasscodeRow[] }>("passcodes.list", { state, query: name });
    const credentialRow = rows.find((row) => row.id === id);
    if (credentialRow) return credentialRow;
  }
  return undefined;
}
