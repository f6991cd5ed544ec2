import * as cardReaderSchemas from "@innkey/shared/schemas/access/card-readers";
import * as cardSchemas from "@innkey/shared/schemas/access/cards";
import * as doorSchemas from "@innkey/shared/schemas/access/doors";
import * as faceSchemas from "@innkey/shared/schemas/access/faces";
import * as lockSchemas from "@innkey/shared/schemas/access/locks";
import * as passcodeSchemas from "@innkey/shared/schemas/access/passcodes";
import { removalPlan as removalPlanSchema } from "@innkey/shared/schemas/access/removal-plan";
import { stayKeys } from "@innkey/shared/schemas/access/stay-keys";
import * as unlockSchemas from "@innkey/shared/schemas/access/unlocks";
import * as zoneSchemas from "@innkey/shared/schemas/access/zones";
import { stayRef } from "@innkey/shared/schemas/stays/stays";
import * as cardReaders from "../../domain/access/card-readers/card-readers.service.ts";
import * as air from "../../domain/access/cards/air-cards.service.ts";
import * as cardQueries from "../../domain/access/cards/cards.queries.ts";
import * as cards from "../../domain/access/cards/cards.service.ts";
import { addIdCard } from "../../domain/access/cards/id-card.ts";
import * as master from "../../domain/access/cards/master.service.ts";
import { prepareOneShot } from "../../domain/access/cards/one-shot.service.ts";
import * as profiles from "../../domain/access/cards/profiles.service.ts";
import { removalPlan } from "../../domain/access/cards/removal-plan.ts";
import { waiveRewrite } from "../../domain/access/cards/rewrites.ts";
import { listSpares, prepareSpare } from "../../domain/access/cards/spare-cards.service.ts";
import * as keys from "../../domain/access/credentials/explain.service.ts";
import * as risk from "../../domain/access/credentials/pending-revocations.ts";
import { resetSequence } from "../../domain/access/credentials/sequence-reset.service.ts";
import { readStayKeys } from "../../domain/access/credentials/stay-keys.queries.ts";
import * as doors from "../../domain/access/doors/doors.service.ts";
import * as faceQueries from "../../domain/access/faces/faces.queries.ts";
import * as faces from "../../domain/access/faces/faces.service.ts";
import * as links from "../../domain/access/lock-links/device-links.service.ts";
import * as lockQueries from "../../domain/access/locks/locks.queries.ts";
import * as locks from "../../domain/access/locks/locks.service.ts";
import * as registration from "../../domain/access/locks/registration.service.ts";
import * as replacement from "../../domain/access/locks/replace-lock.ts";
import { handOver, handOverWays } from "../../domain/access/passcodes/hand-over.ts";
import * as passcodeQueries from "../../domain/access/passcodes/passcodes.queries.ts";
import * as passcodes from "../../domain/access/passcodes/passcodes.service.ts";
import { traffic } from "../../domain/access/unlocks/traffic.queries.ts";
import * as unlockQueries from "../../domain/access/unlocks/unlocks.queries.ts";
import { whoEntered } from "../../domain/access/unlocks/who-entered.queries.ts";
import * as zones from "../../domain/access/zones/zones.service.ts";
import { assignLocks } from "../../domain/desk/assign-locks.ts";
import { inSession, router, signedIn, withPermission } from "./trpc.ts";

export const cardReadersRouter = router({
  list: withPermission("cardReaders.view")
    .input(cardReaderSchemas.cardReaderListInput)
    .output(cardReaderSchemas.cardReaderListOutput)
    .query(({ ctx, input }) => cardReaders.list(ctx.scope, input)),
  detail: withPermission("cardReaders.view")
    .input(cardReaderSchemas.cardReaderIdInput)
    .output(cardReaderSchemas.cardReaderRow)
    .query(({ ctx, input }) => cardReaders.detail(ctx.scope, input.id)),
  checkStatus: withPermission("cardReaders.view")
    .input(cardReaderSchemas.cardReaderNumberInput)
    .output(cardReaderSchemas.cardReaderStatus)
    .query(({ ctx, input }) => cardReaders.checkStatus(ctx.scope, input.deviceNo)),
  seen: inSession
    .input(cardReaderSchemas.cardReaderPresenceInput)
    .output(cardReaderSchemas.cardReaderPresence)
    .mutation(({ ctx, input }) => cardReaders.reportPresence(ctx.scope, input)),
  save: withPermission("cardReaders.manage", "saveReader")
    .input(cardReaderSchemas.cardReaderInput)
    .output(cardReaderSchemas.cardReaderRef)
    .mutation(({ ctx, input }) => cardReaders.save(ctx.scope, input)),
  bind: withPermission("cardReaders.manage", "bindReader")
    .input(cardReaderSchemas.bindCardReaderInput)
    .output(cardReaderSchemas.cardReaderRef)
    .mutation(({ ctx, input }) => cardReaders.bind(ctx.scope, input)),
  unbind: withPermission("cardReaders.manage", "bindReader")
    .input(cardReaderSchemas.bindCardReaderInput)
    .output(cardReaderSchemas.cardReaderRef)
    .mutation(({ ctx, input }) => cardReaders.unbind(ctx.scope, input)),
  remove: withPermission("cardReaders.manage", "removeReader")
    .input(cardReaderSchemas.cardReaderIdInput)
    .output(cardReaderSchemas.cardReaderRef)
    .mutation(({ ctx, input }) => cardReaders.remove(ctx.scope, input.id)),
});

export const cardsRouter = router({
  ofStay: withPermission("cards.view")
    .input(stayRef)
    .output(cardSchemas.cardsOfStay)
    .query(({ ctx, input }) => cardQueries.listStayCards(ctx.scope, input.stayId)),
  lookUp: withPermission("stays.view")
    .input(cardSchemas.lookUpInput)
    .output(cardSchemas.cardGuests)
    .query(({ ctx, input }) => cardQueries.lookUp(ctx.scope, input)),
  prepare: withPermission("cards.issue", "writeCard")
    .input(cardSchemas.prepareCardInput)
    .output(cardSchemas.preparedCard)
    .mutation(({ ctx, input }) => cards.prepare(ctx.scope, input)),
  confirm: withPermission("cards.issue", "writeCard")
    .input(cardSchemas.confirmCardInput)
    .output(cardSchemas.cardOutcome)
    .mutation(({ ctx, input }) => cards.confirm(ctx.scope, input)),
  revoke: withPermission("cards.issue", "takeCardBack")
    .input(cardSchemas.revokeCardInput)
    .output(cardSchemas.cardOutcome)
    .mutation(({ ctx, input }) => cards.revoke(ctx.scope, input)),
  waiveRewrite: withPermission("cards.issue", "writeCard")
    .input(cardSchemas.cardRef)
    .output(cardSchemas.cardOutcome)
    .mutation(({ ctx, input }) => waiveRewrite(ctx.scope, input)),
  list: withPermission("cards.view")
    .input(cardSchemas.cardsInput)
    .output(cardSchemas.cardPage)
    .query(({ ctx, input }) => cardQueries.list(ctx.scope, input)),
  prepareMaster: withPermission("cards.master", "writeStaffCard")
    .input(cardSchemas.prepareMasterInput)
    .output(cardSchemas.preparedCard)
    .mutation(({ ctx, input }) => master.prepareMaster(ctx.scope, input)),
  prepareOneShot: withPermission("cards.issue", "writeCard")
    .input(cardSchemas.prepareOneShotInput)
    .output(cardSchemas.preparedCard)
    .mutation(({ ctx, input }) => prepareOneShot(ctx.scope, input)),
  prepareSpare: withPermission("cards.master", "writeStaffCard")
    .input(cardSchemas.prepareSpareInput)
    .output(cardSchemas.preparedSpare)
    .mutation(({ ctx, input }) => prepareSpare(ctx.scope, input)),
  spares: withPermission("cards.master")
    .output(cardSchemas.spareCards)
    .query(({ ctx }) => listSpares(ctx.scope)),
  setRooms: withPermission("cards.master", "writeStaffCard")
    .input(cardSchemas.cardRoomsInput)
    .output(cardSchemas.cardOutcome)
    .mutation(({ ctx, input }) => master.setRooms(ctx.scope, input)),
  removalPlan: withPermission("cards.view")
    .input(cardSchemas.cardRef)
    .output(removalPlanSchema)
    .query(({ ctx, input }) => removalPlan(ctx.scope, input)),
  retryRemoval: withPermission("locks.retry", "retryCommand")
    .input(cardSchemas.cardRef)
    .output(lockSchemas.retryOutput)
    .mutation(({ ctx, input }) => risk.resendCardRevocation(ctx.scope, input)),
  setHours: withPermission("cards.master", "writeStaffCard")
    .input(cardSchemas.cardHoursInput)
    .output(cardSchemas.cardOutcome)
    .mutation(({ ctx, input }) => master.setHours(ctx.scope, input)),
  addOverTheAir: withPermission("cards.issue", "addCardByNumber")
    .input(cardSchemas.airCardInput)
    .output(cardSchemas.cardOutcome)
    .mutation(({ ctx, input }) => air.addOverTheAir(ctx.scope, input)),
  addIdCard: withPermission("cards.issue", "addCardByNumber")
    .input(cardSchemas.idCardInput)
    .output(cardSchemas.airCardOutcome)
    .mutation(({ ctx, input }) => addIdCard(ctx.scope, input)),
  profiles: withPermission("encryption.manage")
    .output(cardSchemas.profileRows)
    .query(({ ctx }) => profiles.list(ctx.scope)),
  newProfile: withPermission("encryption.manage", "newCardKeys")
    .input(cardSchemas.newProfileInput)
    .output(cardSchemas.profileCreated)
    .mutation(({ ctx, input }) => profiles.create(ctx.scope, input)),
});

export const keysRouter = router({
  ofStay: withPermission("stays.view")
    .input(stayRef)
    .output(stayKeys)
    .query(({ ctx, input }) => readStayKeys(ctx.scope, input.stayId)),
});

export const facesRouter = router({
  list: withPermission("faces.view")
    .input(faceSchemas.facesInput)
    .output(faceSchemas.facePage)
    .query(({ ctx, input }) => faceQueries.list(ctx.scope, input)),
  grants: withPermission("faces.view")
    .input(faceSchemas.faceGrantsInput)
    .output(faceSchemas.faceGrants)
    .query(({ ctx, input }) => faceQueries.grants(ctx.scope, input)),
  enrol: withPermission("faces.manage", "enrolFace")
    .input(faceSchemas.enrolFaceInput)
    .output(faceSchemas.faceRef)
    .mutation(({ ctx, input }) => faces.enrol(ctx.scope, input)),
  rename: withPermission("faces.manage", "enrolFace")
    .input(faceSchemas.faceNoteInput)
    .output(faceSchemas.faceRef)
    .mutation(({ ctx, input }) => faces.rename(ctx.scope, input)),
  remove: withPermission("faces.manage", "removeFace")
    .input(faceSchemas.faceRef)
    .output(faceSchemas.faceRef)
    .mutation(({ ctx, input }) => faces.remove(ctx.scope, ctx.services.files, input)),
  grant: withPermission("faces.manage", "letFaceOpen")
    .input(faceSchemas.grantFaceInput)
    .output(faceSchemas.faceGranted)
    .mutation(({ ctx, input }) => faces.grant(ctx.scope, input)),
  withdrawGrant: withPermission("faces.manage", "letFaceOpen")
    .input(faceSchemas.credentialRef)
    .output(faceSchemas.credentialRef)
    .mutation(({ ctx, input }) => faces.withdrawGrant(ctx.scope, input)),
});

export const locksRouter = router({
  list: withPermission("locks.view")
    .output(lockSchemas.lockRows)
    .query(({ ctx }) => lockQueries.list(ctx.scope)),
  batteries: withPermission("locks.view")
    .output(lockSchemas.batteryRows)
    .query(({ ctx }) => lockQueries.listBatteries(ctx.scope)),
  detail: withPermission("locks.view")
    .input(lockSchemas.lockRef)
    .output(lockSchemas.lockDetail)
    .query(({ ctx, input }) => lockQueries.detail(ctx.scope, input)),
  commands: withPermission("locks.view")
    .input(lockSchemas.commandsInput)
    .output(lockSchemas.commandsOutput)
    .query(({ ctx, input }) => lockQueries.commands(ctx.scope, input)),
  commandState: signedIn
    .input(lockSchemas.commandRef)
    .output(lockSchemas.commandQueued)
    .query(({ ctx, input }) => lockQueries.commandState(ctx.scope, input)),
  save: withPermission("locks.manage", "saveLock")
    .input(lockSchemas.lockInput)
    .output(lockSchemas.lockRef)
    .mutation(({ ctx, input }) => registration.save(ctx.scope, input)),
  assign: withPermission("locks.manage", "saveLock")
    .input(lockSchemas.assignLocksInput)
    .output(lockSchemas.locksAssigned)
    .mutation(({ ctx, input }) => assignLocks(ctx.scope, input)),
  remove: withPermission("locks.manage", "removeLock")
    .input(lockSchemas.lockRef)
    .output(lockSchemas.lockRef)
    .mutation(({ ctx, input }) => registration.remove(ctx.scope, input)),
  connect: withPermission("locks.manage", "saveLock")
    .input(lockSchemas.lockRef)
    .output(lockSchemas.lockAccess)
    .mutation(({ ctx, input }) => registration.connect(ctx.scope, input, ctx.services.locks)),
  replacement: withPermission("locks.manage")
    .input(lockSchemas.replacementInput)
    .output(lockSchemas.lockReplacement)
    .query(({ ctx, input }) => replacement.readReplacement(ctx.scope, input)),
  replace: withPermission("locks.manage", "replaceLock")
    .input(lockSchemas.replaceLockInput)
    .output(lockSchemas.lockReplaced)
    .mutation(({ ctx, input }) => replacement.replace(ctx.scope, input, ctx.services.locks)),
  open: withPermission("locks.open", "openDoor")
    .input(lockSchemas.openDoorInput)
    .output(lockSchemas.commandQueued)
    .mutation(({ ctx, input }) => locks.open(ctx.scope, input)),
  cancelOpening: withPermission("locks.open", "openDoor")
    .input(lockSchemas.commandRef)
    .output(lockSchemas.openingCancelled)
    .mutation(({ ctx, input }) => locks.cancelOpening(ctx.scope, input)),
  liftBlock: withPermission("locks.open", "liftBlock")
    .input(lockSchemas.lockRef)
    .output(lockSchemas.commandQueued)
    .mutation(({ ctx, input }) => locks.liftBlock(ctx.scope, input)),
  notice: withPermission("locks.open", "sendLockText")
    .input(lockSchemas.roomDisplayTextInput)
    .output(lockSchemas.roomDisplayTextSent)
    .mutation(({ ctx, input }) => locks.sendRoomDisplayText(ctx.scope, input)),
  retry: withPermission("locks.retry", "retryCommand")
    .input(lockSchemas.lockRef)
    .output(lockSchemas.retryOutput)
    .mutation(({ ctx, input }) => locks.retry(ctx.scope, input)),
  readBack: withPermission("locks.manage", "readLock")
    .input(lockSchemas.lockRef)
    .output(lockSchemas.commandQueued)
    .mutation(({ ctx, input }) => locks.readBack(ctx.scope, input)),
  resetSequence: withPermission("locks.manage", "resetSequence")
    .input(lockSchemas.lockRef)
    .output(lockSchemas.lockRef)
    .mutation(({ ctx, input }) => resetSequence(ctx.scope, input)),
  settleUnmanaged: withPermission("locks.manage", "readLock")
    .input(lockSchemas.unmanagedInput)
    .output(lockSchemas.lockRef)
    .mutation(({ ctx, input }) => locks.settleUnmanaged(ctx.scope, input)),
  pendingRevocations: withPermission("locks.view")
    .output(lockSchemas.pendingRevocations)
    .query(({ ctx }) => risk.listPendingRevocations(ctx.scope)),
  resendRevocation: withPermission("locks.retry", "retryCommand")
    .input(lockSchemas.pendingRevocationRef)
    .output(lockSchemas.retryOutput)
    .mutation(({ ctx, input }) => risk.resendRevocation(ctx.scope, input)),
  writeOffKeys: withPermission("locks.manage", "removeLock")
    .input(lockSchemas.lockRef)
    .output(lockSchemas.writtenOff)
    .mutation(({ ctx, input }) => risk.writeOffKeys(ctx.scope, input)),
  explain: withPermission("locks.view")
    .input(lockSchemas.explainInput)
    .output(lockSchemas.keyVerdict)
    .query(({ ctx, input }) => keys.explain(ctx.scope, input)),
  links: withPermission("locks.manage")
    .output(lockSchemas.deviceLinkRows)
    .query(({ ctx }) => links.list(ctx.scope)),
  encryptedBroker: withPermission("locks.manage")
    .output(lockSchemas.encryptedBroker)
    .query(({ ctx }) => links.encryptedBroker(ctx.scope, ctx.services.locks)),
  saveLink: withPermission("locks.manage", "connectCloud")
    .input(lockSchemas.deviceLinkInput)
    .output(lockSchemas.deviceLinkSaved)
    .mutation(({ ctx, input }) => links.save(ctx.scope, input, ctx.services.links)),
  removeLink: withPermission("locks.manage", "connectCloud")
    .input(lockSchemas.deviceLinkRef)
    .output(lockSchemas.deviceLinkRef)
    .mutation(({ ctx, input }) => links.remove(ctx.scope, input)),
});

export const doorsRouter = router({
  list: withPermission("locks.view")
    .output(doorSchemas.doorRows)
    .query(({ ctx }) => doors.list(ctx.scope)),
  save: withPermission("locks.manage", "saveDoor")
    .input(doorSchemas.doorInput)
    .output(doorSchemas.doorRef)
    .mutation(({ ctx, input }) => doors.save(ctx.scope, input)),
  remove: withPermission("locks.manage", "saveDoor")
    .input(doorSchemas.doorRef)
    .output(doorSchemas.doorRef)
    .mutation(({ ctx, input }) => doors.remove(ctx.scope, input)),
  open: withPermission("locks.open", "openDoor")
    .input(doorSchemas.doorRef)
    .output(lockSchemas.commandQueued)
    .mutation(({ ctx, input }) => doors.open(ctx.scope, input)),
});

export const zonesRouter = router({
  list: withPermission("locks.view")
    .output(zoneSchemas.zoneRows)
    .query(({ ctx }) => zones.list(ctx.scope)),
  save: withPermission("locks.manage", "saveDoor")
    .input(zoneSchemas.zoneInput)
    .output(zoneSchemas.zoneRef)
    .mutation(({ ctx, input }) => zones.save(ctx.scope, input)),
  remove: withPermission("locks.manage", "saveDoor")
    .input(zoneSchemas.zoneRef)
    .output(zoneSchemas.zoneRef)
    .mutation(({ ctx, input }) => zones.remove(ctx.scope, input)),
  setOfStay: withPermission("stays.manage", "editStay")
    .input(zoneSchemas.stayZonesInput)
    .output(zoneSchemas.stayZonesSaved)
    .mutation(({ ctx, input }) => zones.setStayZones(ctx.scope, input)),
});

export const passcodesRouter = router({
  list: withPermission("passcodes.view")
    .input(passcodeSchemas.passcodesInput)
    .output(passcodeSchemas.passcodePage)
    .query(({ ctx, input }) => passcodeQueries.list(ctx.scope, input)),
  create: withPermission("passcodes.issue", "giveCode")
    .input(passcodeSchemas.createPasscodeInput)
    .output(passcodeSchemas.passcodeCreated)
    .mutation(({ ctx, input }) => passcodes.create(ctx.scope, input)),
  handOverWays: withPermission("passcodes.issue")
    .output(passcodeSchemas.handOverWays)
    .query(({ ctx }) => handOverWays(ctx.scope, ctx.services.outgoingMessages)),
  handOver: withPermission("passcodes.issue", "showCode")
    .input(passcodeSchemas.handOverInput)
    .output(passcodeSchemas.handedOver)
    .mutation(({ ctx, input }) => handOver(ctx.scope, ctx.services.outgoingMessages, input)),
  reveal: withPermission("passcodes.issue", "showCode")
    .input(passcodeSchemas.passcodeRef)
    .output(passcodeSchemas.passcodeRevealed)
    .mutation(({ ctx, input }) => passcodes.reveal(ctx.scope, input)),
  setHours: withPermission("passcodes.issue", "giveCode")
    .input(passcodeSchemas.passcodeHoursInput)
    .output(passcodeSchemas.passcodeRef)
    .mutation(({ ctx, input }) => passcodes.setHours(ctx.scope, input)),
  remove: withPermission("passcodes.issue", "endCode")
    .input(passcodeSchemas.passcodeRef)
    .output(passcodeSchemas.passcodeRef)
    .mutation(({ ctx, input }) => passcodes.remove(ctx.scope, input)),
});

export const unlocksRouter = router({
  list: withPermission("unlocks.view")
    .input(unlockSchemas.unlockRecordsInput)
    .output(unlockSchemas.unlockRecordsOutput)
    .query(({ ctx, input }) => unlockQueries.list(ctx.scope, input)),
  ofPerson: withPermission("unlocks.view")
    .input(unlockSchemas.personRecordsInput)
    .output(unlockSchemas.unlockRecordsOutput)
    .query(({ ctx, input }) => unlockQueries.listPersonRecords(ctx.scope, input)),
  ofLock: withPermission("unlocks.view")
    .input(unlockSchemas.lockRecordsInput)
    .output(unlockSchemas.unlockRecordsOutput)
    .query(({ ctx, input }) => unlockQueries.listLockRecords(ctx.scope, input)),
  ofHouse: withPermission("unlocks.view")
    .input(unlockSchemas.hotelRecordsInput)
    .output(unlockSchemas.unlockRecordsOutput)
    .query(({ ctx, input }) => unlockQueries.listHotelRecords(ctx.scope, input)),
  whoEntered: withPermission("unlocks.view")
    .input(unlockSchemas.whoEnteredInput)
    .output(unlockSchemas.whoEntered)
    .query(({ ctx, input }) => whoEntered(ctx.scope, input.stayId)),
  traffic: withPermission("unlocks.view")
    .input(unlockSchemas.trafficInput)
    .output(unlockSchemas.traffic)
    .query(({ ctx, input }) => traffic(ctx.scope, input)),
});
