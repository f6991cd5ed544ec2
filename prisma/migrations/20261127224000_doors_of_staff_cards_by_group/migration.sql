-- Room groups and zones whose doors a staff card opens, beside its rooms and common doors.

-- AlterEnum
ALTER TYPE "revoke_reason" ADD VALUE 'door_left';

-- CreateTable
CREATE TABLE "card_group" (
    "hotel_id" INTEGER NOT NULL,
    "card_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,

    CONSTRAINT "card_group_pkey" PRIMARY KEY ("card_id","group_id")
);

-- CreateTable
CREATE TABLE "card_zone" (
    "hotel_id" INTEGER NOT NULL,
    "card_id" INTEGER NOT NULL,
    "zone_id" INTEGER NOT NULL,

    CONSTRAINT "card_zone_pkey" PRIMARY KEY ("card_id","zone_id")
);

-- CreateIndex
CREATE INDEX "card_group_hotel_id_group_id_idx" ON "card_group"("hotel_id", "group_id");

-- CreateIndex
CREATE INDEX "card_zone_hotel_id_zone_id_idx" ON "card_zone"("hotel_id", "zone_id");

-- AddForeignKey
ALTER TABLE "card_group" ADD CONSTRAINT "card_group_hotel_id_card_id_fkey" FOREIGN KEY ("hotel_id", "card_id") REFERENCES "card"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_group" ADD CONSTRAINT "card_group_hotel_id_group_id_fkey" FOREIGN KEY ("hotel_id", "group_id") REFERENCES "room_group"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_zone" ADD CONSTRAINT "card_zone_hotel_id_card_id_fkey" FOREIGN KEY ("hotel_id", "card_id") REFERENCES "card"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_zone" ADD CONSTRAINT "card_zone_hotel_id_zone_id_fkey" FOREIGN KEY ("hotel_id", "zone_id") REFERENCES "zone"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER card_group_insert_notice AFTER INSERT ON card_group REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');
CREATE TRIGGER card_group_update_notice AFTER UPDATE ON card_group REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');
CREATE TRIGGER card_group_delete_notice AFTER DELETE ON card_group REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');
CREATE TRIGGER card_zone_insert_notice AFTER INSERT ON card_zone REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');
CREATE TRIGGER card_zone_update_notice AFTER UPDATE ON card_zone REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');
CREATE TRIGGER card_zone_delete_notice AFTER DELETE ON card_zone REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('keys');

-- The locks that a staff card opens: those of its rooms, its common doors, the rooms of its groups and the doors of its zones.
CREATE VIEW lock_of_staff_card WITH (security_invoker = true) AS
  SELECT c.hotel_id, c.id AS card_id, l.id AS lock_id, l.room_id
    FROM card c
    CROSS JOIN LATERAL (
      SELECT r.id AS room_id, NULL::int AS door_id FROM card_room cr JOIN room r ON r.id = cr.room_id WHERE cr.card_id = c.id AND r.deleted_at IS NULL
      UNION SELECT r.id, NULL FROM card_group cg JOIN room r ON r.hotel_id = c.hotel_id AND r.group_id = cg.group_id
        WHERE cg.card_id = c.id AND r.deleted_at IS NULL
      UNION SELECT NULL, cd.door_id FROM card_door cd WHERE cd.card_id = c.id
      UNION SELECT NULL, zd.door_id FROM card_zone cz JOIN zone z ON z.id = cz.zone_id AND z.deleted_at IS NULL
        JOIN zone_door zd ON zd.zone_id = z.id WHERE cz.card_id = c.id
    ) at
    JOIN lock l ON l.hotel_id = c.hotel_id AND (l.room_id = at.room_id OR l.door_id = at.door_id) AND l.deleted_at IS NULL
   WHERE c.kind = 'management' AND (c.over_the_air OR l.driver = 'mqtt');

CREATE INDEX card_staff ON card (hotel_id) WHERE kind = 'management' AND state = 'active';
