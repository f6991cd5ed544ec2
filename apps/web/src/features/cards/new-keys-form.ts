import { newProfileInput } from "@innkey/shared/schemas/cards";
import { v } from "@innkey/shared/schemas/fields";
import { z } from "zod";

const number = z.int({ error: v.required });

/** Both ciphers in one form, so that what was typed stays while one is weighed against the other. */
export const newKeysForm = z
  .object({
    cipher: z.enum(["aes", "des-cbc"]),
    /** AES: as typed, with commas */
    sectors: z.string(),
    /** DES */
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
