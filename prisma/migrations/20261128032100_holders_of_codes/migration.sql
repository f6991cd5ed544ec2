-- A door code stores which guest of its stay has it, as a card does. Before, its text was compared with names and phone
-- numbers, and two guests of a stay may have the same.

-- AlterTable
ALTER TABLE "passcode" ADD COLUMN     "stay_guest_id" INTEGER;

-- CreateIndex
CREATE INDEX "passcode_stay_guest_id_idx" ON "passcode"("stay_guest_id");

-- AddForeignKey
ALTER TABLE "passcode" ADD CONSTRAINT "passcode_hotel_id_stay_guest_id_fkey" FOREIGN KEY ("hotel_id", "stay_guest_id") REFERENCES "stay_guest"("hotel_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A code of a stay that isn't over belongs to its only guest with the name or the phone number that it was made out to. Phone
-- numbers are the same with or without the country's code, whatever stands between their digits.
WITH fit AS (
  SELECT p.id, sg.id AS stay_guest_id
    FROM passcode p
    JOIN stay s ON s.id = p.stay_id AND s.state IN ('reserved', 'checked_in')
    JOIN stay_guest sg ON sg.stay_id = s.id
    JOIN guest g ON g.id = sg.guest_id
   CROSS JOIN LATERAL (SELECT ltrim(regexp_replace(replace(p.person, '(0)', ''), '[^0-9]', '', 'g'), '0') AS person,
     ltrim(regexp_replace(replace(g.mobile, '(0)', ''), '[^0-9]', '', 'g'), '0') AS mobile) d
   WHERE p.deleted_at IS NULL AND (lower(btrim(p.person)) = lower(btrim(g.name))
      OR p.person ~ '^[+0-9[:space:]()./-]+$' AND d.mobile <> '' AND (d.person = d.mobile
        OR length(d.mobile) >= 6 AND length(d.person) - length(d.mobile) BETWEEN 1 AND 3 AND right(d.person, length(d.mobile)) = d.mobile
        OR length(d.person) >= 6 AND length(d.mobile) - length(d.person) BETWEEN 1 AND 3 AND right(d.mobile, length(d.person)) = d.person))
), only_fit AS (
  SELECT id, min(stay_guest_id) AS stay_guest_id FROM fit GROUP BY id HAVING count(*) = 1
)
UPDATE passcode p SET stay_guest_id = f.stay_guest_id FROM only_fit f WHERE f.id = p.id;

-- When a guest leaves a party, their codes have ended; they stay in the history without their guest.
CREATE FUNCTION release_codes_of_guest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE passcode SET stay_guest_id = NULL WHERE hotel_id = OLD.hotel_id AND stay_guest_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER stay_guest_release_codes BEFORE DELETE ON stay_guest FOR EACH ROW EXECUTE FUNCTION release_codes_of_guest();
