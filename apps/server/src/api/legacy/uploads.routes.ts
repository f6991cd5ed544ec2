import { DomainError } from "@innkey/shared/errors";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { UploadLink } from "../../domain/files/uploads/upload-links.ts";
import {
  MAX_UPLOAD_BYTES,
  UPLOAD_TYPES,
  type UploadTicket,
  uploadTooLarge,
} from "../../domain/files/uploads/uploads.service.ts";
import type { Services } from "../../domain/services.ts";
import { anyone, readAddress, registerRoute } from "../http/route-contract.ts";

const numeric = z.coerce.number().int().positive();
const UPLOAD = {
  method: "PUT",
  url: "/manage/uploads/:hotelId/:operatorId/:id",
  params: z.object({ hotelId: numeric, operatorId: numeric, id: z.uuid() }),
  query: z.object({
    type: z.enum(UPLOAD_TYPES),
    size: numeric.max(MAX_UPLOAD_BYTES),
    expires: numeric,
    signature: z.string().max(100),
  }),
  names: ["params", "query"],
  body: { contentTypes: UPLOAD_TYPES },
  answers: { 200: null },
} as const;

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
    registerRoute(door, UPLOAD, {
      options: {
        bodyLimit: MAX_UPLOAD_BYTES,
        // Large bodies are fine here, because requests without a valid link were already refused.
        config: { mayBringMore: () => true },
        // We check the link before the body is read, so that nothing is read from callers without a link.
        onRequest: async (request) => {
          const { params, query } = readAddress(UPLOAD, request);
          const { contentType, size } = services.uploads.announcedBy(params, linkOf(query));
          if (request.headers["content-type"] !== contentType) throw new DomainError("file_not_image");
          if (Number(request.headers["content-length"] ?? 0) > size) throw uploadTooLarge();
        },
      },
      authenticate: anyone,
      async handle({ params, query, body, reply }) {
        await services.uploads.bring(params, linkOf(query), Buffer.isBuffer(body) ? body : Buffer.alloc(0));
        return reply.code(200).send();
      },
    });
  });
}

function linkOf({ type: contentType, ...rest }: z.infer<typeof UPLOAD.query>): UploadLink {
  return { contentType, ...rest };
}
