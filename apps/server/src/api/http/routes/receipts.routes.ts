import { DomainError } from "@innkey/shared/errors";
import { id } from "@innkey/shared/schemas/fields";
import { receiptQuery } from "@innkey/shared/schemas/folio/entries";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { receipt } from "../../../domain/folio/receipts/receipts.service.ts";
import { requestContext } from "../request-context.ts";

const fileName = z
  .string()
  .regex(/^\d{1,10}\.pdf$/)
  .transform((name) => Number(name.slice(0, -".pdf".length)))
  .pipe(id);

/** GET /api/receipts/<stay>.pdf?language=: a stay's receipt. */
export function registerReceiptRoutes(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>("/api/receipts/:file", { compress: false }, async (request, reply) => {
    const { scope, sessionEnd } = await requestContext(request, reply);
    if (!scope) throw new DomainError(sessionEnd ?? "session_missing");
    const stayId = fileName.safeParse(request.params.file);
    if (!stayId.success) throw new DomainError("not_found");
    const { language } = receiptQuery.parse(request.query);
    const { fileName: name, content } = await receipt(scope, stayId.data, language);
    return reply
      .header("content-disposition", `inline; filename="${name}"`)
      .header("x-content-type-options", "nosniff")
      .type("application/pdf")
      .send(content);
  });
}
