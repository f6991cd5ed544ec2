/** Events that webhooks can send. docs/integrators/integrations.md shows the content of each. */
export const WEBHOOK_EVENTS = [
  "stay.reserved",
  "stay.checked_in",
  "stay.check_in_undone",
  "stay.renewed",
  "stay.room_changed",
  "stay.checked_out",
  "stay.check_out_undone",
  "stay.cancelled",
  "stay.no_show",
  "stay.reinstated",
  "stay.charged",
  "stay.charge_cancelled",
  "card.issued",
  "card.taken_back",
  "unlock.opened",
  "unlock.refused",
  "alert.raised",
  "alert.resolved",
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
export type StayEvent = Extract<WebhookEvent, `stay.${string}`>;
export type CardEvent = Extract<WebhookEvent, `card.${string}`>;

/** Sent manually, even if the receiver did not subscribe to it. */
export const TEST_EVENT = "webhook.test";

export const DELIVERY_STATES = ["queued", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Reasons why the delivery of an event failed. */
export const DELIVERY_ERRORS = [
  "timeout",
  "unreachable",
  "no_address",
  "not_allowed",
  "tls",
  "secret",
  "answer",
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];
