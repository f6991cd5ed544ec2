import type { Page } from "@playwright/test";
import type { LockAccess } from "../../apps/simulators/src/locks/lock-client.ts";
import { type Street, startStreet } from "../../apps/simulators/src/locks/street.ts";
import { call } from "./desk.ts";
import { expect } from "./test.ts";

const AWAKE_MS = 20_000;

interface LockRow {
  id: number;
  mac: string;
  configuredAt: string | null;
  online: boolean;
}

/** Connects a virtual lock to the console as an installer does, and waits until it has its keys. */
export async function awaken(page: Page, mac: string): Promise<Street> {
  const find = async (): Promise<LockRow | undefined> =>
    (await call<LockRow[]>(page, "query", "locks.list", undefined)).find((lock) => lock.mac === mac);
  const { url, user, password, pairingSecret } = await call<LockAccess>(page, "mutation", "locks.connect", {
    lockId: (await find())?.id,
  });
  const near = `mqtt://127.0.0.1:${new URL(url).port}`;
  const account = { user, password, pairingSecret, hotelId: Number(user.split("/")[0]), mac };
  const street = startStreet({ locks: [{ url: near, ...account }] });
  await street.awake(AWAKE_MS);
  await expect.poll(async () => Boolean((await find())?.configuredAt), { timeout: AWAKE_MS }).toBe(true);
  return street;
}
