-- Door records are also searched by card and by code or face. Only records that name one are in these indexes.
CREATE INDEX unlock_record_card ON unlock_record (hotel_id, card_id, at DESC, id DESC) WHERE card_id IS NOT NULL;
CREATE INDEX unlock_record_credential ON unlock_record (hotel_id, credential_id, at DESC, id DESC) WHERE credential_id IS NOT NULL;
