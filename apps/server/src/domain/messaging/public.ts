// Other domains may import only this file of the domain.

export {
  addAlertParams,
  alertListQuery,
  alertText,
  moveAlert,
  REMOVED_ALERTS_RETURN_MS,
  raiseAlert,
  raiseAll,
  resolveAlerts,
  resolveAlertsOfLocks,
  resolveAlertsOfRooms,
  unread,
  wasRemovedByHand,
} from "./alerts/alerts.service.ts";
export {
  type DueMessage,
  deleteMessagesOfStay,
  deleteOldTexts,
  dueMessages,
  earlierWaiting,
  eraseMessages,
  markHandedOver,
  markQueued,
  postponeMessage,
  selectDueForUpdate,
  settleFailures,
  skipIncludedCodes,
  skipMessage,
} from "./guest-messages/guest-messages.ts";
export { announceCode, insertArrivals, insertByHand, timelyEvents } from "./guest-messages/insert-messages.ts";
export { endOfQuiet } from "./guest-messages/quiet-hours.ts";
export {
  type GuestMessageSettings,
  readSettings as readGuestMessageSettings,
} from "./guest-messages/settings.service.ts";
export { type MessageText, textOf } from "./guest-messages/texts.ts";
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
