/** What other programs can be told of. What each one carries is shown in docs/integrations.md. */
export const WEBHOOK_EVENTS = [
  "stay.reserved",
  "stay.checked_in",
  "stay.renewed",
  "stay.room_changed",
  "stay.checked_out",
  "stay.cancelled",
  "card.issued",
  "card.taken_back",
  "unlock.opened",
  "unlock.refused",
  "alarm.raised",
  "alarm.resolved",
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
export type StayEvent = Extract<WebhookEvent, `stay.${string}`>;
export type CardEvent = Extract<WebhookEvent, `card.${string}`>;

/** Sent by hand, whatever a receiver wants. */
export const TEST_EVENT = "webhook.test";

export const DELIVERY_STATES = ["queued", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why a receiver did not take an event. */
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
