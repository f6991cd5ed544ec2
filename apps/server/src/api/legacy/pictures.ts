import { DomainError } from "@innkey/shared/errors";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Services } from "../../domain/services.ts";
import { anyone, registerRoute } from "../http/route-contract.ts";
import { forAnyOrigin } from "../http/security-headers.ts";
import type { SignedInCaller } from "./endpoint.ts";

/** Validity of picture links in seconds: a working day for pictures, and a single view for faces. */
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
      if (!services.fileLinks.holds(params, query.expires, query.signature)) throw new DomainError("not_found");
      const scope = await services.scopes(params.hotelId);
      if (!scope) throw new DomainError("not_found");
      const { contentType, sizeBytes, content } = await services.files.open(scope, params.id);
      forAnyOrigin(reply);
      return reply
        .header("cache-control", "private, no-store")
        .header("x-content-type-options", "nosniff")
        .header("content-length", sizeBytes)
        .type(contentType)
        .send(content);
    },
  });
}
