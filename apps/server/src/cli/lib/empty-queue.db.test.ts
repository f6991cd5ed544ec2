import { Redis } from "ioredis";
import { expect, it } from "vitest";
import { RedisServer } from "../../../test/processes/foreign-servers.ts";
import { emptyQueue } from "./backups.ts";

it("deletes the console's keys in Redis, and no others", async () => {
  const server = await RedisServer.start();
  const redis = new Redis(server.url);
  try {
    const ours = Array.from({ length: 2_500 }, (_, n) => `innkey:locks.dispatch:${n}`);
    await redis.mset(ours.flatMap((key) => [key, "1"]));
    await redis.set("someone:else", "1");
    await emptyQueue(server.url);
    expect(await redis.keys("*")).toEqual(["someone:else"]);
  } finally {
    redis.disconnect();
    await server.kill();
  }
});
