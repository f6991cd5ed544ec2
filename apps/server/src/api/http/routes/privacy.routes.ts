import { id } from "@innkey/shared/schemas/fields";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { exportPerson } from "../../../domain/compliance/privacy/dossier.ts";
import type { Services } from "../../../domain/services.ts";
import { signedInCaller } from "../request-context.ts";
import { registerRoute } from "../route-contract.ts";

const guestId = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(id);

const PERSON = {
  method: "GET",
  url: "/api/privacy/guests/:id",
  opens: { capability: "privacy.manage", act: "exportPerson" },
  params: z.object({ id: guestId }),
  names: ["params"],
  answers: { 200: { contentTypes: ["application/zip"] } },
} as const;

/** Registers the download of an archive of all stored data about one person. */
export function registerPrivacyRoutes(app: FastifyInstance, services: Services): void {
  registerRoute(app, PERSON, {
    options: { compress: false },
    authenticate: signedInCaller,
    async handle({ caller, params, reply }) {
      const archive = await exportPerson(caller.scope, services.files, params.id);
      return reply
        .header("cache-control", "private, no-store")
        .header("content-disposition", `attachment; filename="guest-${params.id}.zip"`)
        .type("application/zip")
        .send(archive);
    },
  });
}
