-- A link that went to the guest's phone number isn't proved by the end of that number.

-- AlterTable
ALTER TABLE "guest_link" ADD COLUMN     "sent_to_mobile" BOOLEAN NOT NULL DEFAULT false;

-- Links that went there so far
UPDATE "guest_link" k SET "sent_to_mobile" = true
  FROM "guest_message" m
 WHERE k."revoked_at" IS NULL AND m."stay_guest_id" = k."stay_guest_id" AND m."channel" IN ('sms', 'webhook');
