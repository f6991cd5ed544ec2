import type { grantInput } from "@innkey/shared/schemas/people";
import type { z } from "zod";

/** Room grant as a form value. Without a period, it is permanent. */
export type GrantValue = z.input<typeof grantInput>;

export const isTemporary = ({ startsAt, endsAt }: GrantValue): boolean => Boolean(startsAt) || Boolean(endsAt);
