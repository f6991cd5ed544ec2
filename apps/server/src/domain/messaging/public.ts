// What other domains may use of this one; they import nothing else from it.
export { raiseAll, resolveBatteryLow } from "./messages/from-locks.ts";
export { messageText } from "./messages/message-text.ts";
export { CHOSEN_MESSAGES, MESSAGE_ROW, unread } from "./messages/messages.service.ts";
export { addMessageParams, raiseAlert, resolveAlerts } from "./messages/raise-alerts.ts";
export { type AccountHolder, notifyAccountHolder } from "./notifications/account-notice.ts";
export { bodyContext, type Notifier, type TwoStepChange } from "./notifications/notifications.service.ts";
export { announceCards, announceStay } from "./webhooks/announce.ts";
export { announceIssued } from "./webhooks/announce-issued.ts";
export { announceUnlocks, UNLOCK_EVENTS } from "./webhooks/announce-unlocks.ts";
export { hasSubscriber } from "./webhooks/deliveries.sql.ts";
