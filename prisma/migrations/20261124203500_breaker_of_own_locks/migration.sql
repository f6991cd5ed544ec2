-- Only locks of our own protocol have a breaker. Any other lock that failed three times in a row is offline, and still tried.
UPDATE "lock" SET "online" = false, "breaker_opened_at" = NULL WHERE "driver" <> 'mqtt' AND "breaker_opened_at" IS NOT NULL;
