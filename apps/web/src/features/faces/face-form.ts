import { enrolFaceInput, grantFaceInput } from "@innkey/shared/schemas/faces";
import * as f from "@innkey/shared/schemas/fields";
import { z } from "zod";

/** Form for enrolling a face; it requires a picture and the person's consent. */
export const enrolForm = enrolFaceInput.extend({
  fileId: z.string().min(1, f.v.required),
  consent: z.boolean().refine((value) => value, f.v.required),
});

/** Form for granting a face access to doors for a period. */
export const grantForm = z
  .object({
    faceId: z.number(),
    roomIds: z.array(z.number()).min(1, f.v.required),
    ends: z.enum(["until", "permanent"]),
    validFrom: z.string().nullable(),
    validTo: z.string().nullable(),
  })
  .transform(({ ends, ...typed }, ctx) => {
    const until = ends === "until";
    const parsed = grantFaceInput.safeParse({ ...typed, validTo: until ? typed.validTo : null });
    for (const { path, message } of parsed.error?.issues ?? [])
      ctx.issues.push({ code: "custom", path, message, input: typed });
    if (until && typed.validTo === null)
      ctx.issues.push({ code: "custom", path: ["validTo"], message: f.v.required, input: typed });
    return parsed.data ?? z.NEVER;
  });
