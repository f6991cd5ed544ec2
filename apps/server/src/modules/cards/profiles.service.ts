import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/cards";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { holdProfiles, insertProfile, type NewProfile, newMasterKey, newSiteCode } from "./card-profile.ts";
import { configureAll } from "./master.service.ts";

type Input<S extends z.ZodType> = z.infer<S>;
type Place = Pick<schema.NewProfileInput, "sector" | "block" | "keyType">;

/** Generations of card keys, newest first. A lock that confirmed a newer one counts for those before it. */
export async function list(scope: Scope): Promise<Input<typeof schema.profileRows>> {
  scope.require("encryption.manage");
  return scope.sql.rows<schema.ProfileRow>(
    `SELECT p.id, CASE p.cipher WHEN 'aes' THEN 'aes' ELSE 'des-cbc' END AS cipher, p.sector, p.block,
            p.key_type AS "keyType", p.site_code AS "siteCode", iso(p.created_at) AS "createdAt", iso(p.retired_at) AS "retiredAt",
            (count(l.id) FILTER (WHERE l.profile_id >= p.id))::int AS "locksConfirmed", count(l.id)::int AS "locksTotal",
            (SELECT count(*)::int FROM card c WHERE c.hotel_id = $1 AND c.profile_id = p.id AND NOT c.over_the_air
               AND c.state IN ('pending', 'active') AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz)) AS cards
       FROM card_profile p
       LEFT JOIN lock l ON l.hotel_id = p.hotel_id AND l.access_hash IS NOT NULL AND l.removed_at IS NULL
      WHERE p.hotel_id = $1 GROUP BY p.id ORDER BY p.id DESC`,
    scope.now(),
  );
}

/**
 * New card keys from now on, for a person who was given authority over third-party keys too. Each lock that can be told
 * gets them; until it has confirmed, its cards are written with those it knows, and the old ones stay in every lock while
 * live cards carry them. Keys go in, or are made here, and never come out. @throws no_permission;
 * invalid_input for another place on the card than cards that are out have
 */
export async function create(
  scope: Scope,
  input: Input<typeof schema.newProfileInput>,
): Promise<Input<typeof schema.profileCreated>> {
  scope.require("encryption.manage");
  if (!scope.actor.apiKeyAuth) throw new DomainError("no_permission");
  return scope.write(async (unit) => {
    await holdProfiles(unit);
    await checkPlace(scope, unit, input);
    const next = await newProfile(unit, input);
    await unit.db.cardProfile.updateMany({ where: { retiredAt: null }, data: { retiredAt: scope.now() } });
    const { id: profileId } = await insertProfile(scope, unit, next);
    return { profileId, locks: await configureAll(scope, unit) };
  });
}

/**
 * A lock reads one place on a card. While cards that are out carry their record elsewhere, new keys keep to that place:
 * those cards would stay outside, and what was written over would still lie where it was.
 */
async function checkPlace(scope: Scope, unit: Unit, { sector, block, keyType }: Place): Promise<void> {
  const elsewhere = await unit.db.card.findFirst({
    where: {
      overTheAir: false,
      state: { not: "revoked" },
      OR: [{ validTo: null }, { validTo: { gt: scope.now() } }],
      profile: { NOT: { sector, block, keyType } },
    },
    select: { profile: { select: { sector: true, block: true } } },
  });
  if (!elsewhere) return;
  const { profile } = elsewhere;
  throw new DomainError("invalid_input", {}, { sector: { key: "validation.placeInUse", params: { ...profile } } });
}

/** A hotel keeps its site code from one set of AES keys to the next; that of DES comes with the locks that are there. */
async function newProfile(unit: Unit, input: Input<typeof schema.newProfileInput>): Promise<NewProfile> {
  const { sector, block, keyType } = input;
  const place = { sector, block, keyType };
  if (input.cipher === "des-cbc") {
    const { siteCode, sectorKey, desKey, desIv } = input;
    return { ...place, cipher: "des-cbc", siteCode, keys: { sectorKey, desKey, desIv } };
  }
  const former = await unit.db.cardProfile.findFirst({ where: { retiredAt: null, cipher: "aes" } });
  const siteCode = former?.siteCode ?? newSiteCode();
  return { ...place, cipher: "aes", siteCode, keys: { masterKey: newMasterKey() } };
}
