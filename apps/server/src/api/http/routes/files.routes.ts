import multipart from "@fastify/multipart";
import type { FileKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { fieldMessages } from "@innkey/shared/field-messages";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Services } from "../../../domain/services.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { callerScope } from "../../trpc/context.ts";
import { forSignedIn } from "../request-bodies.ts";
import { requestContext } from "../request-context.ts";

const MAX_BYTES = 8 * 1024 * 1024;
const uploadQuery = z.object({ kind: z.enum(["room", "face", "avatar"]) });
const fileParams = z.object({ id: z.uuid().transform((id) => id.toLowerCase()) });

/** Pictures never change and may be cached. Face pictures may not, so that access is checked on each view. */
const CACHE: Record<FileKind, string> = {
  room: "private, max-age=31536000, immutable",
  avatar: "private, max-age=31536000, immutable",
  face: "private, no-store",
};

/** Registers pictures: POST /api/files?kind=room|face|avatar (multipart field `file`, up to 8 MiB), GET /files/:id. */
export function registerFileRoutes(app: FastifyInstance, services: Services): void {
  app.register(async (files) => {
    await files.register(multipart, { limits: { files: 1, fields: 0, parts: 1, fileSize: MAX_BYTES } });

    files.post("/api/files", forSignedIn(MAX_BYTES + 64 * 1024), async (request, reply) => {
      const scope = await caller(request, reply);
      const query = uploadQuery.safeParse(request.query);
      if (!query.success) throw new DomainError("invalid_input", {}, fieldMessages(query.error.issues));
      const stored = await services.files.store(scope, query.data.kind, await uploadOf(request));
      return reply.code(201).send(stored);
    });

    files.get("/files/:id", { compress: false }, async (request, reply) => {
      const scope = await caller(request, reply);
      const params = fileParams.safeParse(request.params);
      if (!params.success) throw new DomainError("not_found");
      const { kind, contentType, sizeBytes, content } = await services.files.open(scope, params.data.id);
      return reply
        .header("cache-control", CACHE[kind])
        .header("vary", "cookie")
        .header("x-content-type-options", "nosniff")
        .header("content-length", sizeBytes)
        .type(contentType)
        .send(content);
    });
  });
}

async function caller(request: FastifyRequest, reply: FastifyReply): Promise<Scope> {
  return callerScope(await requestContext(request, reply));
}

/** @throws file_too_large; file_not_image if there is no file */
async function uploadOf(request: FastifyRequest): Promise<Buffer> {
  try {
    const part = await request.file();
    if (!part) throw new DomainError("file_not_image");
    return await part.toBuffer();
  } catch (error) {
    const code = (error as { code?: string }).code ?? "";
    if (code === "FST_REQ_FILE_TOO_LARGE" || code === "FST_ERR_CTP_BODY_TOO_LARGE") {
      throw new DomainError("file_too_large", { megabytes: MAX_BYTES / 1024 / 1024 });
    }
    if (code.startsWith("FST_") || error instanceof DomainError === false) throw new DomainError("file_not_image");
    throw error;
  }
}
