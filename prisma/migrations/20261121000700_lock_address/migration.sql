-- A lock behind a link is found by what the other system calls it: one name, one lock in the house.
CREATE UNIQUE INDEX lock_one_per_address ON lock (hotel_id, driver, address) WHERE address <> '' AND removed_at IS NULL;
