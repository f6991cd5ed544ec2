import { z } from "zod";
import { ERROR_CODES, type ErrorPayload } from "../errors.ts";

const params = z.record(z.string(), z.union([z.string(), z.number()]));

/** The body of every error of the REST routes, and the details of every error of a procedure. */
export const errorReply = z.strictObject({
  code: z.enum(ERROR_CODES),
  params: params.optional(),
  fields: z.record(z.string(), z.strictObject({ key: z.string(), params: params.optional() })).optional(),
  requestId: z.string().optional(),
}) satisfies z.ZodType<ErrorPayload, unknown>;
