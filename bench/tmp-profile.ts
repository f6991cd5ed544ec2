import { load } from "./board/programs.ts";
import { withWorld } from "./growth/world.ts";
import { logIn } from "./measuring/owner.ts";
import { fillReads } from "./reads/fill.ts";
await withWorld(async (world) => {
  const database = await world.database("prof");
  await fillReads(database, 60);
  const server = await world.serve(database, { args: ["--cpu-prof", "--cpu-prof-dir=/tmp/prof8"] });
  const cookie = await logIn(server.url);
  const plan = { connections: 8, seconds: 8, status: 200, url: `${server.url}/api/trpc/hotel.get`, headers: { cookie } };
  console.log(JSON.stringify(await load(plan)));
  await server.stop();
});
