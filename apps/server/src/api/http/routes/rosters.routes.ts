import { id } from "@innkey/shared/schemas/fields";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { openFile } from "../../../domain/compliance/rosters/rosters.service.ts";
import { signedInCaller } from "../request-context.ts";
import { registerRoute } from "../route-contract.ts";

const rosterId = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(id);

const FILE = {
  method: "GET",
  url: "/api/rosters/:id/file",
  opens: { capability: "hotel.manage", act: "downloadRoster" },
  params: z.object({ id: rosterId }),
  names: ["params"],
  answers: { 200: { contentTypes: ["application/octet-stream"] } },
} as const;

/** Registers the download of sealed rosters. */
export function registerRosterRoutes(app: FastifyInstance): void {
  registerRoute(app, FILE, {
    options: { compress: false },
    authenticate: signedInCaller,
    async handle({ caller, params, reply }) {
      const { fileName, content } = await openFile(caller.scope, params.id);
      return reply
        .header("cache-control", "private, no-store")
        .header("content-disposition", `attachment; filename="${fileName}"`)
        .type("application/octet-stream")
        .send(Buffer.from(content));
    },
  });
}
