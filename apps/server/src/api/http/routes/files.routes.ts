import multipart from "@fastify/multipart";
import { FileKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { MAX_UPLOAD_BYTES } from "@innkey/shared/limits";
import { fileStored } from "@innkey/shared/schemas/property/rooms";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Services } from "../../../domain/services.ts";
import { forSignedIn } from "../request-bodies.ts";
import { signedInCaller } from "../request-context.ts";
import { registerRoute } from "../route-contract.ts";

const STORE = {
  method: "POST",
  url: "/api/files",
  query: z.object({ kind: FileKind }),
  body: { contentTypes: ["multipart/form-data"] },
  answers: { 201: fileStored },
} as const;
const FILE = {
  method: "GET",
  url: "/files/:id",
  params: z.object({ id: z.uuid().transform((id) => id.toLowerCase()) }),
  names: ["params"],
  answers: { 200: { contentTypes: ["image/"] } },
} as const;

/** Pictures never change and may be cached. Face pictures may not, so that access is checked on each view. */
const CACHE: Record<FileKind, string> = {
  room: "private, max-age=31536000, immutable",
  avatar: "private, max-age=31536000, immutable",
  face: "private, no-store",
  logo: "private, max-age=31536000, immutable",
};

/** Registers pictures: POST /api/files?kind=room|face|avatar|logo (multipart field `file`, up to 8 MiB), GET /files/:id. */
export function registerFileRoutes(app: FastifyInstance, services: Services): void {
  app.register(async (files) => {
    await files.register(multipart, { limits: { files: 1, fields: 0, parts: 1, fileSize: MAX_UPLOAD_BYTES } });

    registerRoute(files, STORE, {
      options: forSignedIn(MAX_UPLOAD_BYTES + 64 * 1024),
      authenticate: signedInCaller,
      async handle({ caller, query, request, reply }) {
        return reply.code(201).send(await services.files.store(caller.scope, query.kind, await uploadOf(request)));
      },
    });

    registerRoute(files, FILE, {
      options: { compress: false },
      authenticate: signedInCaller,
      async handle({ caller, params, reply }) {
        const { kind, contentType, sizeBytes, content } = await services.files.open(caller.scope, params.id);
        return reply
          .header("cache-control", CACHE[kind])
          .header("vary", "cookie")
          .header("x-content-type-options", "nosniff")
          .header("content-length", sizeBytes)
          .type(contentType)
          .send(content);
      },
    });
  });
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
      throw new DomainError("file_too_large", { megabytes: MAX_UPLOAD_BYTES / 1024 / 1024 });
    }
    if (code.startsWith("FST_") || error instanceof DomainError === false) throw new DomainError("file_not_image");
    throw error;
  }
}
