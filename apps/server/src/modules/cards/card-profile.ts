import { randomBytes, randomInt } from "node:crypto";
import { nextId } from "../../core/next-id.ts";
import type { Scope } from "../../core/scope.ts";
import type { SealContext } from "../../core/secret-box.ts";
import type { Unit } from "../../core/unit.ts";
import type { CardProfile, Prisma } from "../../infra/database/generated/client.ts";
import type { CardKeys } from "./card-cipher.ts";

/** Where the records of a new hotel's cards lie: in the first block of each. Sector 0 holds the manufacturer's block. */
const SECTORS = [1, 2, 3, 4, 5];
const BLOCK = 0;
const MASTER_KEY_BYTES = 16;
const MAX_SITE_CODE = 0xffff;

export type ProfileWithKeys = CardProfile & { keys: CardKeys };

/** What a new generation of card keys is, all keys as hex. */
export interface NewProfile {
  cipher: CardKeys["cipher"];
  /** the first for the room's record, each of the others for a zone's */
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

/** Whoever makes or changes the hotel's card keys, or wants those in use, does it one after the other. */
export async function holdProfiles(unit: Unit): Promise<void> {
  await unit.sql.rows("SELECT pg_advisory_xact_lock(hashtext('card_profile'), $1)::text");
}

/** The keys in use; a hotel without any gets AES keys of its own. Waits for whoever makes them at the same time. */
export async function profileInUse(scope: Scope, unit: Unit): Promise<ProfileWithKeys> {
  await holdProfiles(unit);
  const profile = await unit.db.cardProfile.findFirst({ where: { retiredAt: null } });
  if (profile) return withKeys(scope, profile);
  const masterKey = newMasterKey();
  const first = { cipher: "aes", sectors: SECTORS, block: BLOCK, keyType: "A", siteCode: newSiteCode() } as const;
  return withKeys(scope, await insertProfile(scope, unit, { ...first, keys: { masterKey } }));
}

/**
 * The keys for a card that all of these locks have to read: the newest that each of them confirmed. A lock that never
 * confirmed any will be set up with those in use.
 */
export async function profileOfLocks(scope: Scope, unit: Unit, which: Prisma.LockWhereInput): Promise<ProfileWithKeys> {
  const inUse = await profileInUse(scope, unit);
  const known = await unit.db.lock.aggregate({
    where: { AND: [which, { removedAt: null, profileId: { not: null } }] },
    _min: { profileId: true },
  });
  const id = known._min.profileId ?? inUse.id;
  if (id >= inUse.id) return inUse;
  return withKeys(scope, await unit.db.cardProfile.findFirstOrThrow({ where: { id } }));
}

/** Where a generation of keys is sealed for. */
export const keysContext = ({ hotelId }: Pick<Scope, "hotelId">, row: number): SealContext => ({
  column: "card_profile.keys_box",
  hotelId,
  row,
});

/** @throws Error if the stored keys can't be opened: the installation's secret key is not the one they were sealed with */
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

/** Writes a generation of keys, sealed, and journals it without them. The caller holds the profiles. */
export async function insertProfile(scope: Scope, unit: Unit, profile: NewProfile): Promise<CardProfile> {
  const { cipher, keys, ...place } = profile;
  const id = await nextId(unit, "card_profile");
  const row = await unit.db.cardProfile.create({
    data: {
      id,
      hotelId: scope.hotelId,
      cipher: cipher === "aes" ? "aes" : "des_cbc",
      ...place,
      keysBox: scope.secrets.card.seal(JSON.stringify(keys), keysContext(scope, id)),
      createdAt: scope.now(),
    },
  });
  unit.journal({ action: "card.profile", entity: "cardProfile", entityId: row.id, after: { cipher, ...place } });
  return row;
}
