import { DomainError } from "@innkey/shared/errors";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Services } from "../../domain/services.ts";
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

const linkParams = z.object({ hotelId: z.coerce.number().int().positive(), id: z.uuid() });
const linkQuery = z.object({ expires: z.coerce.number().int(), signature: z.string().max(100) });

/** GET /manage/files/:hotelId/:id?expires&signature: serves the links of `pictureUrl`. */
export function registerPictureLinks(app: FastifyInstance, services: Services): void {
  app.get("/manage/files/:hotelId/:id", { compress: false }, async (request, reply) => {
    const params = linkParams.safeParse(request.params);
    const query = linkQuery.safeParse(request.query);
    if (!params.success || !query.success) throw new DomainError("not_found");
    if (!services.fileLinks.holds(params.data, query.data.expires, query.data.signature)) {
      throw new DomainError("not_found");
    }
    const scope = await services.scopes(params.data.hotelId);
    if (!scope) throw new DomainError("not_found");
    const { contentType, sizeBytes, content } = await services.files.open(scope, params.data.id);
    forAnyOrigin(reply);
    return reply
      .header("cache-control", "private, no-store")
      .header("x-content-type-options", "nosniff")
      .header("content-length", sizeBytes)
      .type(contentType)
      .send(content);
  });
}
