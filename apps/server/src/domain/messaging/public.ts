// What other domains may use of this one; they import nothing else from it.

export { ALERT_ROW, alertText, CHOSEN_ALERTS, unread } from "./alerts/alerts.service.ts";
export { raiseAll, resolveBatteryLow } from "./alerts/from-locks.ts";
export { addAlertParams, raiseAlert, resolveAlerts } from "./alerts/raise-alerts.ts";
export { type AccountHolder, notifyAccountHolder } from "./notifications/account-notice.ts";
export { bodyContext, type Notifier, type TwoStepChange } from "./notifications/notifications.service.ts";
export { announceCards, announceIssued, announceStay, announceUnlocks, UNLOCK_EVENTS } from "./webhooks/announce.ts";
export { hasSubscriber } from "./webhooks/deliveries.sql.ts";
