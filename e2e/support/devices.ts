import { setTimeout as delay } from "node:timers/promises";
import { type Simulators, startSimulators } from "../../apps/simulators/src/simulators.ts";
import type { VirtualCard } from "../../apps/simulators/src/virtual-card.ts";
import { expect, test } from "./test.ts";

/** The devices of a desk, as simulators on the real ports, because the console connects only to those. */
export interface Devices {
  /** puts a card on the reader, or removes it */
  put(uid: string | null): Promise<void>;
  fault(faults: object): Promise<void>;
  reset(): Promise<void>;
  /** the card itself, to present it at a door */
  card(uid: string): VirtualCard;
  /** the contents of a card, block by block, including keys */
  memory(uid: string): string[];
  sendControl(method: string, path: string, body?: object): Promise<unknown>;
}

const MAX_WAIT_MS = 10 * 60_000;
const PAUSE_MS = 250;

/**
 * Starts the simulators for a whole test file. The ports exist only once, so files that need them wait for each other.
 */
export function useDevices(): Devices {
  let simulators: Simulators | undefined;

  test.beforeAll(async () => {
    test.setTimeout(MAX_WAIT_MS);
    simulators = await startInTurn();
  });
  test.afterAll(() => simulators?.stop());
  test.beforeEach(() => sendControl("POST", "/reset"));

  async function sendControl(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${simulators?.urls.control}${path}`, { method, body: JSON.stringify(body) });
    expect(answer.ok).toBe(true);
    return answer.json();
  }
  return {
    sendControl,
    put: async (uid) => void (await sendControl("PUT", "/card", { uid })),
    fault: async (faults) => void (await sendControl("PUT", "/faults", faults)),
    reset: async () => void (await sendControl("POST", "/reset")),
    card(cardUid) {
      const match = simulators?.reader.cards.find(({ uid }) => uid === cardUid);
      if (!match) throw new Error(`no card ${cardUid} is on the desk`);
      return match;
    },
    memory: (cardUid) => simulators?.reader.cards.find(({ uid }) => uid === cardUid)?.dump() ?? [],
  };
}

async function startInTurn(): Promise<Simulators> {
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await startSimulators();
    } catch (error) {
      if ((error as { code?: string }).code !== "EADDRINUSE" || Date.now() > deadline) throw error;
      // A random pause, so that two waiting files don't keep taking half of the ports each.
      await delay(PAUSE_MS * (1 + Math.random()));
    }
  }
}
