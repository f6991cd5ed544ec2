-- What an agreed total pays for. Lines written before have none, and count as the unit that their stay was booked by.
ALTER TABLE "folio_entry_line" ADD COLUMN "agreed_unit" "stay_unit";
