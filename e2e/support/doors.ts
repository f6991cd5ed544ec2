import type { Page } from "@playwright/test";
import type { LockAccess } from "../../apps/simulators/src/locks/lock-client.ts";
import { type Street, startStreet } from "../../apps/simulators/src/locks/street.ts";
import { call } from "./desk.ts";
import { expect } from "./test.ts";

const MAX_CONNECT_MS = 20_000;

interface LockRow {
  id: number;
  mac: string;
  configuredAt: string | null;
  online: boolean;
}

/** Connects a virtual lock to the console as an installer does, and waits until it has its keys. */
export async function connectVirtualLock(page: Page, mac: string): Promise<Street> {
  const find = async (): Promise<LockRow | undefined> =>
    (await call<LockRow[]>(page, "query", "locks.list", undefined)).find((lock) => lock.mac === mac);
  const { url, user, password, pairingSecret } = await call<LockAccess>(page, "mutation", "locks.connect", {
    lockId: (await find())?.id,
  });
  const brokerUrl = `mqtt://127.0.0.1:${new URL(url).port}`;
  const account = { user, password, pairingSecret, hotelId: Number(user.split("/")[0]), mac };
  const street = startStreet({ locks: [{ url: brokerUrl, ...account }] });
  await street.awake(MAX_CONNECT_MS);
  await expect.poll(async () => Boolean((await find())?.configuredAt), { timeout: MAX_CONNECT_MS }).toBe(true);
  return street;
}
