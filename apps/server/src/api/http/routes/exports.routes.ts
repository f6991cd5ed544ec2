import { exportInput, exportRow } from "@innkey/shared/schemas/data";
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import type { Services } from "../../../domain/services.ts";
import { forSignedIn, SESSION_BODY_BYTES } from "../request-bodies.ts";
import { signedInCaller } from "../request-context.ts";
import { registerRoute } from "../route-contract.ts";

const file = { contentTypes: ["text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"] };
const MAKE = {
  method: "POST",
  url: "/api/exports",
  opens: { capability: "exports.make", act: "exportList" },
  body: exportInput,
  answers: { 200: file, 202: exportRow },
} as const;
const FILE = {
  method: "GET",
  url: "/api/exports/:id/file",
  opens: { capability: "exports.make" },
  params: z.object({ id: z.uuid().transform((id) => id.toLowerCase()) }),
  names: ["params"],
  answers: { 200: file },
} as const;

/**
 * Registers exports. POST /api/exports answers with a small file (200) or the row of a file that is written later
 * (202). GET /api/exports/:id/file returns that file.
 */
export function registerExportRoutes(app: FastifyInstance, services: Services): void {
  registerRoute(app, MAKE, {
    options: { compress: false, ...forSignedIn(SESSION_BODY_BYTES) },
    authenticate: signedInCaller,
    async handle({ caller, body, reply }) {
      const result = await services.exports.make(caller.scope, body);
      if (result.kind === "queued") return reply.code(202).send(result.row);
      return setDownloadHeaders(reply, result.fileName, result.contentType, result.content.length).send(result.content);
    },
  });

  registerRoute(app, FILE, {
    options: { compress: false },
    authenticate: signedInCaller,
    async handle({ caller, params, reply }) {
      const { fileName, contentType, sizeBytes, content } = await services.exports.open(caller.scope, params.id);
      return setDownloadHeaders(reply, fileName, contentType, sizeBytes).send(content);
    },
  });
}

/**
 * Sets the headers of a download. The name may be in any script (source: RFC 6266, RFC 8187). Caches must not store
 * the file.
 */
function setDownloadHeaders(reply: FastifyReply, fileName: string, contentType: string, size: number): FastifyReply {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return reply
    .header("content-disposition", `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`)
    .header("cache-control", "private, no-store")
    .header("x-content-type-options", "nosniff")
    .header("content-length", size)
    .type(contentType);
}
