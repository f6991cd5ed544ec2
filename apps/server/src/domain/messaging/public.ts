// What other domains may use of this one; they import nothing else from it.

export {
  ALERT_ROW,
  addAlertParams,
  alertText,
  CHOSEN_ALERTS,
  raiseAlert,
  raiseAll,
  resolveAlerts,
  resolveBatteryLow,
  unread,
} from "./alerts/alerts.service.ts";
export {
  type AccountHolder,
  bodyContext,
  type Notifier,
  notifyAccountHolder,
  type TwoStepChange,
} from "./outgoing-messages/outgoing-messages.service.ts";
export {
  announceCards,
  announceIssued,
  announceStay,
  announceUnlocks,
  hasSubscriber,
  UNLOCK_EVENTS,
} from "./webhooks/announce.ts";
