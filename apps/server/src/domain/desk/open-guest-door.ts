import { DomainError } from "@innkey/shared/errors";
import type { commandQueued } from "@innkey/shared/schemas/access/locks";
import type { z } from "zod";
import type { RateLimiter, RateLimits } from "../../adapters/redis/rate-limits.ts";
import { tooManyAttempts } from "../../kernel/errors.ts";
import { commandState, openDoorIn } from "../access/public.ts";
import { readGuestPage } from "../overview/public.ts";
import {
  type GuestVisit,
  isBookingUnconfirmed,
  isValidVisit,
  recordDoorOpened,
  selectStayForUpdate,
} from "../stays/public.ts";

type Queued = z.infer<typeof commandQueued>;

/** Guests' openings of their own door. */
export class GuestDoors {
  readonly #minute: RateLimiter;
  readonly #hour: RateLimiter;

  constructor(rateLimits: RateLimits) {
    this.#minute = rateLimits("guestOpenings", { points: 3, duration: 60 });
    this.#hour = rateLimits("guestOpeningsOfHour", { points: 20, duration: 60 * 60 });
  }

  /**
   * Asks the lock of the guest's room to open. @throws not_found unless the hotel allows it, the party is in the room,
   * its booking is confirmed and the guest has shown who they are; too_many_attempts; lock_offline; state_conflict if the
   * party leaves at this moment
   */
  async open(visit: GuestVisit): Promise<Queued> {
    const { inside } = await readGuestPage(visit);
    if (!inside?.canOpen) throw new DomainError("not_found");
    for (const limit of [this.#minute, this.#hour]) {
      const waitMs = await limit.take(String(visit.stayId));
      if (waitMs !== null) throw tooManyAttempts(waitMs);
    }
    const scope = visit.scopeWith("locks.open");
    const queued = await scope.write(async (tx) => {
      // Since the page was read, the party may have left, changed rooms or got another first guest; the visit reaches only
      // the room it began in.
      const { roomId } = await selectStayForUpdate(scope, tx, visit.stayId, "checked_in");
      if (!(await isValidVisit(tx, visit)) || (await isBookingUnconfirmed(tx, visit.stayId)))
        throw new DomainError("not_found");
      return openDoorIn(scope, tx, { roomId });
    });
    await recordDoorOpened(visit);
    return queued;
  }

  /** Returns what came of an opening. @throws not_found for a command of another door, or without proof */
  async readState(visit: GuestVisit, commandId: string): Promise<Queued> {
    if (!visit.proven) throw new DomainError("not_found");
    return commandState(visit.scopeWith("locks.open"), { commandId });
  }
}
