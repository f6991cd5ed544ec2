import { z } from "zod";
import { LANGUAGES, type LanguageCode } from "../languages.ts";
import * as f from "./fields.ts";

const codes = LANGUAGES.map(({ code }) => code);

/** Query of a receipt's address: /api/receipts/<stay>.pdf?language=<storage code>. Defaults to the guest's language. */
export const receiptQuery = z.object({
  language: z
    .string()
    .refine((code): code is LanguageCode => codes.some((supported) => supported === code), f.v.choice)
    .optional(),
});
