import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { configureAll } from "../locks/configure.ts";
import { insertProfile, lockProfiles, type NewProfile, newMasterKey, newSiteCode } from "./card-keys.ts";

type Input<S extends z.ZodType> = z.infer<S>;
type CardLayout = Pick<NewProfile, "sectors" | "block" | "keyType">;

/**
 * Returns the generations of card keys, newest first. A lock that confirmed a newer one counts for earlier ones too.
 */
export async function list(scope: Scope): Promise<Input<typeof schema.profileRows>> {
  scope.require("encryption.manage");
  return scope.sql.rows<schema.ProfileRow>(
    `SELECT p.id, CASE p.cipher WHEN 'aes' THEN 'aes' ELSE 'des-cbc' END AS cipher, p.sectors, p.block,
            p.key_type AS "keyType", p.site_code AS "siteCode", iso(p.created_at) AS "createdAt", iso(p.retired_at) AS "retiredAt",
            (count(l.id) FILTER (WHERE l.profile_id >= p.id))::int AS "locksConfirmed", count(l.id)::int AS "locksTotal",
            (SELECT count(*)::int FROM card c WHERE c.hotel_id = $1 AND (c.profile_id = p.id OR p.id = ANY (c.zone_profiles))
               AND NOT c.over_the_air
               AND is_valid_card(c.state, c.valid_to, $2::timestamptz)) AS cards
       FROM card_profile p
       LEFT JOIN lock l ON l.hotel_id = p.hotel_id AND l.access_hash IS NOT NULL AND l.deleted_at IS NULL
      WHERE p.hotel_id = $1 GROUP BY p.id ORDER BY p.id DESC`,
    scope.now(),
  );
}

/**
 * Creates new card keys. Requires a staff member who may also manage API keys. Every reachable lock receives them.
 * Until a lock confirms, its cards are written with keys it has confirmed before; old keys stay in every lock while
 * live cards use them. Keys can be entered or generated here but are never returned. @throws no_permission;
 * invalid_input for a layout that differs from that of cards in use
 */
export async function create(
  scope: Scope,
  input: Input<typeof schema.newProfileInput>,
): Promise<Input<typeof schema.profileCreated>> {
  scope.require("encryption.manage");
  if (!scope.actor.apiKeyAuth) throw new DomainError("no_permission");
  return scope.write(async (tx) => {
    await lockProfiles(tx);
    const next = await newProfile(tx, input);
    await checkLayout(scope, tx, next);
    await tx.db.cardProfile.updateMany({ where: { retiredAt: null }, data: { retiredAt: scope.now() } });
    const { id: profileId } = await insertProfile(scope, tx, next);
    return { profileId, locks: await configureAll(scope, tx) };
  });
}

/**
 * While cards with records are in use, new keys must use the same layout: a client that writes one sector must find it,
 * and no old record may remain in another sector.
 */
async function checkLayout(scope: Scope, tx: Transaction, { sectors, block, keyType }: CardLayout): Promise<void> {
  const cardsInUse = await tx.db.card.findMany({
    where: {
      overTheAir: false,
      state: { not: "revoked" },
      OR: [{ validTo: null }, { validTo: { gt: scope.now() } }],
    },
    distinct: ["profileId", "kind"],
    select: { kind: true, profile: true },
  });
  const conflict = cardsInUse.find(({ kind, profile }) => {
    const recordIndex = kind === "guest" || profile.cipher === "des_cbc" ? 0 : 1;
    const isUnchanged =
      profile.sectors[recordIndex] === sectors[recordIndex] && profile.block === block && profile.keyType === keyType;
    return !isUnchanged;
  });
  if (!conflict) return;
  const { block: usedBlock, sectors: usedSectors } = conflict.profile;
  const params = { sectors: usedSectors.join(", "), block: usedBlock };
  throw new DomainError("invalid_input", {}, { sectors: { key: "validation.placeInUse", params } });
}

/**
 * A hotel's site code stays the same from one set of AES keys to the next. The site code for DES is set in the existing
 * locks, so it is entered.
 */
async function newProfile(tx: Transaction, input: Input<typeof schema.newProfileInput>): Promise<NewProfile> {
  const { block, keyType } = input;
  const sectorPlace = { block, keyType };
  if (input.cipher === "des-cbc") {
    const { sector, siteCode, sectorKey, desKey, desIv } = input;
    return { ...sectorPlace, sectors: [sector], cipher: "des-cbc", siteCode, keys: { sectorKey, desKey, desIv } };
  }
  const former = await tx.db.cardProfile.findFirst({ where: { retiredAt: null, cipher: "aes" } });
  const siteCode = former?.siteCode ?? newSiteCode();
  return { ...sectorPlace, sectors: input.sectors, cipher: "aes", siteCode, keys: { masterKey: newMasterKey() } };
}
