import { encodeRecord } from "@innkey/shared/cards/record";
import type * as schema from "@innkey/shared/schemas/cards";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Card } from "../../infra/database/generated/client.ts";
import { encryptRecord, sectorKeyOf } from "./card-cipher.ts";
import { type ProfileWithKeys, withKeys } from "./card-profile.ts";

const BLOCKS_PER_SECTOR = 4;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();

/** The record as it lies on the card, as hex: the same for the same row, so that a read-back can be compared. */
export function recordData(card: Card, profile: ProfileWithKeys): string {
  if (card.lockNumber === null) throw new Error("this card carries no record");
  const record = encodeRecord({
    kind: card.kind,
    siteCode: profile.siteCode,
    lockNumber: card.lockNumber,
    sequence: card.sequence,
    validFrom: card.validFrom.toISOString(),
    validTo: card.validTo?.toISOString() ?? null,
  });
  return hex(encryptRecord(profile.keys, card.uid, record));
}

/** Everything that the browser needs to write the card. */
export async function prepared(
  scope: Scope,
  unit: Unit,
  card: Card,
  profile: ProfileWithKeys,
): Promise<schema.PreparedCard> {
  const sectorKey = hex(sectorKeyOf(profile.keys, card.uid));
  const others = await unit.db.cardProfile.findMany({
    where: { id: { not: profile.id }, sector: profile.sector },
    orderBy: { id: "desc" },
  });
  const former = others.map((other) => hex(sectorKeyOf(withKeys(scope, other).keys, card.uid)));
  return {
    cardId: card.id,
    uid: card.uid,
    keyType: profile.keyType === "B" ? "B" : "A",
    sectorKey,
    formerSectorKeys: [...new Set(former)].filter((key) => key !== sectorKey),
    sector: profile.sector,
    dataBlock: profile.sector * BLOCKS_PER_SECTOR + profile.block,
    data: recordData(card, profile),
    validFrom: card.validFrom.toISOString(),
    validTo: card.validTo?.toISOString() ?? null,
  };
}
