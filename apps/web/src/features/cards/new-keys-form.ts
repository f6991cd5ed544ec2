import { newProfileInput } from "@innkey/shared/schemas/cards";
import { v } from "@innkey/shared/schemas/fields";
import { z } from "zod";

const number = z.int({ error: v.required });

/** One form for both ciphers, so the values stay when the person switches between them. */
export const newKeysForm = z
  .object({
    cipher: z.enum(["aes", "des-cbc"]),
    /** AES: sectors as typed, separated by commas. */
    sectors: z.string(),
    /** The following fields apply to DES only. */
    sector: number,
    block: number,
    keyType: z.enum(["A", "B"]),
    siteCode: number.nullable(),
    sectorKey: z.string(),
    desKey: z.string(),
    desIv: z.string(),
  })
  .transform((typed, ctx) => {
    const sectors = typed.sectors.split(/[\s,;，、،]+/).filter(Boolean);
    const parsed = newProfileInput.safeParse({ ...typed, sectors: sectors.map(Number) });
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) {
      const [name] = path;
      const missing = name !== undefined && [null, ""].includes(typed[name as keyof typeof typed] as string | null);
      ctx.issues.push({
        code: "custom",
        path: path.slice(0, 1),
        message: missing ? v.required : message,
        input: typed,
      });
    }
    return z.NEVER;
  });
