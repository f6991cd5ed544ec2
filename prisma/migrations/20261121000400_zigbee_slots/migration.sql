-- CreateTable
CREATE TABLE "zigbee_slot" (
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "user_index" INTEGER NOT NULL,
    "credential_id" INTEGER,
    "status" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "zigbee_slot_pkey" PRIMARY KEY ("lock_id","user_index")
);

-- CreateTable
CREATE TABLE "linked_event" (
    "hotel_id" INTEGER NOT NULL,
    "lock_id" INTEGER NOT NULL,
    "seq" BIGINT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "linked_event_pkey" PRIMARY KEY ("lock_id","seq")
);

-- CreateIndex
CREATE UNIQUE INDEX "zigbee_slot_lock_id_credential_id_key" ON "zigbee_slot"("lock_id", "credential_id");

-- CreateIndex
CREATE UNIQUE INDEX "linked_event_lock_id_fingerprint_key" ON "linked_event"("lock_id", "fingerprint");

-- AddForeignKey
ALTER TABLE "zigbee_slot" ADD CONSTRAINT "zigbee_slot_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "zigbee_slot" ADD CONSTRAINT "zigbee_slot_hotel_id_credential_id_fkey" FOREIGN KEY ("hotel_id", "credential_id") REFERENCES "credential"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "linked_event" ADD CONSTRAINT "linked_event_hotel_id_lock_id_fkey" FOREIGN KEY ("hotel_id", "lock_id") REFERENCES "lock"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE zigbee_slot ADD CONSTRAINT zigbee_slot_index CHECK (user_index BETWEEN 0 AND 249);
