-- Locks behind zigbee2mqtt and TTLock get no keys from us, so there is nothing to set up: they counted as not set up for ever.
UPDATE "lock" SET "configured_at" = "created_at" WHERE "driver" <> 'mqtt' AND "configured_at" IS NULL AND "deleted_at" IS NULL;
