import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { isVisible } from "../../stays/public.ts";

const HOUR_MS = 3_600_000;
/** A picture that was brought in and not enrolled within this time is not taken any more. */
export const ENROL_WITHIN_MS = 24 * HOUR_MS;
/** Later than that, so that no picture is swept away while it is being enrolled. */
export const SWEEP_AFTER_MS = 25 * HOUR_MS;

const unknown = (field: string): DomainError =>
  new DomainError("invalid_input", {}, { [field]: { key: "validation.unknown" } });

/** @throws invalid_input unless it is a fresh picture of a face that nobody is enrolled with */
export async function checkPicture(scope: Scope, unit: Unit, fileId: string): Promise<void> {
  const file = await unit.db.storedFile.findFirst({
    where: {
      id: fileId,
      kind: "face",
      face: { is: null },
      createdAt: { gt: new Date(scope.now().getTime() - ENROL_WITHIN_MS) },
    },
    select: { id: true },
  });
  if (!file) throw unknown("fileId");
}

/** @throws invalid_input for a guest the hotel doesn't know, or, for staff, who was in none of their rooms */
export async function checkGuest(scope: Scope, unit: Unit, guestId: number | null): Promise<void> {
  if (guestId === null) return;
  const [guest] = await unit.sql.rows(
    `SELECT g.id FROM guest g WHERE g.hotel_id = $1 AND g.id = $2::int AND g.erased_at IS NULL
       AND ${isVisible("g", "$3")}
       FOR KEY SHARE OF g`,
    guestId,
    scope.roomIds,
  );
  if (!guest) throw unknown("guestId");
}
