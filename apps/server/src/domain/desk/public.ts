// What other domains may use of this one; they import nothing else of it.
export { cancelReservation } from "./cancel-stay.ts";
export { changeRoom } from "./change-room.ts";
export { arrive, checkIn, reserve } from "./check-in.ts";
export { checkOut } from "./check-out.ts";
export { moveReservation } from "./move-reservation.ts";
export { markNoShow } from "./no-show.ts";
export { reinstate } from "./reinstate-stay.ts";
export { removeCustomer } from "./remove-customer.ts";
export { removeGuest } from "./remove-guest.ts";
export { removeStaff } from "./remove-staff.ts";
export { renew } from "./renew-stay.ts";
export { createRooms, saveRoom } from "./save-room.ts";
export { tickBreakfast, tickByCard } from "./serve-breakfast.ts";
export { shorten } from "./shorten-stay.ts";
export { undoCheckIn } from "./undo-check-in.ts";
export { undoCheckOut } from "./undo-check-out.ts";
export { updateRegistration } from "./update-registration.ts";
export { correctGuest, update } from "./update-stay.ts";
