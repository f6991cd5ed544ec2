-- AlterTable
ALTER TABLE "card" ADD COLUMN "all_doors" BOOLEAN NOT NULL DEFAULT false, ADD COLUMN "once" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "lock" ADD COLUMN "blocked_out_at" TIMESTAMPTZ(3);

-- The locks that have a staff, emergency, block-out or one-shot card on their lists, or should have it: of its rooms and common
-- doors, of the rooms of its groups and the doors of its zones, or of every door. A card that is written is only for locks that
-- read records.
CREATE OR REPLACE VIEW lock_of_staff_card WITH (security_invoker = true) AS
  SELECT c.hotel_id, c.id AS card_id, l.id AS lock_id, l.room_id
    FROM card c
    CROSS JOIN LATERAL (
      SELECT r.id AS room_id, NULL::int AS door_id FROM card_room cr JOIN room r ON r.id = cr.room_id WHERE cr.card_id = c.id AND r.deleted_at IS NULL
      UNION SELECT r.id, NULL FROM card_group cg JOIN room r ON r.hotel_id = c.hotel_id AND r.group_id = cg.group_id
        WHERE cg.card_id = c.id AND r.deleted_at IS NULL
      UNION SELECT NULL, cd.door_id FROM card_door cd WHERE cd.card_id = c.id
      UNION SELECT NULL, zd.door_id FROM card_zone cz JOIN zone z ON z.id = cz.zone_id AND z.deleted_at IS NULL
        JOIN zone_door zd ON zd.zone_id = z.id WHERE cz.card_id = c.id
      UNION SELECT r.id, NULL FROM room r WHERE c.all_doors AND r.hotel_id = c.hotel_id AND r.deleted_at IS NULL
      UNION SELECT NULL, d.id FROM door d WHERE c.all_doors AND d.hotel_id = c.hotel_id AND d.deleted_at IS NULL
    ) at
    JOIN lock l ON l.hotel_id = c.hotel_id AND (l.room_id = at.room_id OR l.door_id = at.door_id) AND l.deleted_at IS NULL
   WHERE c.kind IN ('management', 'emergency', 'block_out', 'one_shot') AND (c.over_the_air OR l.driver = 'mqtt');

DROP INDEX card_staff;
CREATE INDEX card_staff ON card (hotel_id) WHERE kind NOT IN ('guest', 'universal') AND state = 'active';
CREATE INDEX card_used_up ON card (hotel_id) WHERE once AND state = 'active';

-- The notice of a lock compares its columns by name, so it is made anew with when guests were kept out.
DROP TRIGGER lock_update_notice ON lock;
DO $$
DECLARE
  before text;
  after text;
BEGIN
  SELECT string_agg(format('OLD.%I', column_name), ', ' ORDER BY ordinal_position),
         string_agg(format('NEW.%I', column_name), ', ' ORDER BY ordinal_position)
    INTO before, after
    FROM information_schema.columns
   WHERE table_schema = current_schema() AND table_name = 'lock' AND column_name <> ALL
     (ARRAY['last_seen_at', 'drift_seconds', 'otp_next', 'otp_floor', 'event_seq', 'event_log', 'event_base']);
  EXECUTE format('CREATE TRIGGER lock_update_notice AFTER UPDATE ON lock FOR EACH ROW WHEN (ROW(%s) IS DISTINCT FROM ROW(%s))
    EXECUTE FUNCTION notify_row(''locks'')', before, after);
END $$;
