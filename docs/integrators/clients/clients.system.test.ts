import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LegacyCipher } from "../../../apps/server/src/api/legacy/envelope.ts";
import type { TestHotel, TestOperator } from "../../../apps/server/test/harness/people.ts";
import {
  createTestServer,
  TEST_CIPHERS,
  TEST_PASSWORD,
  type TestServer,
} from "../../../apps/server/test/harness/server.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");

let server: TestServer;
let owner: TestOperator;
let url: string;
let names: string[];

/** More than a page of them, and names that a client has to unwrap with care. */
beforeAll(async () => {
  server = await createTestServer();
  const hotel: TestHotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  const odd = ['A "quoted" one', "Back\\slash", "Zimmer Köln 海", 'x, "name":"y'];
  const plain = Array.from({ length: 210 }, (_, index) => `room ${index}`);
  names = [...odd, ...plain];
  const createdAt = server.clock.now();
  await server.database.prisma.room.createMany({ data: names.map((name) => ({ hotelId: hotel.id, name, createdAt })) });
  url = await server.listen();
});
afterAll(() => server.close());

const CLIENTS = {
  typescript: [process.execPath, "--import", "tsx", "docs/integrators/clients/typescript/client.ts"],
  python: ["python3", "docs/integrators/clients/python/client.py"],
  shell: ["sh", "docs/integrators/clients/shell/client.sh"],
};

function environment({ name, key, iv }: LegacyCipher, password = TEST_PASSWORD): NodeJS.ProcessEnv {
  return {
    ...process.env,
    INNKEY_URL: url,
    LEGACY_CIPHER: name,
    LEGACY_KEY: Buffer.from(key).toString("hex"),
    LEGACY_IV: Buffer.from(iv).toString("hex"),
    INNKEY_ACCOUNT: owner.account,
    INNKEY_PASSWORD: password,
  };
}

it.each([
  ["python3", ["--version"]],
  ["curl", ["--version"]],
  ["openssl", ["version"]],
])("%s is on this machine", async (tool, args) => {
  await expect(run(tool, args), `${tool} is missing`).resolves.toBeDefined();
});

const ciphers = TEST_CIPHERS.filter(({ name }) => name !== "aes-128-cbc");

describe.each(Object.entries(CLIENTS))("the %s client", (_language, [command = "", ...args]) => {
  it.each(ciphers)("lists the rooms with $name, and reads one", async (cipher) => {
    const { stdout, stderr } = await run(command, args, { cwd: root, env: environment(cipher) });
    expect(stdout.trimEnd().split("\n").sort()).toEqual([...names].sort());
    const [first] = stdout.split("\n");
    expect(stderr.trim()).toBe(`${first}: vacant`);
  });

  it("says what the server said where it is refused", async () => {
    const [cipher] = ciphers;
    if (!cipher) throw new Error("no cipher");
    const refused = run(command, args, { cwd: root, env: environment(cipher, "a wrong one") });
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining("100002") });
    const unsealed = { ...environment(cipher), LEGACY_KEY: "00".repeat(32) };
    await expect(run(command, args, { cwd: root, env: unsealed })).rejects.toMatchObject({
      stderr: expect.stringContaining("The request can't be read."),
    });
  });
});
