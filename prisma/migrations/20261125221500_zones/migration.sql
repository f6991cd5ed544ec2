-- Zones: common doors that guests open with the keys of their stay.

-- AlterEnum
ALTER TYPE "revoke_reason" ADD VALUE 'zone_left';

-- AlterTable
ALTER TABLE "card" ADD COLUMN     "revoked_zones" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN     "zones_revoked_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "zone" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "door_kind" NOT NULL,
    "every_guest" BOOLEAN NOT NULL DEFAULT false,
    "is_extra" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "zone_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "zone_door" (
    "hotel_id" INTEGER NOT NULL,
    "zone_id" INTEGER NOT NULL,
    "door_id" INTEGER NOT NULL,

    CONSTRAINT "zone_door_pkey" PRIMARY KEY ("zone_id","door_id")
);

-- CreateTable
CREATE TABLE "zone_group" (
    "hotel_id" INTEGER NOT NULL,
    "zone_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,

    CONSTRAINT "zone_group_pkey" PRIMARY KEY ("zone_id","group_id")
);

-- CreateTable
CREATE TABLE "stay_zone" (
    "hotel_id" INTEGER NOT NULL,
    "stay_id" INTEGER NOT NULL,
    "zone_id" INTEGER NOT NULL,

    CONSTRAINT "stay_zone_pkey" PRIMARY KEY ("stay_id","zone_id")
);

-- CreateTable
CREATE TABLE "lock_zone" (
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "zone_id" INTEGER NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "left_at" TIMESTAMPTZ(3),

    CONSTRAINT "lock_zone_pkey" PRIMARY KEY ("lock_id","zone_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "zone_hotel_id_id_key" ON "zone"("hotel_id", "id");

-- CreateIndex
CREATE INDEX "zone_door_door_id_idx" ON "zone_door"("door_id");

-- CreateIndex
CREATE INDEX "zone_group_group_id_idx" ON "zone_group"("group_id");

-- CreateIndex
CREATE INDEX "stay_zone_zone_id_idx" ON "stay_zone"("zone_id");

-- CreateIndex
CREATE INDEX "lock_zone_zone_id_idx" ON "lock_zone"("zone_id");

-- AddForeignKey
ALTER TABLE "zone" ADD CONSTRAINT "zone_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "zone_door" ADD CONSTRAINT "zone_door_hotel_id_zone_id_fkey" FOREIGN KEY ("hotel_id", "zone_id") REFERENCES "zone"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "zone_door" ADD CONSTRAINT "zone_door_hotel_id_door_id_fkey" FOREIGN KEY ("hotel_id", "door_id") REFERENCES "door"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "zone_group" ADD CONSTRAINT "zone_group_hotel_id_zone_id_fkey" FOREIGN KEY ("hotel_id", "zone_id") REFERENCES "zone"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "zone_group" ADD CONSTRAINT "zone_group_hotel_id_group_id_fkey" FOREIGN KEY ("hotel_id", "group_id") REFERENCES "room_group"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay_zone" ADD CONSTRAINT "stay_zone_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stay_zone" ADD CONSTRAINT "stay_zone_hotel_id_zone_id_fkey" FOREIGN KEY ("hotel_id", "zone_id") REFERENCES "zone"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock_zone" ADD CONSTRAINT "lock_zone_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lock_zone" ADD CONSTRAINT "lock_zone_hotel_id_zone_id_fkey" FOREIGN KEY ("hotel_id", "zone_id") REFERENCES "zone"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE UNIQUE INDEX zone_name ON zone (hotel_id, lower(name)) WHERE deleted_at IS NULL;

CREATE TRIGGER zone_insert_notice AFTER INSERT ON zone REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER zone_update_notice AFTER UPDATE ON zone REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER zone_delete_notice AFTER DELETE ON zone REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER zone_door_insert_notice AFTER INSERT ON zone_door REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER zone_door_update_notice AFTER UPDATE ON zone_door REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER zone_door_delete_notice AFTER DELETE ON zone_door REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER zone_group_insert_notice AFTER INSERT ON zone_group REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER zone_group_update_notice AFTER UPDATE ON zone_group REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER zone_group_delete_notice AFTER DELETE ON zone_group REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER stay_zone_insert_notice AFTER INSERT ON stay_zone REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');
CREATE TRIGGER stay_zone_update_notice AFTER UPDATE ON stay_zone REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');
CREATE TRIGGER stay_zone_delete_notice AFTER DELETE ON stay_zone REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');
CREATE TRIGGER lock_zone_insert_notice AFTER INSERT ON lock_zone REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER lock_zone_update_notice AFTER UPDATE ON lock_zone REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');
CREATE TRIGGER lock_zone_delete_notice AFTER DELETE ON lock_zone REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('locks');

-- The zones that a stay opens besides its room: one rule for cards, codes, faces and whatever shows them.
CREATE VIEW zone_of_stay WITH (security_invoker = true) AS
  SELECT s.hotel_id, s.id AS stay_id, z.id AS zone_id
    FROM stay s
    CROSS JOIN LATERAL (SELECT o.room_id FROM occupancy o WHERE o.stay_id = s.id ORDER BY o.id DESC LIMIT 1) o
    JOIN room r ON r.id = o.room_id
    JOIN zone z ON z.hotel_id = s.hotel_id AND z.deleted_at IS NULL
   WHERE s.state IN ('reserved', 'checked_in')
     AND (z.every_guest
       OR EXISTS (SELECT FROM zone_group g WHERE g.zone_id = z.id AND g.group_id = r.group_id)
       OR z.is_extra AND EXISTS (SELECT FROM stay_zone x WHERE x.stay_id = s.id AND x.zone_id = z.id));

-- The common doors of these zones, each with its lock; null: it has none.
CREATE VIEW door_of_stay WITH (security_invoker = true) AS
  SELECT v.hotel_id, v.stay_id, v.zone_id, d.id AS door_id, l.id AS lock_id
    FROM zone_of_stay v
    JOIN zone_door zd ON zd.zone_id = v.zone_id
    JOIN door d ON d.id = zd.door_id AND d.deleted_at IS NULL
    LEFT JOIN lock l ON l.hotel_id = d.hotel_id AND l.door_id = d.id AND l.deleted_at IS NULL;

-- The keys of stays at common doors.
CREATE INDEX credential_at_common_doors ON credential (hotel_id)
  WHERE room_id IS NULL AND stay_id IS NOT NULL AND state NOT IN ('revoking', 'revoked');

CREATE INDEX card_lost_zones ON card (hotel_id) WHERE state = 'active' AND revoked_zones <> '{}';

-- Cards that should no longer open but may, by lock: as before by their room record and by the locks' lists, and now also by
-- their zone records, which locks can only refuse by the card's number. A card whose stay lost a zone keeps the others.
CREATE OR REPLACE VIEW card_risk AS
  SELECT c.hotel_id, c.id AS card_id, l.id AS lock_id,
      end_at_lock(c.valid_to, 'mqtt', l.drift_seconds, l.last_seen_at) AS ends_at
    FROM card c JOIN lock l ON l.hotel_id = c.hotel_id AND l.id = c.lock_number
   WHERE c.state = 'revoking' AND NOT c.over_the_air AND l.guest_floor <= c.sequence
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.subject = 'card:' || c.uid AND k.state = 'acknowledged'
            AND (k.type = 'block_card' OR (k.type = 'allow_card' AND k.card_id <> c.id))
            AND (k.expires_at IS NULL OR k.expires_at >= c.valid_to)
            AND NOT EXISTS (SELECT FROM lock_command a
                 WHERE a.lock_id = l.id AND a.subject = k.subject AND a.type = 'allow_card' AND a.card_id = c.id
                   AND a.seq > k.seq AND a.state <> 'superseded'))
  UNION ALL
  SELECT c.hotel_id, c.id, t.lock_id,
      end_at_lock(furthest_end(t.valid_to, t.at_lock_from, t.at_lock_to), l.driver, l.drift_seconds, l.last_seen_at)
    FROM card c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id
    JOIN lock l ON l.id = t.lock_id
   WHERE c.state = 'revoking' AND t.state <> 'revoked'
  UNION ALL
  SELECT c.hotel_id, c.id, l.id, end_at_lock(c.valid_to, 'mqtt', l.drift_seconds, l.last_seen_at)
    FROM card c
    CROSS JOIN LATERAL (SELECT DISTINCT x.lock_id FROM lock_zone x WHERE x.hotel_id = c.hotel_id AND x.zone_id = ANY (c.zones)) z
    JOIN lock l ON l.id = z.lock_id AND l.driver = 'mqtt'
   WHERE c.state = 'revoking' AND c.zones <> '{}' AND c.kind = 'guest' AND NOT c.over_the_air
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.subject = 'card:' || c.uid AND k.state = 'acknowledged'
            AND (k.type = 'block_card' OR (k.type = 'allow_card' AND k.card_id <> c.id))
            AND (k.expires_at IS NULL OR k.expires_at >= c.valid_to)
            AND NOT EXISTS (SELECT FROM lock_command a
                 WHERE a.lock_id = l.id AND a.subject = k.subject AND a.type = 'allow_card' AND a.card_id = c.id
                   AND a.seq > k.seq AND a.state <> 'superseded'))
  UNION ALL
  SELECT c.hotel_id, c.id, l.id, end_at_lock(c.valid_to, 'mqtt', l.drift_seconds, l.last_seen_at)
    FROM card c
    CROSS JOIN LATERAL (SELECT DISTINCT x.lock_id FROM lock_zone x WHERE x.hotel_id = c.hotel_id AND x.zone_id = ANY (c.revoked_zones)) z
    JOIN lock l ON l.id = z.lock_id AND l.driver = 'mqtt'
   WHERE c.state = 'active' AND c.revoked_zones <> '{}' AND c.kind = 'guest' AND NOT c.over_the_air
     AND NOT EXISTS (SELECT FROM lock_zone y WHERE y.lock_id = l.id AND y.left_at IS NULL
       AND y.zone_id = ANY (c.zones) AND y.zone_id <> ALL (c.revoked_zones))
     AND NOT EXISTS (SELECT FROM lock_command k
          WHERE k.lock_id = l.id AND k.subject = 'card:' || c.uid AND k.state = 'acknowledged'
            AND (k.type = 'block_card' OR (k.type = 'allow_card' AND k.card_id <> c.id))
            AND (k.expires_at IS NULL OR k.expires_at >= c.valid_to)
            AND NOT EXISTS (SELECT FROM lock_command a
                 WHERE a.lock_id = l.id AND a.subject = k.subject AND a.type = 'allow_card' AND a.card_id = c.id
                   AND a.seq > k.seq AND a.state <> 'superseded'));

-- One more reason to write a card again:
--   zones         the stay opens a zone that the card doesn't carry although it has room for it
CREATE OR REPLACE VIEW card_to_rewrite WITH (security_invoker = true) AS
  SELECT c.hotel_id, c.id AS card_id, s.id AS stay_id, c.stay_guest_id, why.reason
    FROM card c
    LEFT JOIN stay s ON s.hotel_id = c.hotel_id AND s.id = c.stay_id AND s.state = 'checked_in'
    JOIN hotel h ON h.id = c.hotel_id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN s.id IS NOT NULL AND c.state IN ('revoking', 'revoked') AND c.revoke_reason = 'reissued' AND EXISTS (
        SELECT FROM card p WHERE p.hotel_id = c.hotel_id AND p.uid = c.uid AND p.stay_id = s.id AND p.state = 'pending'
          AND NOT p.over_the_air AND p.id > c.id) THEN 'unfinished'
      WHEN s.id IS NOT NULL AND c.state IN ('revoking', 'revoked')
        AND c.revoke_reason IN ('room_changed', 'lock_moved', 'sequence_reset') AND EXISTS (
          SELECT FROM occupancy o JOIN lock l ON l.hotel_id = c.hotel_id AND l.room_id = o.room_id AND l.driver = 'mqtt'
           WHERE o.hotel_id = c.hotel_id AND o.stay_id = s.id AND o.state = 'in_house')
        THEN CASE c.revoke_reason WHEN 'room_changed' THEN 'room_changed' ELSE 'refused' END
      WHEN c.state <> 'active' THEN NULL
      WHEN s.id IS NOT NULL AND c.valid_to < s.ends_at + make_interval(mins => h.access_late_minutes) THEN 'too_short'
      WHEN NOT EXISTS (SELECT FROM card_room cr JOIN lock l ON l.hotel_id = c.hotel_id AND l.room_id = cr.room_id
         WHERE cr.card_id = c.id AND l.id = c.lock_number AND l.guest_floor <= c.sequence) THEN 'refused'
      WHEN s.id IS NOT NULL AND EXISTS (SELECT FROM card_profile p WHERE p.id = c.profile_id AND p.cipher = 'aes'
          AND cardinality(c.zones) - cardinality(c.revoked_zones) < cardinality(p.sectors) - 1)
        AND EXISTS (SELECT FROM zone_of_stay v WHERE v.stay_id = s.id AND v.zone_id <> ALL (c.zones)
          AND EXISTS (SELECT FROM lock_zone x JOIN lock l ON l.id = x.lock_id AND l.driver = 'mqtt'
            WHERE x.zone_id = v.zone_id AND x.left_at IS NULL)) THEN 'zones'
      END AS reason) why
   WHERE c.kind = 'guest' AND NOT c.over_the_air AND c.confirmed_at IS NOT NULL AND c.replaced_at IS NULL
     AND why.reason IS NOT NULL;
