-- What a receipt names beside the stay: the business that issues it, with its logo, and the business that pays.
ALTER TYPE "file_kind" ADD VALUE 'logo';

ALTER TABLE "hotel" ADD COLUMN "legal_name" TEXT NOT NULL DEFAULT '';
ALTER TABLE "hotel" ADD COLUMN "tax_number" TEXT NOT NULL DEFAULT '';
ALTER TABLE "hotel" ADD COLUMN "logo_file_id" UUID;
ALTER TABLE "hotel" ADD CONSTRAINT "hotel_id_logo_file_id_fkey" FOREIGN KEY ("id", "logo_file_id")
  REFERENCES "stored_file"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "customer" ADD COLUMN "address" TEXT NOT NULL DEFAULT '';
ALTER TABLE "customer" ADD COLUMN "tax_number" TEXT NOT NULL DEFAULT '';

CREATE TABLE "receipt" (
    "hotel_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "stay_id" INTEGER NOT NULL,
    "last_entry_id" INTEGER NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "operator_id" INTEGER,

    CONSTRAINT "receipt_pkey" PRIMARY KEY ("hotel_id","number")
);
CREATE UNIQUE INDEX "receipt_hotel_id_stay_id_last_entry_id_key" ON "receipt"("hotel_id", "stay_id", "last_entry_id");
ALTER TABLE "receipt" ADD CONSTRAINT "receipt_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "receipt" ADD CONSTRAINT "receipt_hotel_id_stay_id_fkey" FOREIGN KEY ("hotel_id", "stay_id") REFERENCES "stay"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "receipt" ADD CONSTRAINT "receipt_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A number that was given out is never changed or given out again.
CREATE TRIGGER receipt_append_only BEFORE UPDATE OR DELETE ON receipt FOR EACH ROW EXECUTE FUNCTION refuse_change();
