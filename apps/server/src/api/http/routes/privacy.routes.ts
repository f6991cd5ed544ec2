import { DomainError } from "@innkey/shared/errors";
import { id } from "@innkey/shared/schemas/fields";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { exportPerson } from "../../../domain/compliance/privacy/export-person.ts";
import type { Services } from "../../../domain/services.ts";
import { requestContext } from "../request-context.ts";

const guestId = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(id);

/** GET /api/privacy/guests/:id: an archive of all stored data about one person. */
export function registerPrivacyRoutes(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { id: string } }>("/api/privacy/guests/:id", { compress: false }, async (request, reply) => {
    const { scope, sessionEnd } = await requestContext(request, reply);
    if (!scope) throw new DomainError(sessionEnd ?? "session_missing");
    const parsed = guestId.safeParse(request.params.id);
    if (!parsed.success) throw new DomainError("not_found");
    const archive = await exportPerson(scope, services.files, parsed.data);
    return reply
      .header("cache-control", "private, no-store")
      .header("content-disposition", `attachment; filename="guest-${parsed.data}.zip"`)
      .type("application/zip")
      .send(archive);
  });
}
