import { PasscodeType } from "@innkey/shared/enums";
import * as f from "@innkey/shared/schemas/fields";
import { createPasscodeInput } from "@innkey/shared/schemas/passcodes";
import { z } from "zod";

/** Form for a new code. Fields that the chosen type doesn't use are dropped. */
export const newCodeForm = z
  .object({
    type: PasscodeType,
    roomIds: z.array(z.number()),
    stayId: z.number().nullable(),
    person: z.string(),
    note: z.string(),
    code: z.string(),
    ends: z.enum(["until", "permanent"]),
    validFrom: z.string().nullable(),
    validTo: z.string().nullable(),
  })
  .transform(({ ends, ...typed }, ctx) => {
    const ownPeriod = typed.stayId === null && typed.type !== "one_time";
    const until = ownPeriod && ends === "until";
    const parsed = createPasscodeInput.safeParse({
      ...typed,
      code: typed.type === "custom" ? typed.code : null,
      validFrom: ownPeriod ? typed.validFrom : null,
      validTo: until ? typed.validTo : null,
    });
    for (const { path, message } of parsed.error?.issues ?? [])
      ctx.issues.push({ code: "custom", path, message, input: typed });
    if (until && typed.validTo === null)
      ctx.issues.push({ code: "custom", path: ["validTo"], message: f.v.required, input: typed });
    return parsed.data ?? z.NEVER;
  });
