import { DomainError } from "@innkey/shared/errors";
import { MAX_UPLOAD_BYTES } from "@innkey/shared/limits";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { fileUrl } from "../../domain/files/files.service.ts";
import type { UploadLink } from "../../domain/files/signed-links.ts";
import { UPLOAD_TYPES, type UploadTicket, uploadTooLarge } from "../../domain/files/uploads/uploads.service.ts";
import type { Services } from "../../domain/services.ts";
import { anyone, readAddress, registerRoute } from "../http/route-contract.ts";
import { allowAnyOrigin } from "../http/site-protection.ts";
import { call, type Endpoint, type SignedInCaller } from "./endpoint.ts";
import * as f from "./fields.ts";

/** Validity of picture links in seconds: a day for pictures, and five minutes for faces, enough to view a list. */
const PICTURE_SECONDS = 24 * 3600;
const FACE_SECONDS = 300;
const OWN_FILE = /^\/files\/([0-9a-f-]{36})$/;

type Linking = Pick<SignedInCaller, "services" | "scope" | "origin">;

/**
 * Returns a URL that opens the picture without a session, or "" without a picture. `url` is the console's own
 * ("/files/…").
 */
export function pictureUrl(caller: Linking, url: string | null): string {
  return linkTo(caller, OWN_FILE.exec(url ?? "")?.[1], PICTURE_SECONDS);
}

export function facePictureUrl(caller: Linking, url: string | null): string {
  return linkTo(caller, OWN_FILE.exec(url ?? "")?.[1], FACE_SECONDS);
}

function linkTo({ services, scope, origin }: Linking, id: string | undefined, seconds: number): string {
  if (id === undefined) return "";
  const query = services.fileLinks.sign({ hotelId: scope.hotelId, id }, seconds);
  return `${origin}/manage/files/${scope.hotelId}/${id}?${query}`;
}

const PICTURE = {
  method: "GET",
  url: "/manage/files/:hotelId/:id",
  params: z.object({ hotelId: z.coerce.number().int().positive(), id: z.uuid() }),
  query: z.object({ expires: z.coerce.number().int(), signature: z.string().max(100) }),
  names: ["params", "query"],
  answers: { 200: { contentTypes: ["image/"] } },
} as const;

/** Serves the links of `pictureUrl`. */
export function registerPictureLinks(app: FastifyInstance, services: Services): void {
  registerRoute(app, PICTURE, {
    options: { compress: false },
    authenticate: anyone,
    async handle({ params, query, reply }) {
      if (!services.fileLinks.isValid(params, query.expires, query.signature)) throw new DomainError("not_found");
      const scope = await services.scopes(params.hotelId);
      if (!scope) throw new DomainError("not_found");
      const { contentType, sizeBytes, content } = await services.files.open(scope, params.id);
      allowAnyOrigin(reply);
      return reply
        .header("cache-control", "private, no-store")
        .header("x-content-type-options", "nosniff")
        .header("content-length", sizeBytes)
        .type(contentType)
        .send(content);
    },
  });
}

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
  app.register(async (routes) => {
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser([...UPLOAD_TYPES], { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    registerRoute(routes, UPLOAD, {
      options: {
        bodyLimit: MAX_UPLOAD_BYTES,
        // Large bodies are fine here, because requests without a valid link were already refused.
        config: { maySendMore: () => true },
        // We check the link before the body is read, so that nothing is read from callers without a link.
        onRequest: async (request) => {
          const { params, query } = readAddress(UPLOAD, request);
          const { contentType, size } = services.uploads.readAnnouncement(params, linkOf(query));
          if (request.headers["content-type"] !== contentType) throw new DomainError("file_not_image");
          if (Number(request.headers["content-length"] ?? 0) > size) throw uploadTooLarge();
        },
      },
      authenticate: anyone,
      async handle({ params, query, body, reply }) {
        await services.uploads.receive(params, linkOf(query), Buffer.isBuffer(body) ? body : Buffer.alloc(0));
        return reply.code(200).send();
      },
    });
  });
}

function linkOf({ type: contentType, ...rest }: z.infer<typeof UPLOAD.query>): UploadLink {
  return { contentType, ...rest };
}

const { out } = f;
const textMap = (example: Readonly<Record<string, string>>) =>
  z.record(z.string(), z.string()).register(f.fieldNotes, { type: "object of texts", example });

/** Calls to upload pictures before another call uses them. */
export const filesCalls: readonly Endpoint[] = [
  call("oss/token", {
    summary:
      "Where to upload a picture: one request with `method`, `url` and `headers` whose body is the picture, within 15 minutes; if `fields` is not empty, a form with all of them before the file. A later call uses the picture by its `key`, once, within a day.",
    input: {
      type: f.choice(["face", "room", "avatar"]),
      content_type: f.choice(UPLOAD_TYPES),
      size: f.int(1, MAX_UPLOAD_BYTES, 245_120),
    },
    output: z.strictObject({
      method: out.choice(["PUT"]),
      url: out.text(
        "https://hotel.example/manage/uploads/1/17/3f0c…?type=image%2Fjpeg&size=245120&expires=1772446500&…",
      ),
      headers: textMap({ "content-type": "image/jpeg" }),
      fields: textMap({}),
      key: out.text("uploads/1/17/3f0c7a52-6d3b-4a53-9d3a-0a6f2f6d6d2b"),
      public_url: out.text("https://hotel.example/manage/files/1/3f0c7a52-…?expires=1772532000&signature=…"),
      expire: out.time(1_772_446_500),
    }),
    async run(caller, { type: kind, content_type: contentType, size }) {
      const ticket = await caller.services.uploads.issueTicket(caller.scope, { kind, contentType, size });
      const { url, headers } = destinationOf(ticket, caller.origin);
      return {
        method: "PUT" as const,
        url,
        headers: { ...headers },
        fields: {},
        key: ticket.key,
        // Faces get no public link, because access to them is checked on each view. The others are reachable here once
        // they are stored.
        public_url: kind === "face" ? "" : pictureUrl(caller, fileUrl(ticket.id)),
        expire: f.seconds(ticket.expiresAt),
      };
    },
  }),
];
