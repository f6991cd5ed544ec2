import { id } from "@innkey/shared/schemas/fields";
import { receiptQuery } from "@innkey/shared/schemas/folio";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Services } from "../../../domain/services.ts";
import { signedInCaller } from "../request-context.ts";
import { registerRoute } from "../route-contract.ts";

const fileName = z
  .string()
  .regex(/^\d{1,10}\.pdf$/)
  .transform((name) => Number(name.slice(0, -".pdf".length)))
  .pipe(id);

const RECEIPT = {
  method: "GET",
  url: "/api/receipts/:file",
  opens: { capability: "folio.view" },
  params: z.object({ file: fileName }),
  query: receiptQuery,
  names: ["params"],
  answers: { 200: { contentTypes: ["application/pdf"] } },
} as const;

/** Registers a stay's receipt: /api/receipts/<stay>.pdf. */
export function registerReceiptRoutes(app: FastifyInstance, { files }: Pick<Services, "files">): void {
  registerRoute(app, RECEIPT, {
    options: { compress: false },
    authenticate: signedInCaller,
    async handle({ caller, params, query, reply }) {
      // Fonts and the PDF library take 30 MB of memory; they are loaded with the first receipt.
      const { receipt } = await import("../../../domain/folio/receipts/receipt-document.ts");
      const { fileName: name, content } = await receipt(caller.scope, files, params.file, query.language);
      return reply
        .header("content-disposition", `inline; filename="${name}"`)
        .header("x-content-type-options", "nosniff")
        .type("application/pdf")
        .send(content);
    },
  });
}
