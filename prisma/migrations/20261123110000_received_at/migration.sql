-- When the console heard of an event: the lock's own clock may be wrong. Null for what was heard before this was noted.
ALTER TABLE unlock_record ADD COLUMN received_at timestamptz(3);
