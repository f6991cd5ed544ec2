import { randomBytes, randomInt } from "node:crypto";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { CardProfile } from "../../infra/database/generated/client.ts";
import type { CardKeys } from "./card-cipher.ts";

/** Where the record of a new hotel's cards lies: sector 1, its first block. Sector 0 holds the manufacturer's block. */
const SECTOR = 1;
const BLOCK = 0;
const MASTER_KEY_BYTES = 16;
const LARGEST_SITE_CODE = 0xffff;

export type ProfileWithKeys = CardProfile & { keys: CardKeys };

interface StoredKeys {
  [name: string]: string;
}

/** The keys in use; a hotel without any gets AES keys of its own. Waits for whoever makes them at the same time. */
export async function profileInUse(scope: Scope, unit: Unit): Promise<ProfileWithKeys> {
  await unit.sql.rows("SELECT pg_advisory_xact_lock(hashtext('card_profile'), $1)::text");
  const found = await unit.db.cardProfile.findFirst({ where: { retiredAt: null } });
  return withKeys(scope, found ?? (await createProfile(scope, unit)));
}

/** @throws Error if the stored keys can't be opened: the installation's secret key is not the one they were sealed with */
export function withKeys(scope: Scope, profile: CardProfile): ProfileWithKeys {
  const opened = scope.secrets.card.open(profile.keysBox);
  if (opened === null) throw new Error("the card keys were sealed with another secret key");
  const stored = JSON.parse(opened) as StoredKeys;
  const key = (name: string): Buffer => Buffer.from(stored[name] ?? "", "hex");
  const keys: CardKeys =
    profile.cipher === "aes"
      ? { cipher: "aes", masterKey: key("masterKey") }
      : { cipher: "des-cbc", sectorKey: key("sectorKey"), desKey: key("desKey"), desIv: key("desIv") };
  return { ...profile, keys };
}

async function createProfile(scope: Scope, unit: Unit): Promise<CardProfile> {
  const masterKey = randomBytes(MASTER_KEY_BYTES).toString("hex");
  const profile = await unit.db.cardProfile.create({
    data: {
      hotelId: scope.hotelId,
      cipher: "aes",
      sector: SECTOR,
      block: BLOCK,
      keyType: "A",
      siteCode: randomInt(1, LARGEST_SITE_CODE),
      keysBox: scope.secrets.card.seal(JSON.stringify({ masterKey })),
      createdAt: scope.now(),
    },
  });
  unit.journal({
    action: "card.profile",
    entity: "cardProfile",
    entityId: profile.id,
    after: { cipher: "aes", sector: SECTOR },
  });
  return profile;
}
