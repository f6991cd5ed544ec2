import * as outageSchemas from "@innkey/shared/schemas/overview/outage";
import * as timelineSchemas from "@innkey/shared/schemas/overview/timeline";
import * as availabilitySchemas from "@innkey/shared/schemas/stays/availability";
import * as breakfastSchemas from "@innkey/shared/schemas/stays/breakfast";
import * as calendarFeedSchemas from "@innkey/shared/schemas/stays/calendar-feeds";
import * as customerSchemas from "@innkey/shared/schemas/stays/customers";
import * as guestLinkSchemas from "@innkey/shared/schemas/stays/guest-links";
import * as handOverSchemas from "@innkey/shared/schemas/stays/hand-over";
import { historyInput, historyOutput } from "@innkey/shared/schemas/stays/history";
import * as preCheckInSchemas from "@innkey/shared/schemas/stays/pre-check-in";
import * as staySchemas from "@innkey/shared/schemas/stays/stays";
import { z } from "zod";
import { addGuest } from "../../domain/desk/add-guest.ts";
import { applyPaperRow } from "../../domain/desk/after-outage.ts";
import { cancelReservation } from "../../domain/desk/cancel-stay.ts";
import { previewChange } from "../../domain/desk/change-preview.ts";
import { changeRoom } from "../../domain/desk/change-room.ts";
import { arrive, checkIn, reserve } from "../../domain/desk/check-in.ts";

import { checkOut } from "../../domain/desk/check-out.ts";
import { findRooms, findRoomsForStay } from "../../domain/desk/free-rooms.ts";
import { makeGuestLink, revokeGuestLink } from "../../domain/desk/guest-links.ts";
import { moveReservation } from "../../domain/desk/move-reservation.ts";
import { markNoShow, noShowQuote } from "../../domain/desk/no-show.ts";
import { discardPreCheckIn, takeOverPreCheckIn } from "../../domain/desk/pre-check-in.ts";
import * as quotes from "../../domain/desk/quotes.ts";
import { reinstate } from "../../domain/desk/reinstate-stay.ts";
import { removeCustomer } from "../../domain/desk/remove-customer.ts";
import { removeGuest } from "../../domain/desk/remove-guest.ts";
import { renew } from "../../domain/desk/renew-stay.ts";
import { tickBreakfast, tickByCard } from "../../domain/desk/serve-breakfast.ts";
import { shorten } from "../../domain/desk/shorten-stay.ts";
import { undoCheckIn } from "../../domain/desk/undo-check-in.ts";
import { undoCheckOut } from "../../domain/desk/undo-check-out.ts";
import { correctGuest, update as updateStay } from "../../domain/desk/update-stay.ts";
import * as customerQueries from "../../domain/overview/customers.queries.ts";
import { checkPaperRows } from "../../domain/overview/outage.queries.ts";
import { detail, detailByGuest, history } from "../../domain/overview/stays.queries.ts";
import * as breakfast from "../../domain/stays/breakfast/breakfast.service.ts";
import * as calendarFeeds from "../../domain/stays/calendar-feeds/calendar-feeds.service.ts";
import * as customers from "../../domain/stays/customers/customers.service.ts";
import * as guestLinks from "../../domain/stays/guest-links/guest-links.service.ts";
import { declineLateDeparture } from "../../domain/stays/guest-links/late-departure.ts";
import * as guestList from "../../domain/stays/guests/guest-list.queries.ts";
import * as guestQueries from "../../domain/stays/guests/guests.queries.ts";
import * as handOver from "../../domain/stays/hand-over/hand-over.service.ts";
import { deletePictures, listPictures } from "../../domain/stays/pre-check-in/guest-pictures.ts";
import { readPreCheckIn } from "../../domain/stays/pre-check-in/pre-check-in.service.ts";
import { jsonOutput, keptRead, router, withPermission } from "./trpc.ts";

export const availabilityRouter = router({
  find: withPermission("stays.view")
    .input(availabilitySchemas.findRoomsInput)
    .output(availabilitySchemas.freeRoomsOutput)
    .query(({ ctx, input }) => findRooms(ctx.scope, input)),
  forStay: withPermission("stays.view")
    .input(availabilitySchemas.findRoomsForStayInput)
    .output(availabilitySchemas.freeRoomsOutput)
    .query(({ ctx, input }) => findRoomsForStay(ctx.scope, input)),
});

export const breakfastRouter = router({
  list: withPermission("breakfast.manage")
    .input(breakfastSchemas.breakfastInput)
    .output(breakfastSchemas.breakfastDay)
    .query(({ ctx, input }) => breakfast.list(ctx.scope, input.date)),
  tick: withPermission("breakfast.manage", "tickBreakfast")
    .input(breakfastSchemas.breakfastTick)
    .output(breakfastSchemas.breakfastTicked)
    .mutation(({ ctx, input }) => tickBreakfast(ctx.scope, input)),
  tickByCard: withPermission("breakfast.manage", "tickBreakfast")
    .input(breakfastSchemas.breakfastCard)
    .output(breakfastSchemas.breakfastOfCard)
    .mutation(({ ctx, input }) => tickByCard(ctx.scope, input.number)),
});

/** What the desk did on paper while the server was off. Lists of guests are no part of an address, so reads are posted. */
export const afterOutageRouter = router({
  check: withPermission("stays.manage", "enterPaper")
    .input(outageSchemas.paperRows)
    .output(outageSchemas.checkedRows)
    .mutation(({ ctx, input }) => checkPaperRows(ctx.scope, input.rows)),
  enter: withPermission("stays.manage", "enterPaper")
    .input(outageSchemas.paperRow)
    .output(outageSchemas.rowApplied)
    .mutation(({ ctx, input }) => applyPaperRow(ctx.scope, input)),
});

export const handOverRouter = router({
  list: withPermission("rooms.view")
    .output(handOverSchemas.handOverNotes)
    .query(({ ctx }) => handOver.list(ctx.scope)),
  waiting: withPermission("rooms.view")
    .output(handOverSchemas.waitingNotes)
    .query(({ ctx }) => handOver.waiting(ctx.scope)),
  add: withPermission("rooms.view", "handOver")
    .input(handOverSchemas.addNoteInput)
    .output(handOverSchemas.noteRef)
    .mutation(({ ctx, input }) => handOver.add(ctx.scope, input)),
  setDone: withPermission("rooms.view", "handOver")
    .input(handOverSchemas.setNoteDoneInput)
    .output(handOverSchemas.noteRef)
    .mutation(({ ctx, input }) => handOver.setDone(ctx.scope, input)),
  markRead: withPermission("rooms.view")
    .input(handOverSchemas.readNotesInput)
    .output(handOverSchemas.notesRead)
    .mutation(({ ctx, input }) => handOver.markRead(ctx.scope, input)),
});

export const customersRouter = router({
  list: withPermission("customers.view")
    .input(customerSchemas.customerListInput)
    .output(customerSchemas.customerListOutput)
    .query(({ ctx, input }) => customerQueries.list(ctx.scope, input)),
  detail: withPermission("customers.view")
    .input(customerSchemas.customerIdInput)
    .output(customerSchemas.customerDetail)
    .query(({ ctx, input }) => customerQueries.detail(ctx.scope, input.id)),
  stays: withPermission("customers.view")
    .input(customerSchemas.customerStaysInput)
    .output(customerSchemas.customerStays)
    .query(({ ctx, input }) => customerQueries.stays(ctx.scope, input)),
  save: withPermission("customers.manage", "saveCustomer")
    .input(customerSchemas.customerInput)
    .output(customerSchemas.customerRef)
    .mutation(({ ctx, input }) => customers.save(ctx.scope, input)),
  freeze: withPermission("customers.manage", "freezeCustomer")
    .input(customerSchemas.freezeCustomerInput)
    .output(customerSchemas.customerRef)
    .mutation(({ ctx, input }) => customers.freeze(ctx.scope, input)),
  remove: withPermission("customers.manage", "removeCustomer")
    .input(customerSchemas.customerIdInput)
    .output(customerSchemas.customerRef)
    .mutation(({ ctx, input }) => removeCustomer(ctx.scope, input.id)),
});

export const calendarFeedsRouter = router({
  list: withPermission("integrations.manage")
    .output(z.array(calendarFeedSchemas.calendarFeedRow))
    .query(({ ctx }) => calendarFeeds.listCalendarFeeds(ctx.scope)),
  make: withPermission("integrations.manage", "calendarFeeds")
    .input(calendarFeedSchemas.makeCalendarFeedInput)
    .output(calendarFeedSchemas.calendarFeedMade)
    .mutation(({ ctx, input }) => calendarFeeds.makeCalendarFeed(ctx.scope, input)),
  revoke: withPermission("integrations.manage", "calendarFeeds")
    .input(calendarFeedSchemas.calendarFeedRef)
    .output(calendarFeedSchemas.calendarFeedRef)
    .mutation(({ ctx, input }) => calendarFeeds.revokeCalendarFeed(ctx.scope, input)),
});

export const preCheckInsRouter = router({
  read: withPermission("stays.view")
    .input(guestLinkSchemas.guestLinkInput)
    .output(preCheckInSchemas.preCheckInState)
    .query(({ ctx, input }) => readPreCheckIn(ctx.scope, input)),
  takeOver: withPermission("stays.manage", "editGuests")
    .input(preCheckInSchemas.answerPreCheckInInput)
    .output(preCheckInSchemas.preCheckInAnswered)
    .mutation(({ ctx, input }) => takeOverPreCheckIn(ctx.scope, input)),
  discard: withPermission("stays.manage", "editGuests")
    .input(preCheckInSchemas.answerPreCheckInInput)
    .output(preCheckInSchemas.preCheckInAnswered)
    .mutation(({ ctx, input }) => discardPreCheckIn(ctx.scope, input)),
  pictures: withPermission("stays.view")
    .input(guestLinkSchemas.guestLinkInput)
    .output(preCheckInSchemas.guestPictures)
    .query(({ ctx, input }) => listPictures(ctx.scope, input)),
  deletePictures: withPermission("stays.manage", "editGuests")
    .input(guestLinkSchemas.guestLinkInput)
    .output(preCheckInSchemas.guestPicturesDeleted)
    .mutation(({ ctx, input }) => deletePictures(ctx.scope, input)),
});

export const guestLinksRouter = router({
  state: withPermission("stays.view")
    .input(guestLinkSchemas.guestLinkInput)
    .output(guestLinkSchemas.guestLinkState)
    .query(({ ctx, input }) => guestLinks.readLink(ctx.scope, input, ctx.services.guestUrl)),
  make: withPermission("passcodes.issue", "giveGuestLink")
    .input(guestLinkSchemas.guestLinkInput)
    .output(guestLinkSchemas.guestLinkMade)
    .mutation(({ ctx, input }) => makeGuestLink(ctx.scope, input, ctx.services.guestUrl)),
  revoke: withPermission("passcodes.issue", "giveGuestLink")
    .input(guestLinkSchemas.guestLinkInput)
    .output(guestLinkSchemas.guestLinkRevoked)
    .mutation(({ ctx, input }) => revokeGuestLink(ctx.scope, input)),
  confirmBooking: withPermission("passcodes.issue", "confirmBooking")
    .input(guestLinkSchemas.confirmBookingInput)
    .output(guestLinkSchemas.bookingConfirmed)
    .mutation(({ ctx, input }) => guestLinks.confirmBookingOf(ctx.scope, input)),
  declineLate: withPermission("stays.manage", "editStay")
    .input(guestLinkSchemas.guestLinkInput)
    .output(guestLinkSchemas.lateDeclined)
    .mutation(({ ctx, input }) => declineLateDeparture(ctx.scope, input)),
});

export const guestsRouter = router({
  list: keptRead("stays.view")
    .input(staySchemas.guestListInput)
    .output(jsonOutput(staySchemas.guestListOutput))
    .query(({ ctx, input }) => guestList.list(ctx.scope, input)),
  counts: withPermission("stays.view")
    .input(staySchemas.guestCountsInput)
    .output(staySchemas.guestCountsOutput)
    .query(({ ctx, input }) => guestList.countByState(ctx.scope, input)),
  search: withPermission("stays.manage")
    .input(staySchemas.guestSearchInput)
    .output(z.array(staySchemas.matchingGuest))
    .query(({ ctx, input }) => guestQueries.search(ctx.scope, input.query)),
  add: withPermission("stays.manage", "editGuests")
    .input(staySchemas.addGuestInput)
    .output(staySchemas.stayGuestRef)
    .mutation(({ ctx, input }) => addGuest(ctx.scope, input)),
  update: withPermission("stays.manage", "editGuests")
    .input(staySchemas.updateGuestInput)
    .output(staySchemas.stayGuestRef)
    .mutation(({ ctx, input }) => correctGuest(ctx.scope, input)),
  remove: withPermission("stays.manage", "editGuests")
    .input(staySchemas.stayGuestRef)
    .output(staySchemas.stayGuestRef)
    .mutation(({ ctx, input }) => removeGuest(ctx.scope, input.stayGuestId)),
});

export const staysRouter = router({
  quote: withPermission("stays.view")
    .input(staySchemas.quoteInput)
    .output(staySchemas.quoteOutput)
    .query(({ ctx, input }) => quotes.quote(ctx.scope, input)),
  reserve: withPermission("stays.manage", "reserve")
    .input(staySchemas.reserveInput)
    .output(staySchemas.stayCreated)
    .mutation(({ ctx, input }) => reserve(ctx.scope, input)),
  checkIn: withPermission("stays.manage", "checkIn")
    .input(staySchemas.checkInInput)
    .output(staySchemas.stayCreated)
    .mutation(({ ctx, input }) => checkIn(ctx.scope, input)),
  arrive: withPermission("stays.manage", "checkIn")
    .input(staySchemas.arriveInput)
    .output(staySchemas.stayCreated)
    .mutation(({ ctx, input }) => arrive(ctx.scope, input)),
  renewQuote: withPermission("stays.view")
    .input(staySchemas.renewQuoteInput)
    .output(staySchemas.quoteOutput)
    .query(({ ctx, input }) => quotes.renewQuote(ctx.scope, input)),
  renew: withPermission("stays.manage", "renew")
    .input(staySchemas.renewInput)
    .output(staySchemas.renewed)
    .mutation(({ ctx, input }) => renew(ctx.scope, input)),
  changeRoomQuote: withPermission("stays.view")
    .input(staySchemas.changeRoomQuoteInput)
    .output(staySchemas.changeRoomQuote)
    .query(({ ctx, input }) => quotes.changeRoomQuote(ctx.scope, input)),
  changeRoom: withPermission("stays.manage", "changeRoom")
    .input(staySchemas.changeRoomInput)
    .output(staySchemas.roomChanged)
    .mutation(({ ctx, input }) => changeRoom(ctx.scope, input)),
  checkOut: withPermission("stays.manage", "checkOut")
    .input(staySchemas.checkOutInput)
    .output(staySchemas.checkedOut)
    .mutation(({ ctx, input }) => checkOut(ctx.scope, input)),
  undoCheckIn: withPermission("stays.manage", "undoCheckIn")
    .input(staySchemas.stayRef)
    .output(staySchemas.checkInUndone)
    .mutation(({ ctx, input }) => undoCheckIn(ctx.scope, input)),
  undoCheckOut: withPermission("stays.manage", "undoCheckOut")
    .input(staySchemas.stayRef)
    .output(staySchemas.checkOutUndone)
    .mutation(({ ctx, input }) => undoCheckOut(ctx.scope, input)),
  cancel: withPermission("stays.manage", "cancelReservation")
    .input(staySchemas.cancelInput)
    .output(staySchemas.stayRef)
    .mutation(({ ctx, input }) => cancelReservation(ctx.scope, input)),
  noShowQuote: withPermission("stays.manage")
    .input(staySchemas.stayRef)
    .output(staySchemas.noShowQuote)
    .query(({ ctx, input }) => noShowQuote(ctx.scope, input)),
  markNoShow: withPermission("stays.manage", "markNoShow")
    .input(staySchemas.noShowInput)
    .output(staySchemas.stayRef)
    .mutation(({ ctx, input }) => markNoShow(ctx.scope, input)),
  reinstate: withPermission("stays.manage", "reinstate")
    .input(staySchemas.reinstateInput)
    .output(staySchemas.stayRef)
    .mutation(({ ctx, input }) => reinstate(ctx.scope, input)),
  update: withPermission("stays.manage", "editStay")
    .input(staySchemas.updateStayInput)
    .output(staySchemas.stayRef)
    .mutation(({ ctx, input }) => updateStay(ctx.scope, input)),
  detail: withPermission("stays.view")
    .input(staySchemas.stayRef)
    .output(staySchemas.stayDetail)
    .query(({ ctx, input }) => detail(ctx.scope, input.stayId)),
  byGuest: withPermission("stays.view")
    .input(staySchemas.stayGuestRef)
    .output(staySchemas.stayDetail)
    .query(({ ctx, input }) => detailByGuest(ctx.scope, input.stayGuestId)),
  history: withPermission("stays.view")
    .input(historyInput)
    .output(historyOutput)
    .query(({ ctx, input }) => history(ctx.scope, input)),
  previewChange: withPermission("stays.manage")
    .input(timelineSchemas.changeTarget)
    .output(timelineSchemas.changePreview)
    .query(({ ctx, input }) => previewChange(ctx.scope, input)),
  moveReservation: withPermission("stays.manage", "moveReservation")
    .input(timelineSchemas.moveReservationInput)
    .output(timelineSchemas.reservationMoved)
    .mutation(({ ctx, input }) => moveReservation(ctx.scope, input)),
  shorten: withPermission("stays.manage", "shorten")
    .input(timelineSchemas.shortenInput)
    .output(timelineSchemas.stayShortened)
    .mutation(({ ctx, input }) => shorten(ctx.scope, input)),
});
