import { DomainError } from "@innkey/shared/errors";
import { exportInput } from "@innkey/shared/schemas/data/exports";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Services } from "../../../domain/services.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { forSignedIn, SESSION_BODY_BYTES } from "../request-bodies.ts";
import { requestContext } from "../request-context.ts";

const fileParams = z.object({ id: z.uuid().transform((id) => id.toLowerCase()) });

/**
 * Registers exports. POST /api/exports answers a small file itself (200) or the row of a file that is written later
 * (202). GET /api/exports/:id/file returns that file.
 */
export function registerExportRoutes(app: FastifyInstance, services: Services): void {
  app.post("/api/exports", { compress: false, ...forSignedIn(SESSION_BODY_BYTES) }, async (request, reply) => {
    const scope = await caller(request, reply);
    const result = await services.exports.make(scope, exportInput.parse(request.body));
    if (result.kind === "queued") return reply.code(202).send(result.row);
    return attached(reply, result.fileName, result.contentType, result.content.length).send(result.content);
  });

  app.get("/api/exports/:id/file", { compress: false }, async (request, reply) => {
    const scope = await caller(request, reply);
    const params = fileParams.safeParse(request.params);
    if (!params.success) throw new DomainError("not_found");
    const { fileName, contentType, sizeBytes, content } = await services.exports.open(scope, params.data.id);
    return attached(reply, fileName, contentType, sizeBytes).send(content);
  });
}

async function caller(request: FastifyRequest, reply: FastifyReply): Promise<Scope> {
  const { scope, sessionEnd } = await requestContext(request, reply);
  if (!scope) throw new DomainError(sessionEnd ?? "session_missing");
  return scope;
}

/**
 * Sets the headers of a download. The name may be in any script (source: RFC 6266, RFC 8187). Caches must not store
 * the file.
 */
function attached(reply: FastifyReply, fileName: string, contentType: string, size: number): FastifyReply {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return reply
    .header("content-disposition", `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`)
    .header("cache-control", "private, no-store")
    .header("x-content-type-options", "nosniff")
    .header("content-length", size)
    .type(contentType);
}
