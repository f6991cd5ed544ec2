-- An alert about a message that wasn't delivered stores whose it was instead of the name, which is read when the alert is
-- shown. Alerts from before, and what webhooks were sent about them, lose the name.
UPDATE alert SET params = params - 'name' WHERE kind::text = 'guest_message_failed' AND params ? 'name';
UPDATE webhook_delivery SET payload = payload #- '{details,name}'
 WHERE event IN ('alert.raised', 'alert.resolved') AND payload ->> 'kind' = 'guest_message_failed';
