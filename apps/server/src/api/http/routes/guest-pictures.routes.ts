import { id } from "@innkey/shared/schemas/fields";
import { GuestPictureKind } from "@innkey/shared/schemas/stays/pre-check-in";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { GUEST_PICTURE_TYPES, openPicture } from "../../../domain/stays/public.ts";
import { signedInCaller } from "../request-context.ts";
import { registerRoute } from "../route-contract.ts";

const stayGuestId = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(id);

const PICTURE = {
  method: "GET",
  url: "/api/guest-pictures/:id/:kind",
  params: z.object({ id: stayGuestId, kind: GuestPictureKind }),
  names: ["params"],
  answers: { 200: { contentTypes: ["image/"] } },
} as const;

/** Registers the pictures that guests sent before they arrived, for the desk. They are never stored by a browser. */
export function registerGuestPictureRoutes(app: FastifyInstance): void {
  registerRoute(app, PICTURE, {
    options: { compress: false },
    authenticate: signedInCaller,
    async handle({ caller, params, reply }) {
      const bytes = await openPicture(caller.scope, { stayGuestId: params.id, kind: params.kind });
      return reply
        .header("cache-control", "private, no-store")
        .header("content-length", bytes.length)
        .type(GUEST_PICTURE_TYPES[params.kind])
        .send(bytes);
    },
  });
}
