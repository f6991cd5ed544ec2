import { type CardRecord, encodeRecord } from "@innkey/shared/cards/record";
import type { LockArgs } from "@innkey/shared/locks/protocol";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { Card } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { encryptRecord, type ProfileWithKeys, passFingerprint, passOf, sectorKeyOf, withKeys } from "./card-keys.ts";

const BLOCKS_PER_SECTOR = 4;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();

type CardOpenings = Pick<Card, "lockNumber" | "zones">;

/**
 * Returns the sector of the record for the zone at `index`. DES locks read one sector, so it holds either the room's or
 * the zone's record.
 */
const zoneSector = (
  { cipher, sectors }: Pick<ProfileWithKeys, "cipher" | "sectors">,
  index: number,
): number | undefined => (cipher === "des_cbc" ? sectors[0] : sectors[1 + index]);

interface RecordTarget {
  sector: number;
  opens: CardRecord["opens"];
}

/** Returns where the records of a card are: the room's first, then those of its zones. */
function targetsOf(
  { lockNumber, zones }: CardOpenings,
  profile: Pick<ProfileWithKeys, "cipher" | "sectors">,
): RecordTarget[] {
  const room = lockNumber === null ? [] : [{ sector: profile.sectors[0] ?? 0, opens: { lock: lockNumber } }];
  const others = zones.map((zone, index) => ({ sector: zoneSector(profile, index) ?? 0, opens: { zone } }));
  return [...room, ...others];
}

/**
 * Returns the first record of a card as it is written, as hex. The result is always the same for the same row, so that
 * a read-back can be compared with it.
 */
export function recordData(card: Card, profile: ProfileWithKeys): string {
  const [row] = targetsOf(card, profile);
  if (!row || card.overTheAir) throw new Error("this card carries no record");
  return recordDataFor(card, profile, row.opens);
}

function recordDataFor(card: Card, profile: ProfileWithKeys, opens: CardRecord["opens"]): string {
  if (hasPass(card, profile)) return hex(passOf(profile.keys.masterKey, card.uid, card.id));
  const record = encodeRecord({
    kind: card.kind,
    siteCode: profile.siteCode,
    opens,
    sequence: "lock" in opens ? card.sequence : 0,
    validFrom: card.validFrom.toISOString(),
    validTo: card.validTo?.toISOString() ?? null,
  });
  return hex(encryptRecord(profile.keys, card.uid, opens, record));
}

/** With AES no key opens all doors, so staff cards and master key cards carry a pass that their locks recognise. */
const hasPass = <P extends ProfileWithKeys>(
  { kind }: Card,
  profile: P,
): profile is P & { keys: { cipher: "aes"; masterKey: Uint8Array } } =>
  kind !== "guest" && profile.keys.cipher === "aes";

/**
 * Returns a card's entry in a lock's credential list. Over-the-air cards open by their number alone; others also need
 * what is written on them.
 */
export async function listEntry(
  scope: Scope,
  tx: Transaction,
  card: Card,
): Promise<Pick<LockArgs["set_credential"], "uid" | "recordNeeded" | "pass" | "card">> {
  const { id, uid, kind, overTheAir, profileId } = card;
  if (overTheAir) return { uid, recordNeeded: false };
  const profile = withKeys(scope, await tx.db.cardProfile.findFirstOrThrow({ where: { id: profileId } }));
  if (kind === "guest" || !hasPass(card, profile)) return { uid, recordNeeded: true };
  const pass = hex(passFingerprint(uid, passOf(profile.keys.masterKey, uid, id)));
  return { uid, recordNeeded: true, pass, card: kind };
}

/** Returns everything that the browser needs to write the card. */
export async function toPreparedCard(
  scope: Scope,
  tx: Transaction,
  card: Card,
  profile: ProfileWithKeys,
): Promise<schema.PreparedCard> {
  const [firstTarget, ...others] = targetsOf(card, profile);
  if (!firstTarget) throw new Error("this card carries no record");
  const sectorKey = hex(sectorKeyOf(profile.keys, card.uid));
  const formerProfiles = await tx.db.cardProfile.findMany({
    where: { id: { not: profile.id }, sectors: { hasSome: profile.sectors } },
    orderBy: { id: "desc" },
  });
  const former = formerProfiles.map((other) => hex(sectorKeyOf(withKeys(scope, other).keys, card.uid)));
  const written = new Set([firstTarget, ...others].map(({ sector }) => sector));
  const emptied = (await formerSectors(tx, card)).filter((sector) => !written.has(sector));
  const dataBlock = (sector: number): number => sector * BLOCKS_PER_SECTOR + profile.block;
  return {
    cardId: card.id,
    uid: card.uid,
    keyType: profile.keyType === "B" ? "B" : "A",
    sectorKey,
    formerSectorKeys: [...new Set(former)].filter((key) => key !== sectorKey),
    sector: firstTarget.sector,
    dataBlock: dataBlock(firstTarget.sector),
    data: recordDataFor(card, profile, firstTarget.opens),
    others: [
      ...others.map(({ sector, opens }) => ({ sector, data: recordDataFor(card, profile, opens) })),
      ...emptied.map((sector) => ({ sector, data: EMPTY })),
    ].map(({ sector, data }) => ({ sector, dataBlock: dataBlock(sector), data })),
    validFrom: card.validFrom.toISOString(),
    validTo: card.validTo?.toISOString() ?? null,
  };
}

const EMPTY = "00".repeat(16);

/** Returns sectors in which earlier issues of the card carried a record, so that old records are overwritten. */
async function formerSectors(tx: Transaction, { id, uid }: Card): Promise<number[]> {
  const issues = await tx.db.card.findMany({
    where: { uid, id: { not: id }, overTheAir: false },
    select: { lockNumber: true, zones: true, profile: { select: { cipher: true, sectors: true } } },
  });
  return [...new Set(issues.flatMap((issue) => targetsOf(issue, issue.profile).map(({ sector }) => sector)))];
}
