-- Notes that one shift leaves the next, and who has read them.

-- CreateTable
CREATE TABLE "hand_over_note" (
    "id" SERIAL NOT NULL,
    "hotel_id" INTEGER NOT NULL,
    "room_id" INTEGER,
    "text" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "author_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "done_at" TIMESTAMPTZ(3),
    "done_by_id" INTEGER,

    CONSTRAINT "hand_over_note_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hand_over_note_read" (
    "hotel_id" INTEGER NOT NULL,
    "note_id" INTEGER NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hand_over_note_read_pkey" PRIMARY KEY ("note_id","operator_id")
);

-- CreateIndex
CREATE INDEX "hand_over_note_hotel_id_done_at_idx" ON "hand_over_note"("hotel_id", "done_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "hand_over_note_hotel_id_id_key" ON "hand_over_note"("hotel_id", "id");

-- AddForeignKey
ALTER TABLE "hand_over_note" ADD CONSTRAINT "hand_over_note_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hand_over_note" ADD CONSTRAINT "hand_over_note_hotel_id_room_id_fkey" FOREIGN KEY ("hotel_id", "room_id") REFERENCES "room"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hand_over_note" ADD CONSTRAINT "hand_over_note_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hand_over_note" ADD CONSTRAINT "hand_over_note_done_by_id_fkey" FOREIGN KEY ("done_by_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hand_over_note_read" ADD CONSTRAINT "hand_over_note_read_hotel_id_note_id_fkey" FOREIGN KEY ("hotel_id", "note_id") REFERENCES "hand_over_note"("hotel_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hand_over_note_read" ADD CONSTRAINT "hand_over_note_read_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "hand_over_note" ADD CONSTRAINT "hand_over_note_done_by" CHECK ((done_at IS NULL) = (done_by_id IS NULL));

CREATE TRIGGER hand_over_note_insert_notice AFTER INSERT ON hand_over_note REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('handOver');
CREATE TRIGGER hand_over_note_update_notice AFTER UPDATE ON hand_over_note REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('handOver');
CREATE TRIGGER hand_over_note_delete_notice AFTER DELETE ON hand_over_note REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION notify_statement('handOver');
