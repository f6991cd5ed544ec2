import { load } from "./board/programs.ts";
import { withWorld } from "./growth/world.ts";
import { logIn } from "./measuring/owner.ts";
import { fillReads } from "./reads/fill.ts";
await withWorld(async (world) => {
  const mains = process.argv.slice(2); const servers = [];
  for (const [n, main] of mains.entries()) { const database = await world.database(`c${n}`); await fillReads(database, 60);
   const server = await world.serve(database, main === "-" ? {} : { main }); servers.push({ server, cookie: await logIn(server.url), rates: [] as number[] }); }
  for (let r = 0; r < 7; r++) for (const s of servers) s.rates.push((await load({ connections: 8, seconds: 2, status: 200, url: `${s.server.url}/api/trpc/hotel.get`, headers: { cookie: s.cookie } })).perSecond);
  for (const [n, s] of servers.entries()) console.log(mains[n], s.rates.map((x) => x.toFixed(0)).join(" "), "median", s.rates.toSorted((a, b) => a - b)[3]?.toFixed(0));
  for (const s of servers) await s.server.stop();
});
