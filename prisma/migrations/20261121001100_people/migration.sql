-- CreateIndex
CREATE INDEX "stay_hotel_id_customer_id_starts_at_idx" ON "stay"("hotel_id", "customer_id", "starts_at");

-- CreateIndex
CREATE INDEX "stay_hotel_id_checked_in_at_id_idx" ON "stay"("hotel_id", "checked_in_at", "id");
