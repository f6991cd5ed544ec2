import { z } from "zod";
import { LANGUAGES, type LanguageCode } from "../languages.ts";
import * as f from "./fields.ts";

const codes = LANGUAGES.map(({ code }) => code);

/** What a receipt's address carries: /api/receipts/<stay>.pdf?language=<storage code>. Without one, the guest's. */
export const receiptQuery = z.object({
  language: z
    .string()
    .refine((code): code is LanguageCode => codes.some((known) => known === code), f.v.choice)
    .optional(),
});
