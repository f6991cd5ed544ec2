import { DomainError } from "@innkey/shared/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { UploadLink } from "../../domain/files/uploads/upload-links.ts";
import {
  MAX_UPLOAD_BYTES,
  UPLOAD_TYPES,
  type UploadTicket,
  uploadTooLarge,
} from "../../domain/files/uploads/uploads.service.ts";
import type { Services } from "../../domain/services.ts";

const numeric = z.coerce.number().int().positive();
const uploadParams = z.object({ hotelId: numeric, operatorId: numeric, id: z.uuid() });
const uploadQuery = z.object({
  type: z.enum(UPLOAD_TYPES),
  size: numeric.max(MAX_UPLOAD_BYTES),
  expires: numeric,
  signature: z.string().max(100),
});

/** Returns the URL and headers with which a client uploads the file of a ticket. */
export function destinationOf(
  { key, to }: UploadTicket,
  origin: string,
): { url: string; headers: Readonly<Record<string, string>> } {
  if ("url" in to) return to;
  const { contentType, size, expires, signature } = to.link;
  const query = new URLSearchParams({ type: contentType, size: String(size), expires: String(expires), signature });
  return { url: `${origin}/manage/${key}?${query.toString()}`, headers: { "content-type": contentType } };
}

/**
 * PUT /manage/uploads/:hotelId/:operatorId/:id: accepts the upload of a link from `destinationOf` once, with the
 * announced type and at most the announced size.
 */
export function registerUploadLinks(app: FastifyInstance, services: Services): void {
  app.register(async (door) => {
    door.removeAllContentTypeParsers();
    door.addContentTypeParser([...UPLOAD_TYPES], { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    door.put(
      "/manage/uploads/:hotelId/:operatorId/:id",
      {
        bodyLimit: MAX_UPLOAD_BYTES,
        // Large bodies are fine here, because requests without a valid link were already refused.
        config: { mayBringMore: () => true },
        // We check the link before the body is read, so that nothing is read from callers without a link.
        onRequest: async (request) => {
          const { name, link } = linkOf(request);
          const { contentType, size } = services.uploads.announcedBy(name, link);
          if (request.headers["content-type"] !== contentType) throw new DomainError("file_not_image");
          if (Number(request.headers["content-length"] ?? 0) > size) throw uploadTooLarge();
        },
      },
      async (request, reply) => {
        const { name, link } = linkOf(request);
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await services.uploads.bring(name, link, bytes);
        return reply.code(200).send();
      },
    );
  });
}

/** @throws not_found if the address is no upload link */
function linkOf(request: FastifyRequest): { name: z.infer<typeof uploadParams>; link: UploadLink } {
  const params = uploadParams.safeParse(request.params);
  const query = uploadQuery.safeParse(request.query);
  if (!params.success || !query.success) throw new DomainError("not_found");
  const { type: contentType, ...rest } = query.data;
  return { name: params.data, link: { contentType, ...rest } };
}
