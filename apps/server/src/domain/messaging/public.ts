// Other domains may import only this file of the domain.

export {
  addAlertParams,
  alertListQuery,
  alertText,
  REMOVED_ALERTS_RETURN_MS,
  raiseAlert,
  raiseAll,
  resolveAlerts,
  resolveBatteryLow,
  unread,
  wasRemovedByHand,
} from "./alerts/alerts.service.ts";
export {
  type AccountHolder,
  bodyContext,
  notifyAccountHolder,
  type OutgoingMessages,
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
