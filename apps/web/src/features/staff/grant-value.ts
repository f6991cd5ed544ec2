import type { grantInput } from "@innkey/shared/schemas/people";
import type { z } from "zod";

/** A room as a form holds it; without a period it is granted for good. */
export type GrantValue = z.input<typeof grantInput>;

export const isTemporary = ({ startsAt, endsAt }: GrantValue): boolean => Boolean(startsAt) || Boolean(endsAt);
