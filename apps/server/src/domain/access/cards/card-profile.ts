import { randomBytes, randomInt } from "node:crypto";
import type { CardProfile, Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import { nextId, type Transaction } from "../../../kernel/transaction.ts";

import type { CardKeys } from "./card-cipher.ts";

/**
 * Sectors for the records of a new hotel's cards; each record is in the sector's first block. Sector 0 is left out
 * because it contains the manufacturer's block.
 */
const SECTORS = [1, 2, 3, 4, 5];
const BLOCK = 0;
const MASTER_KEY_BYTES = 16;
const MAX_SITE_CODE = 0xffff;

export type ProfileWithKeys = CardProfile & { keys: CardKeys };

/** A new generation of card keys; all keys are hex. */
export interface NewProfile {
  cipher: CardKeys["cipher"];
  /** the first is for the room's record, each of the others for a zone's record */
  sectors: number[];
  block: number;
  keyType: "A" | "B";
  siteCode: number;
  keys: Readonly<Record<string, string>>;
}

interface StoredKeys {
  [name: string]: string;
}

export const newMasterKey = (): string => randomBytes(MASTER_KEY_BYTES).toString("hex");
export const newSiteCode = (): number => randomInt(1, MAX_SITE_CODE);

/** Serialises transactions that read or change the hotel's card keys, with an advisory lock. */
export async function holdProfiles(tx: Transaction): Promise<void> {
  await tx.sql.rows("SELECT pg_advisory_xact_lock(hashtext('card_profile'), $1)::text");
}

/**
 * Returns the keys in use and creates AES keys for a hotel without any. Waits for a concurrent transaction that creates
 * them.
 */
export async function profileInUse(scope: Scope, tx: Transaction): Promise<ProfileWithKeys> {
  await holdProfiles(tx);
  const profile = await tx.db.cardProfile.findFirst({ where: { retiredAt: null } });
  if (profile) return withKeys(scope, profile);
  const masterKey = newMasterKey();
  const first = { cipher: "aes", sectors: SECTORS, block: BLOCK, keyType: "A", siteCode: newSiteCode() } as const;
  return withKeys(scope, await insertProfile(scope, tx, { ...first, keys: { masterKey } }));
}

/**
 * Returns the keys for a card that all of these locks must read: the newest that each of them confirmed. Locks that
 * never confirmed any are ignored, as they will be set up with the keys in use.
 */
export async function profileOfLocks(
  scope: Scope,
  tx: Transaction,
  which: Prisma.LockWhereInput,
): Promise<ProfileWithKeys> {
  const inUse = await profileInUse(scope, tx);
  const oldest = await tx.db.lock.aggregate({
    where: { AND: [which, { deletedAt: null, profileId: { not: null } }] },
    _min: { profileId: true },
  });
  const id = oldest._min.profileId ?? inUse.id;
  if (id >= inUse.id) return inUse;
  return withKeys(scope, await tx.db.cardProfile.findFirstOrThrow({ where: { id } }));
}

/** Context that the keys of one generation are sealed with. */
export const keysContext = ({ hotelId }: Pick<Scope, "hotelId">, row: number): SealContext => ({
  column: "card_profile.keys_box",
  hotelId,
  row,
});

/** @throws Error if the stored keys can't be opened because they were sealed with another secret key */
export function withKeys(scope: Scope, profile: CardProfile): ProfileWithKeys {
  const opened = scope.secrets.card.open(profile.keysBox, keysContext(scope, profile.id));
  if (opened === null) throw new Error("the card keys were sealed with another secret key");
  const stored = JSON.parse(opened) as StoredKeys;
  const key = (name: string): Buffer => Buffer.from(stored[name] ?? "", "hex");
  const keys: CardKeys =
    profile.cipher === "aes"
      ? { cipher: "aes", masterKey: key("masterKey") }
      : { cipher: "des-cbc", sectorKey: key("sectorKey"), desKey: key("desKey"), desIv: key("desIv") };
  return { ...profile, keys };
}

/**
 * Inserts a generation of keys, sealed, with an audit entry that omits the keys. The caller must have called
 * `holdProfiles`.
 */
export async function insertProfile(scope: Scope, tx: Transaction, profile: NewProfile): Promise<CardProfile> {
  const { cipher, keys, ...details } = profile;
  const id = await nextId(tx, "card_profile");
  const row = await tx.db.cardProfile.create({
    data: {
      id,
      hotelId: scope.hotelId,
      cipher: cipher === "aes" ? "aes" : "des_cbc",
      ...details,
      keysBox: scope.secrets.card.seal(JSON.stringify(keys), keysContext(scope, id)),
      createdAt: scope.now(),
    },
  });
  tx.audit({ action: "card.profile", entity: "cardProfile", entityId: row.id, after: { cipher, ...details } });
  return row;
}
