// The parts of this domain that other domains may use; they import nothing else from it.
export { cardListQuery } from "./cards/card-list.queries.ts";
export { CARD_LOCK_CONTACT, cardStatus } from "./cards/card-standing.sql.ts";
export { accessWindow } from "./credentials/access-window.ts";
export { codeContext } from "./credentials/credential-content.ts";
export { residual } from "./credentials/risk.service.ts";
export {
  adjustAccess,
  adjustHotel,
  beginAccess,
  endAccess,
  moveAccess,
  reschedule,
} from "./credentials/stay-access.ts";
export { encoderListQuery } from "./encoders/encoders.queries.ts";
export { releaseReaders } from "./encoders/encoders.service.ts";
export { forgetFaces } from "./faces/erasure.ts";
export { faceListQuery } from "./faces/faces.queries.ts";
export { moveFaces } from "./faces/faces.service.ts";
export { LOCK_COUNTS, type LockCounts } from "./locks/lock-counts.sql.ts";
export { LOCK_ROWS } from "./locks/locks.queries.ts";
export { showBulletin } from "./locks/notices.ts";
export { type DoorLock, hangLock, insertLocks, lockOf } from "./locks/room-door.ts";
export { PASSCODE_VISIBLE } from "./passcodes/passcode-visibility.ts";
export { passcodeListQuery } from "./passcodes/passcodes.queries.ts";
export { dropOldRecords } from "./unlocks/old-records.ts";
export { reasonWords, resultWords, sourceWords, styleWords } from "./unlocks/record-words.ts";
export { recordsForFile } from "./unlocks/records.sql.ts";
export { traffic } from "./unlocks/traffic.queries.ts";
export { list as listRoomRecords, listLockRecords, listPersonRecords } from "./unlocks/unlocks.queries.ts";
