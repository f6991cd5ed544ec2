import { createCipheriv, createDecipheriv, createHash, randomBytes, randomInt } from "node:crypto";
import { ALL_DOORS, type CardRecord } from "@innkey/shared/cards/record";
import type { CardProfile, Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import { nextId, type Transaction } from "../../../kernel/transaction.ts";

/** Cipher and plain keys of a hotel's cards. Sizes are in bytes. */
export type CardKeys =
  /**
   * old format with fixed keys: anyone who reads one card or one lock can forge every card; for locks that support
   * nothing else
   */
  | { cipher: "des-cbc"; sectorKey: Uint8Array /* 6 */; desKey: Uint8Array /* 8 */; desIv: Uint8Array /* 8 */ }
  /** all other keys are derived from this one, which never leaves the server */
  | { cipher: "aes"; masterKey: Uint8Array /* 16 */ };

const SYSTEM_ID = "INNKEY";
const MIFARE_KEY_BYTES = 6;
const NUMBER_BYTES = 3;

/**
 * Derives the key that opens the sectors of every card of the hotel. It allows reading and overwriting cards but not
 * forging records.
 */
export const siteKeyOf = (masterKey: Uint8Array): Buffer => diversifiedKey(masterKey, Buffer.from("S"));

/**
 * Derives the key that reads and makes the records of one lock or one zone only. @throws Error for all doors: anyone
 * who took such a key from one lock could make cards for every other lock
 */
export function recordKeyOf(masterKey: Uint8Array, opens: CardRecord["opens"]): Buffer {
  if ("zone" in opens && opens.zone === ALL_DOORS) throw new Error("no key makes a record for all doors");
  const [letter, number] = "lock" in opens ? ["L", opens.lock] : ["Z", opens.zone];
  const input = Buffer.alloc(1 + NUMBER_BYTES);
  input.write(letter);
  input.writeUIntBE(number, 1, NUMBER_BYTES);
  return diversifiedKey(masterKey, input);
}

const ISSUE_BYTES = 4;

/**
 * Returns the 16-byte pass on a staff card or master key card. It can't be forged without the master key and differs
 * for each issue of the card.
 */
export function passOf(masterKey: Uint8Array, uid: string, cardId: number): Buffer {
  const issue = Buffer.alloc(ISSUE_BYTES);
  issue.writeUInt32BE(cardId);
  return diversifiedKey(masterKey, Buffer.concat([Buffer.from("P"), Buffer.from(uid, "hex"), issue]));
}

/** Returns the fingerprint of a pass, which is all that a lock stores: enough to recognise the pass, not to make it. */
export const passFingerprint = (uid: string, pass: Uint8Array): Buffer =>
  createHash("sha256").update(Buffer.from(uid, "hex")).update(pass).digest();

/** Diversifies a key for one card. */
const cardSecret = (key: Uint8Array, uid: string, use: "s" | "r"): Buffer =>
  diversifiedKey(key, Buffer.concat([Buffer.from(uid, "hex"), Buffer.from(SYSTEM_ID + use)]));

/** Returns the MIFARE key of a card's sectors, 6 bytes. With AES it differs for every card. */
export function sectorKeyOf(keys: CardKeys, uid: string): Buffer {
  if (keys.cipher === "des-cbc") return Buffer.from(keys.sectorKey);
  return cardSecret(siteKeyOf(keys.masterKey), uid, "s").subarray(0, MIFARE_KEY_BYTES);
}

/**
 * Returns how the record for a lock or zone is encrypted on the card with that UID. The old format uses the same key for
 * every card and door. @throws Error with AES for all doors
 */
function cipherOf(
  keys: CardKeys,
  uid: string,
  opens: CardRecord["opens"],
): { algorithm: string; key: Buffer; iv: Buffer } {
  if (keys.cipher === "des-cbc") {
    // OpenSSL no longer offers single DES. Triple DES with the same key three times gives identical bytes.
    const key = Buffer.concat([keys.desKey, keys.desKey, keys.desKey]);
    return { algorithm: "des-ede3-cbc", key, iv: Buffer.from(keys.desIv) };
  }
  return {
    algorithm: "aes-128-cbc",
    key: cardSecret(recordKeyOf(keys.masterKey, opens), uid, "r"),
    iv: Buffer.alloc(16),
  };
}

/** Encrypts a record (16 bytes) for that lock or zone, as it is written to the card with that UID. */
export function encryptRecord(keys: CardKeys, uid: string, opens: CardRecord["opens"], record: Uint8Array): Buffer {
  const { algorithm, key, iv } = cipherOf(keys, uid, opens);
  const cipher = createCipheriv(algorithm, key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(record), cipher.final()]);
}

export function decryptRecord(keys: CardKeys, uid: string, opens: CardRecord["opens"], data: Uint8Array): Buffer {
  const { algorithm, key, iv } = cipherOf(keys, uid, opens);
  const decipher = createDecipheriv(algorithm, key, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}

const AES_BLOCK_BYTES = 16;
const ZERO_IV = Buffer.alloc(AES_BLOCK_BYTES);

function encryptBlocks(key: Uint8Array, blocks: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-128-cbc", key, ZERO_IV).setAutoPadding(false);
  return Buffer.concat([cipher.update(blocks), cipher.final()]);
}

/** Doubles a block in GF(2^128), as CMAC derives its subkeys. */
function doubleBlock(block: Uint8Array): Buffer {
  const out = Buffer.alloc(AES_BLOCK_BYTES);
  let carry = 0;
  for (let n = AES_BLOCK_BYTES - 1; n >= 0; n -= 1) {
    const shifted = ((block[n] ?? 0) << 1) | carry;
    out[n] = shifted & 0xff;
    carry = shifted >> 8;
  }
  if (carry) out[AES_BLOCK_BYTES - 1] = (out[AES_BLOCK_BYTES - 1] ?? 0) ^ 0x87;
  return out;
}

/**
 * Computes AES-128-CMAC (RFC 4493). `padTo` (bytes) pads short messages to more than one block, as AN10922 requires.
 */
export function aesCmac(key: Uint8Array, message: Uint8Array, padTo = AES_BLOCK_BYTES): Buffer {
  const first = doubleBlock(encryptBlocks(key, ZERO_IV));
  const length = Math.max(padTo, Math.ceil(message.length / AES_BLOCK_BYTES) * AES_BLOCK_BYTES);
  const padded = Buffer.alloc(length);
  padded.set(message);
  const complete = message.length === length;
  if (!complete) padded[message.length] = 0x80;
  const subkey = complete ? first : doubleBlock(first);
  for (let n = 0; n < AES_BLOCK_BYTES; n += 1) {
    const at = length - AES_BLOCK_BYTES + n;
    padded[at] = (padded[at] ?? 0) ^ (subkey[n] ?? 0);
  }
  return encryptBlocks(key, padded).subarray(length - AES_BLOCK_BYTES);
}

const AES_128_CONSTANT = 0x01;
const MAX_INPUT = 31;

/**
 * Derives a key for one card (NXP AN10922, AES-128): CMAC of 01 ‖ input, padded to 32 bytes. `input` (1 to 31 bytes)
 * identifies the card and the key's purpose. @throws RangeError for an input of another length
 */
export function diversifiedKey(masterKey: Uint8Array, input: Uint8Array): Buffer {
  if (input.length === 0 || input.length > MAX_INPUT) throw new RangeError("diversification input is 1 to 31 bytes");
  return aesCmac(masterKey, Buffer.concat([Buffer.from([AES_128_CONSTANT]), input]), 2 * AES_BLOCK_BYTES);
}

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
export async function lockProfiles(tx: Transaction): Promise<void> {
  await tx.sql.rows("SELECT pg_advisory_xact_lock(hashtext('card_profile'), $1)::text");
}

/**
 * Returns the keys in use and creates AES keys for a hotel without any. Waits for a concurrent transaction that creates
 * them.
 */
export async function profileInUse(scope: Scope, tx: Transaction): Promise<ProfileWithKeys> {
  await lockProfiles(tx);
  const profile = await tx.db.cardProfile.findFirst({ where: { retiredAt: null } });
  if (profile) return withKeys(scope, profile);
  const masterKey = newMasterKey();
  const first = { cipher: "aes", sectors: SECTORS, block: BLOCK, keyType: "A", siteCode: newSiteCode() } as const;
  return withKeys(scope, await insertProfile(scope, tx, { ...first, keys: { masterKey } }));
}

/**
 * Returns the keys for a record that all of these locks must read: the newest that each of them confirmed. Locks that
 * never confirmed any are ignored, as they will be set up with the keys in use.
 */
export async function profileOfLocks(
  scope: Scope,
  tx: Transaction,
  where: Prisma.LockWhereInput,
): Promise<ProfileWithKeys> {
  const currentProfile = await profileInUse(scope, tx);
  const oldest = await tx.db.lock.aggregate({
    where: { AND: [where, { deletedAt: null, profileId: { not: null } }] },
    _min: { profileId: true },
  });
  const id = oldest._min.profileId ?? currentProfile.id;
  if (id >= currentProfile.id) return currentProfile;
  return withKeys(scope, await tx.db.cardProfile.findFirstOrThrow({ where: { id } }));
}

/** Where the records of a card are: what `sectorsOf` needs of the generation of each. */
export type CardLayout = Pick<CardProfile, "id" | "cipher" | "sectors">;

/**
 * Returns the sectors of a card's records: the room's, then one for each zone, the next of its generation that no other
 * record has. Undefined: it has none left. Cards of the old format have one sector for either.
 */
export function sectorsOf(room: CardLayout, zones: readonly CardLayout[]): (number | undefined)[] {
  if (room.cipher === "des_cbc") return [room.sectors[0], ...zones.map(() => room.sectors[0])];
  const taken = [room.sectors[0]];
  for (const { sectors } of zones) taken.push(sectors.slice(1).find((sector) => !taken.includes(sector)));
  return taken;
}

/**
 * Returns the generation of keys for the record of each zone on a card whose room record is of the generation `room`: the
 * newest that all locks of the zone confirmed, so that a lock with older keys or newer ones decides for its own zones
 * alone. It is the room's where no lock of the zone has confirmed keys, or none that records of zones can be made with,
 * or where it leaves no sector free. Cards of the old format carry no zones, others as many as they have sectors for.
 */
export async function profilesOfZones(
  scope: Scope,
  tx: Transaction,
  zoneIds: readonly number[],
  room: ProfileWithKeys,
): Promise<{ zoneId: number; profile: ProfileWithKeys }[]> {
  if (room.cipher !== "aes") return [];
  const oldest = await tx.sql.rows<{ zoneId: number; profileId: number }>(
    `SELECT x.zone_id AS "zoneId", min(l.profile_id) AS "profileId" FROM lock_zone x JOIN lock l ON l.id = x.lock_id
      WHERE x.hotel_id = $1 AND x.zone_id = ANY ($2::int[]) AND x.left_at IS NULL AND l.driver = 'mqtt'
        AND l.deleted_at IS NULL AND l.profile_id IS NOT NULL GROUP BY x.zone_id`,
    [...zoneIds],
  );
  const rows = await tx.db.cardProfile.findMany({
    where: {
      id: { in: oldest.map(({ profileId }) => profileId) },
      ...{ cipher: "aes", block: room.block, keyType: room.keyType },
    },
  });
  const profiles = new Map(rows.map((row) => [row.id, withKeys(scope, row)]));
  const chosen: { zoneId: number; profile: ProfileWithKeys }[] = [];
  for (const zoneId of zoneIds.slice(0, room.sectors.length - 1)) {
    const profileId = oldest.find((row) => row.zoneId === zoneId)?.profileId;
    const own = profiles.get(profileId ?? room.id) ?? room;
    const sectors = sectorsOf(room, [...chosen.map(({ profile }) => profile), own]);
    chosen.push({ zoneId, profile: sectors.at(-1) === undefined ? room : own });
  }
  return chosen;
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
 * `lockProfiles`.
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
