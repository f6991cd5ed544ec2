import { unlockRecordsInput, unlockRecordsOutput } from "@innkey/shared/schemas/access/unlocks";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { list } from "../../../domain/access/unlocks/unlocks.queries.ts";
import { signedInCaller } from "../request-context.ts";
import { registerRoute } from "../route-contract.ts";

const number = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number);
/** The room's part of `unlockRecordsInput` in the path, the rest as a query string. */
const { roomId, ...filters } = unlockRecordsInput.shape;

const ROOM_RECORDS = {
  method: "GET",
  url: "/api/rooms/:roomId/unlocks",
  opens: { capability: "unlocks.view" },
  params: z.object({ roomId: number.pipe(roomId) }),
  query: z
    .object({ limit: number, success: z.enum(["true", "false"]).transform((value) => value === "true") })
    .partial()
    .catchall(z.unknown())
    .pipe(z.object(filters)),
  answers: { 200: unlockRecordsOutput },
} as const;

/** Registers a room's unlock records, outside tRPC because they are read very often. */
export function registerUnlockRoutes(app: FastifyInstance): void {
  registerRoute(app, ROOM_RECORDS, {
    authenticate: signedInCaller,
    async handle({ caller, params, query, reply }) {
      reply.header("cache-control", "private, no-store");
      return list(caller.scope, { ...query, ...params });
    },
  });
}
