import * as f from "@innkey/shared/schemas/fields";
import { z } from "zod";

/** A card that is no guest's, before it lies on a reader: without a number. */
export const masterCardForm = z
  .object({
    kind: z.enum(["management", "universal"]),
    note: f.requiredText(100),
    roomIds: z.array(f.id),
    lasting: z.enum(["always", "until"]),
    validFrom: f.instant.nullable(),
    validTo: f.instant.nullable(),
  })
  .superRefine(({ kind, roomIds, lasting, validFrom, validTo }, ctx) => {
    const fail = (path: string, message: string): void => {
      ctx.issues.push({ code: "custom", message, path: [path], input: null });
    };
    if (kind === "management" && roomIds.length === 0) fail("roomIds", f.v.required);
    if (lasting === "always") return;
    if (validTo === null) fail("validTo", f.v.required);
    else if (validFrom !== null && validTo <= validFrom) fail("validTo", f.v.endBeforeStart);
    else if (Date.parse(validTo) <= Date.now()) fail("validTo", f.v.endPast);
  })
  .transform(({ lasting, validTo, ...card }) => ({ ...card, validTo: lasting === "always" ? null : validTo }));
