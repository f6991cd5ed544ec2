-- A guest's own identity card opens the door by its number. The number is personal data: screens show its end alone, and
-- it is erased with the guest's documents.
ALTER TABLE "card" ADD COLUMN     "id_card" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE card ADD CONSTRAINT card_id_card CHECK (NOT id_card OR (over_the_air AND kind = 'guest'));

CREATE FUNCTION shown_uid(uid text, id_card boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN NOT id_card THEN uid WHEN uid = '' THEN '' ELSE '••••' || right(uid, 4) END
$$;
