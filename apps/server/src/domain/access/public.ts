// The parts of this domain that other domains may use; they import nothing else from it.

export { cardReaderListQuery, releaseReaders } from "./card-readers/card-readers.service.ts";
export { CARD_LOCK_CONTACT, cardListQuery, cardStatus, listStayCards } from "./cards/cards.queries.ts";
export { forgetIdCards } from "./cards/id-card.ts";
export { codeContext } from "./credentials/credential-content.ts";
export { accessWindow } from "./credentials/key-period.ts";
export { countAllPendingRevocations } from "./credentials/pending-revocations.ts";
export {
  adjustAccess,
  adjustHotel,
  beginAccess,
  endAccess,
  endGuestAccess,
  endKeysOfOthers,
  moveAccess,
  reschedule,
  restoreAccess,
  revokeAccessSince,
  withdrawOpeningsOf,
} from "./credentials/stay-access.ts";
export { faceListQuery } from "./faces/faces.queries.ts";
export { forgetFaces, moveFaces } from "./faces/faces.service.ts";
export { configureAll } from "./locks/configure.ts";
export { showBulletin } from "./locks/lock-display-texts.ts";
export { commandState, countLocks, lockListQuery } from "./locks/locks.queries.ts";
export { openIn as openDoorIn } from "./locks/locks.service.ts";
export { type DoorLock, insertLocks, lockOf, setRoomLock } from "./locks/room-door.ts";
export { codeTypeNow, issueArrivalCode } from "./passcodes/arrival-code.ts";
export { type GuestCode, openStayCodes, readGuestCodes } from "./passcodes/guest-codes.ts";
export { isHolderSql, isPartysSql } from "./passcodes/made-for.ts";
export { list as listPasscodes, passcodeListQuery, visiblePasscodeSql } from "./passcodes/passcodes.queries.ts";
export { retryIfCodeTaken } from "./passcodes/passcodes.service.ts";
export { renameCodes } from "./passcodes/rename-codes.ts";
export { findSubjects } from "./unlocks/find-subjects.ts";
export { deleteOldRecords } from "./unlocks/old-records.ts";
export { traffic } from "./unlocks/traffic.queries.ts";
export {
  list as listRoomRecords,
  listLockRecords,
  listPersonRecords,
  reasonWords,
  recordsFileQuery,
  resultWords,
  SPARE_CARD,
  sourceWords,
  styleWords,
} from "./unlocks/unlocks.queries.ts";
