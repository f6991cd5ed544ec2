-- A program that books with a key is no operator.
ALTER TABLE "stay" ALTER COLUMN "created_by_id" DROP NOT NULL;

-- Deliveries of a receiver wait for one another: when the next is tried is the receiver's own.
DROP INDEX webhook_delivery_due;
DROP INDEX "webhook_delivery_hotel_id_webhook_id_created_at_idx";
ALTER TABLE "webhook_delivery"
  DROP COLUMN "next_try_at",
  ADD COLUMN "number" BIGSERIAL NOT NULL;
CREATE INDEX "webhook_delivery_hotel_id_webhook_id_number_idx" ON "webhook_delivery"("hotel_id", "webhook_id", "number" DESC);
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (webhook_id, number) WHERE state = 'queued';
-- What is dropped after a month.
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);

ALTER TABLE "webhook"
  ADD COLUMN "previous_secret_box" BYTEA,
  ADD COLUMN "previous_secret_until" TIMESTAMPTZ(3),
  ADD COLUMN "given_up" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "failing_since" TIMESTAMPTZ(3),
  ADD COLUMN "next_try_at" TIMESTAMPTZ(3),
  ADD COLUMN "claimed_until" TIMESTAMPTZ(3);

-- At commit the senders hear who has something to be sent, whatever wrote it.
CREATE FUNCTION tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('innkey', jsonb_build_object('topic', 'webhooks', 'webhookId', w.webhook_id)::text)
    FROM (SELECT DISTINCT webhook_id FROM queued) AS w;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_delivery_told AFTER INSERT ON webhook_delivery
  REFERENCING NEW TABLE AS queued FOR EACH STATEMENT EXECUTE FUNCTION tell_webhooks();
