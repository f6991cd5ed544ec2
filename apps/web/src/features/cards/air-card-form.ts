import { airCardInput } from "@innkey/shared/schemas/cards";
import * as f from "@innkey/shared/schemas/fields";
import { z } from "zod";
import { uidOf } from "@/readers/uid.ts";

/** A card that opens a stay's door by its number, which may be typed in any way that readers show it. */
export const airCardForm = z.object({ stayId: f.id, uid: z.string(), note: f.text(100) }).transform((typed, ctx) => {
  const parsed = airCardInput.safeParse({ ...typed, uid: uidOf(typed.uid) ?? typed.uid });
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues)
    ctx.issues.push({ code: "custom", path, message: typed.uid === "" ? f.v.required : message, input: typed });
  return z.NEVER;
});
