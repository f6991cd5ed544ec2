import { v } from "@innkey/shared/schemas/fields";
import { z } from "zod";
import { hexOf } from "@/readers/hex.ts";
import { isWritable, LAST_BLOCK } from "@/readers/mifare.ts";

const KEY_CHARACTERS = 12;
const DATA_CHARACTERS = 32;

const hexText = (characters: number, message: string) =>
  z
    .string()
    .trim()
    .min(1, v.required)
    .transform((typed) => hexOf(typed) ?? "")
    .refine((hex) => hex.length === characters, message);

const where = {
  device: z.int(v.required).min(0, "validation.readerDevice").max(255, "validation.readerDevice"),
  keyType: z.enum(["A", "B"]),
  key: hexText(KEY_CHARACTERS, "validation.readerKey"),
};
const block = z.int(v.required).min(0, "validation.readerBlock").max(LAST_BLOCK, "validation.readerBlock");

/** What reading and writing a block need (source: specification, section 5). Hex in any case, with any separators. */
export const blockForm = z.discriminatedUnion("action", [
  z.object({ action: z.literal("read"), ...where, block, data: z.string() }),
  z.object({
    action: z.literal("write"),
    ...where,
    block: block.refine(isWritable, "validation.readerBlockForbidden"),
    data: hexText(DATA_CHARACTERS, "validation.readerData"),
  }),
]);
export type BlockJob = z.output<typeof blockForm>;
