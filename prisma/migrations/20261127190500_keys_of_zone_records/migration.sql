-- Each zone's record on a card is made with the generation of keys that the zone's locks have, not with that of the room's.

-- AlterTable
ALTER TABLE "card" ADD COLUMN     "zone_profiles" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

UPDATE card SET zone_profiles = array_fill(profile_id, ARRAY[cardinality(zones)]) WHERE zones <> '{}';
