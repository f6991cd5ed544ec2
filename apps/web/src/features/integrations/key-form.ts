import { instant, v } from "@innkey/shared/schemas/fields";
import { createKeyInput } from "@innkey/shared/schemas/integrations";
import { z } from "zod";

export const EXPIRIES = ["days30", "days90", "days365", "date", "never"] as const;
const DAYS = { days30: 30, days90: 90, days365: 365 } as const;
const DAY_MS = 86_400_000;

/** A key with its end as it is chosen: days from now, an instant, or none. */
export const keyForm = createKeyInput
  .omit({ expiresAt: true })
  .extend({ expiry: z.enum(EXPIRIES), endsAt: instant.nullable() })
  .transform(({ expiry, endsAt, ...key }, ctx) => {
    if (expiry === "never") return { ...key, expiresAt: null };
    if (expiry !== "date") return { ...key, expiresAt: new Date(Date.now() + DAYS[expiry] * DAY_MS).toISOString() };
    if (endsAt === null || Date.parse(endsAt) <= Date.now()) {
      const message = endsAt === null ? v.required : v.endPast;
      ctx.issues.push({ code: "custom", path: ["endsAt"], message, input: endsAt });
      return z.NEVER;
    }
    return { ...key, expiresAt: endsAt };
  });
