-- What is looked up by the thing it belongs to has an index that begins with that thing: ids are unique over all hotels, so
-- one that begins with the hotel only helps where the hotel is said too, and is gone through once for each hotel where not.
DROP INDEX "occupancy_hotel_id_stay_id_idx";
CREATE INDEX "occupancy_stay_id_id_idx" ON "occupancy"("stay_id", "id" DESC);
DROP INDEX "stay_guest_hotel_id_guest_id_idx";
CREATE INDEX "stay_guest_guest_id_idx" ON "stay_guest"("guest_id");
DROP INDEX "orders_hotel_id_stay_id_idx";
CREATE INDEX "orders_stay_id_idx" ON "orders"("stay_id");
DROP INDEX "order_line_hotel_id_order_id_idx";
CREATE INDEX "order_line_order_id_idx" ON "order_line"("order_id");
DROP INDEX "order_line_hotel_id_occupancy_id_idx";
CREATE INDEX "order_line_occupancy_id_idx" ON "order_line"("occupancy_id");
DROP INDEX "ledger_entry_hotel_id_order_id_idx";
CREATE INDEX "ledger_entry_order_id_idx" ON "ledger_entry"("order_id");
DROP INDEX "card_hotel_id_stay_id_idx";
CREATE INDEX "card_stay_id_idx" ON "card"("stay_id");
DROP INDEX "credential_hotel_id_stay_id_idx";
CREATE INDEX "credential_stay_id_idx" ON "credential"("stay_id");
DROP INDEX "credential_hotel_id_card_id_idx";
CREATE INDEX "credential_card_id_idx" ON "credential"("card_id");
DROP INDEX "credential_hotel_id_passcode_id_idx";
CREATE INDEX "credential_passcode_id_idx" ON "credential"("passcode_id");
DROP INDEX "credential_hotel_id_face_id_idx";
CREATE INDEX "credential_face_id_idx" ON "credential"("face_id");
DROP INDEX "passcode_hotel_id_stay_id_idx";
CREATE INDEX "passcode_stay_id_idx" ON "passcode"("stay_id");
DROP INDEX "lock_command_hotel_id_credential_id_idx";
CREATE INDEX "lock_command_credential_id_idx" ON "lock_command"("credential_id");
DROP INDEX "lock_command_hotel_id_card_id_idx";
CREATE INDEX "lock_command_card_id_idx" ON "lock_command"("card_id");

-- Few orders give another back; each order of a list asks for them.
CREATE INDEX orders_refunds ON orders (refunds_order_id) WHERE refunds_order_id IS NOT NULL;

-- When a stay was over, for what asks for a day: the years before it are passed over.
CREATE INDEX stay_ended ON stay (hotel_id, coalesce(checked_out_at, cancelled_at, 'infinity'::timestamptz));

-- How many months a hotel keeps its unlock records; without a number, all of them.
ALTER TABLE "hotel" ADD COLUMN "record_months" INTEGER;
ALTER TABLE "hotel" ADD CONSTRAINT "hotel_record_months" CHECK ("record_months" BETWEEN 1 AND 240);
