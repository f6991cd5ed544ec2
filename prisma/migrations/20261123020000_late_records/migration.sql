-- When an event happened that a lock reported late, by the console's clock, where the lock's own can be believed. Null: as it was received.
ALTER TABLE unlock_record ADD COLUMN happened_at timestamptz(3);
