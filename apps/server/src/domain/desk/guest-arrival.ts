import { DomainError, type ErrorCode } from "@innkey/shared/errors";
import type { GuestCheckInOutcome, GuestCheckInState } from "@innkey/shared/schemas/stays/guest-links";
import { arriveInput } from "@innkey/shared/schemas/stays/stays";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { issueArrivalCode, retryIfCodeTaken } from "../access/public.ts";
import { readGuestCheckIn, readGuestPage } from "../overview/public.ts";
import { type GuestVisit, isValidVisit, selectStayForUpdate } from "../stays/public.ts";
import { arriveIn } from "./check-in.ts";

/** Refusals about which the desk would decide, or that only the desk can put right. */
const FOR_THE_DESK: readonly ErrorCode[] = [
  ...(["room_taken", "room_not_ready", "guest_already_in", "arrival_too_early", "stay_expired"] as const),
  ...(["lock_missing", "lock_not_set_up", "codes_unused", "code_taken"] as const),
];

/** Rolls the check-in back, with what is missing for it. */
class NotPossible extends Error {
  readonly state: Exclude<GuestCheckInState, "possible">;

  constructor(state: Exclude<GuestCheckInState, "possible">) {
    super(state);
    this.state = state;
  }
}

/**
 * Checks the guest's party in as the desk does, without a deposit or a payment, and issues a code for the door of their
 * room. Whatever the desk would have to confirm sends the guest to the desk. @throws not_found unless the hotel offers it
 * to this guest and they have shown who they are
 */
export async function checkInGuest(visit: GuestVisit): Promise<GuestCheckInOutcome> {
  const { inside } = await readGuestPage(visit);
  // Another phone of the guest may have been faster.
  if (inside?.room) return "checked_in";
  if (!inside?.checkIn) {
    // The desk may have checked the party in while the page was being read.
    if ((await readGuestPage(visit)).inside?.room) return "checked_in";
    throw new DomainError("not_found");
  }
  if (inside.checkIn !== "possible") return inside.checkIn;
  // Whether somebody is in already is asked about all rooms, and by document; the answer stays here.
  const scope = visit.hotelScopeWith("guests.documents", "passcodes.issue", "stays.manage");
  try {
    await retryIfCodeTaken(scope, (tx) => checkInGuestIn(scope, tx, visit));
    return "checked_in";
  } catch (error) {
    if (error instanceof NotPossible) return error.state;
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "state_conflict" && error.params.state === "checked_in") return "checked_in";
    if (FOR_THE_DESK.includes(error.code)) return "see_desk";
    throw error;
  }
}

async function checkInGuestIn(scope: Scope, tx: Transaction, visit: GuestVisit): Promise<void> {
  const { id: stayId } = await selectStayForUpdate(scope, tx, visit.stayId, "reserved");
  if (!(await isValidVisit(tx, visit))) throw new DomainError("not_found");
  const state = await readGuestCheckIn(visit, tx.sql);
  if (state === null) throw new DomainError("not_found");
  if (state !== "possible") throw new NotPossible(state);
  await arriveIn(scope, tx, arriveInput.parse({ stayId, depositMinor: 0, channel: null }));
  const { roomId } = await selectStayForUpdate(scope, tx, stayId, "checked_in");
  await issueArrivalCode(scope, tx, { stayId, roomId, stayGuestId: visit.stayGuestId });
}
