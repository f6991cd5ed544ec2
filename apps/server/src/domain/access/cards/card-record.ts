import { type CardRecord, encodeRecord } from "@innkey/shared/cards/record";
import type { LockArgs } from "@innkey/shared/locks/protocol";
import { type WeekHours, weekHours } from "@innkey/shared/locks/week-hours";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { Card } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import {
  type CardLayout,
  encryptRecord,
  type ProfileWithKeys,
  passFingerprint,
  passOf,
  sectorKeyOf,
  sectorsOf,
  withKeys,
} from "./card-keys.ts";

const BLOCKS_PER_SECTOR = 4;

/** Returns the days and hours at which a card opens; none: at any time. */
export const hoursOf = ({ hours }: { hours: unknown }): WeekHours => weekHours.parse(hours);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();

type CardOpenings = Pick<Card, "profileId" | "lockNumber" | "zones" | "zoneProfiles">;

interface RecordTarget<Layout extends CardLayout> {
  sector: number;
  opens: CardRecord["opens"];
  /** the generation that the record is made with */
  profile: Layout;
}

/** Returns where the records of a card are: the room's first, then those of its zones. */
function targetsOf<Layout extends CardLayout>(
  { profileId, lockNumber, zones, zoneProfiles }: CardOpenings,
  profiles: ReadonlyMap<number, Layout>,
): RecordTarget<Layout>[] {
  const layoutOf = (id: number | undefined): Layout => {
    const layout = profiles.get(id ?? profileId);
    if (!layout) throw new Error("the card's keys are unknown");
    return layout;
  };
  const own = layoutOf(profileId);
  const layouts = zones.map((_zone, index) => layoutOf(zoneProfiles[index]));
  const [first = 0, ...others] = sectorsOf(own, layouts);
  const room = lockNumber === null ? [] : [{ sector: first, opens: { lock: lockNumber }, profile: own }];
  return [
    ...room,
    ...zones.map((zone, index) => ({ sector: others[index] ?? 0, opens: { zone }, profile: layouts[index] ?? own })),
  ];
}

/**
 * Returns the first record of a card as it is written, as hex. The result is always the same for the same row, so that
 * a read-back can be compared with it.
 */
export function recordData(card: Card, profile: ProfileWithKeys): string {
  const { lockNumber, zones, overTheAir } = card;
  const opens = lockNumber === null ? zones.map((zone) => ({ zone }))[0] : { lock: lockNumber };
  if (!opens || overTheAir) throw new Error("this card carries no record");
  return recordDataFor(card, profile, opens);
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
): Promise<Pick<LockArgs["set_credential"], "uid" | "recordNeeded" | "pass" | "card" | "hours" | "once">> {
  const { id, uid, kind, overTheAir, profileId, once } = card;
  const hours = hoursOf(card);
  const limits = { ...(hours.length > 0 && { hours }), ...(once && { once }) };
  if (overTheAir) return { uid, recordNeeded: false, ...limits };
  const profile = withKeys(scope, await tx.db.cardProfile.findFirstOrThrow({ where: { id: profileId } }));
  if (kind === "guest" || !hasPass(card, profile)) return { uid, recordNeeded: true, ...limits };
  const pass = hex(passFingerprint(uid, passOf(profile.keys.masterKey, uid, id)));
  return { uid, recordNeeded: true, pass, card: kind, ...limits };
}

/** Returns everything that the browser needs to write the card. */
export async function toPreparedCard(
  scope: Scope,
  tx: Transaction,
  card: Card,
  profile: ProfileWithKeys,
): Promise<schema.PreparedCard> {
  const rows = await tx.db.cardProfile.findMany({ orderBy: { id: "desc" } });
  const profiles = new Map(rows.map((row) => [row.id, withKeys(scope, row)]));
  const [firstTarget, ...others] = targetsOf(card, profiles);
  if (!firstTarget) throw new Error("this card carries no record");
  const keyOf = ({ keys }: ProfileWithKeys): string => hex(sectorKeyOf(keys, card.uid));
  const sectorKey = keyOf(profile);
  const written = new Set([firstTarget, ...others].map(({ sector }) => sector));
  const emptied = (await formerSectors(tx, card, profiles)).filter((sector) => !written.has(sector));
  const used = [profile, ...others.map((other) => other.profile)].flatMap(({ sectors }) => sectors);
  const former = [...profiles.values()].filter(({ sectors }) => sectors.some((sector) => used.includes(sector)));
  const dataBlock = (sector: number): number => sector * BLOCKS_PER_SECTOR + profile.block;
  return {
    cardId: card.id,
    uid: card.uid,
    keyType: profile.keyType === "B" ? "B" : "A",
    sectorKey,
    formerSectorKeys: [...new Set(former.map(keyOf))].filter((key) => key !== sectorKey),
    sector: firstTarget.sector,
    dataBlock: dataBlock(firstTarget.sector),
    data: recordDataFor(card, profile, firstTarget.opens),
    others: [
      ...others.map((other) => ({
        sector: other.sector,
        sectorKey: keyOf(other.profile),
        data: recordDataFor(card, other.profile, other.opens),
      })),
      ...emptied.map((sector) => ({ sector, sectorKey, data: EMPTY })),
    ].map((other) => ({ ...other, dataBlock: dataBlock(other.sector) })),
    validFrom: card.validFrom.toISOString(),
    validTo: card.validTo?.toISOString() ?? null,
  };
}

const EMPTY = "00".repeat(16);

/** Returns sectors in which earlier issues of the card carried a record, so that old records are overwritten. */
async function formerSectors(
  tx: Transaction,
  { id, uid }: Card,
  profiles: ReadonlyMap<number, CardLayout>,
): Promise<number[]> {
  const issues = await tx.db.card.findMany({
    where: { uid, id: { not: id }, overTheAir: false },
    select: { profileId: true, lockNumber: true, zones: true, zoneProfiles: true },
  });
  return [...new Set(issues.flatMap((issue) => targetsOf(issue, profiles).map(({ sector }) => sector)))];
}
