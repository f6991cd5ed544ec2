import { buffer } from "node:stream/consumers";
import { exportInput } from "@innkey/shared/schemas/data";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { crlfLines } from "./csv-file.ts";
import { openFile } from "./make-file.ts";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
beforeAll(async () => {
  world = await createTestWorld("2026-10-25T04:00:00.000Z");
  hotel = await world.createHotel({ timeZone: "Europe/Berlin" });
  owner = await hotel.scope();
});
afterAll(() => world.close());

const columns = ["at", "room", "style", "result", "reason", "guest", "holder", "operator", "source", "content"];

async function writeFile(page: { page: number; pageSize: number } | null, filters = {}): Promise<string> {
  const request = exportInput.parse({ list: "unlocks", columns, format: "csv", page, filters });
  let rows = 0;
  const file = await openFile(owner, request);
  const bytes = await buffer(
    file.bytes((more) => {
      rows += more;
    }),
  );
  expect(rows).toBe(file.total);
  return bytes.toString();
}

it("writes the same rows in PostgreSQL as the console does", async () => {
  const { prisma } = world.database;
  const names = ["101", "=2+3", '"Suite", sea', "-7", "two\nlines"];
  const contents = ["", "@cmd", "a\r\nb\rc\nd", 'say "x"', "\t=1", "plain", "ends\n"];
  contents.push("Meier;=1+1;x", "＝1", "a\r\n=1", "x|  -2", ";'=3", "'+4", "+4930", "+49-30", "y;z", '"=5', "؛@6");
  const styles = ["card", "passcode", "fingerprint", "remote", "key", "inside", "unknown"] as const;
  const reasons = ["", "expired", "deadbolt"];
  const { actor } = owner;
  for (const [index, name] of names.entries()) {
    const roomId = await hotel.createRoom(name, null);
    const mac = `02:00:00:00:09:0${index}`;
    const lock = await prisma.lock.create({ data: { hotelId: hotel.id, roomId, mac } });
    await prisma.unlockRecord.createMany({
      data: Array.from({ length: 60 }, (_, n) => ({
        hotelId: hotel.id,
        roomId,
        lockId: lock.id,
        lockSeq: n + 1,
        at: new Date(Date.parse("2026-10-24T22:00:00.987Z") + n * 360_000),
        style: styles[n % 7] ?? "unknown",
        success: n % 3 === 0,
        reason: reasons[n % 2 === 0 ? 0 : n % 3] ?? "",
        content: contents[n % 3 === 0 ? (n / 3) % contents.length : 0] ?? "",
        source: ["lock", "gateway", "console", "-bridge"][n % 4] ?? "",
        operatorId: n % 4 === 2 ? actor.id : null,
      })),
    });
  }
  const byConsole = await writeFile({ page: 1, pageSize: 100_000 });
  expect(await writeFile(null)).toBe(byConsole);
  expect(byConsole).toContain(`'=2+3`);
  expect(byConsole).toContain("Meier;'=1+1;x");
  expect(byConsole).toContain("2026-10-25 02:54:00");
  expect(byConsole).toContain("Alert");
  const filters = { style: "card", success: false, from: "2026-10-24T22:30:00Z", to: "2026-10-25T03:00:00Z" };
  expect(await writeFile(null, filters)).toBe(await writeFile({ page: 1, pageSize: 100_000 }, filters));
});

it("recognises the ends of lines wherever the parts are cut", async () => {
  const text = 'a,"b\nc ""q""",d\n"x"\n\n';
  for (let at = 0; at <= text.length; at += 1) {
    let rows = 0;
    const parts = (async function* () {
      yield Buffer.from(text.slice(0, at));
      yield Buffer.from(text.slice(at));
    })();
    const lines = crlfLines(parts, (more) => {
      rows += more;
    });
    expect([(await buffer(lines)).toString(), rows]).toEqual([text.replaceAll("\n", "\r\n"), 3]);
  }
});
