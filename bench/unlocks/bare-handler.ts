// The baseline for reading a room's records: the same query and answer from a straightforward Fastify handler with
// plain `pg`, rows as objects and serialisation by Fastify. It has no sessions, permissions or cursors, so it does less
// than the console's server. `/prepared` is the same with a prepared query.
import { createRequire } from "node:module";
import { roomRecordsQuery } from "../../apps/server/src/domain/access/unlocks/unlocks.queries.ts";

const require = createRequire(new URL("../../apps/server/package.json", import.meta.url));
const { default: Fastify } = require("fastify") as typeof import("../../apps/server/node_modules/fastify/fastify.js");
const pg = require("pg") as typeof import("pg");

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL) });
const hotelId = Number(process.env.HOTEL_ID);
const LIMIT = 20;

async function records(roomId: number, prepared: boolean): Promise<object> {
  const { name, text, values } = roomRecordsQuery(roomId, { limit: LIMIT, after: null });
  const { rows } = await pool.query<{ key?: string; at: string }>({
    ...(prepared && { name }),
    text,
    values: [hotelId, ...values],
  });
  const last = rows[LIMIT - 1];
  const nextCursor = rows.length > LIMIT && last ? `${last.at}_${last.key}` : null;
  return { records: rows.slice(0, LIMIT).map(({ key: _key, ...record }) => record), nextCursor };
}

const app = Fastify();
app.get<{ Params: { roomId: string } }>("/rooms/:roomId/unlocks", ({ params }) =>
  records(Number(params.roomId), false),
);
app.get<{ Params: { roomId: string } }>("/prepared/:roomId/unlocks", ({ params }) =>
  records(Number(params.roomId), true),
);

console.log(`ready at ${await app.listen({ port: 0, host: "127.0.0.1" })}`);
process.on("SIGTERM", () => process.exit(0));
