import { setTimeout as delay } from "node:timers/promises";
import { type Simulators, startSimulators } from "../../apps/simulators/src/simulators.ts";
import type { VirtualCard } from "../../apps/simulators/src/virtual-card.ts";
import { expect, test } from "./test.ts";

/** The devices of a desk, as simulators on the real ports; a console knows no other ones. */
export interface Devices {
  /** lays a card on the reader, or takes it away */
  put(uid: string | null): Promise<void>;
  fault(faults: object): Promise<void>;
  reset(): Promise<void>;
  /** the card itself, to hold it to a door */
  card(uid: string): VirtualCard;
  /** what is on a card, block by block, keys and all */
  memory(uid: string): string[];
  tell(method: string, path: string, body?: object): Promise<unknown>;
}

const TURN_MS = 10 * 60_000;
const PAUSE_MS = 250;

/** For a whole file of tests. The ports are there once: files that need them wait for one another. */
export function useDevices(): Devices {
  let simulated: Simulators | undefined;

  test.beforeAll(async () => {
    test.setTimeout(TURN_MS);
    simulated = await inTurn();
  });
  test.afterAll(() => simulated?.stop());
  test.beforeEach(() => sendControl("POST", "/reset"));

  async function sendControl(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${simulated?.urls.control}${path}`, { method, body: JSON.stringify(body) });
    expect(answer.ok).toBe(true);
    return answer.json();
  }
  return {
    tell: sendControl,
    put: async (uid) => void (await sendControl("PUT", "/card", { uid })),
    fault: async (faults) => void (await sendControl("PUT", "/faults", faults)),
    reset: async () => void (await sendControl("POST", "/reset")),
    card(wanted) {
      const found = simulated?.reader.cards.find(({ uid }) => uid === wanted);
      if (!found) throw new Error(`no card ${wanted} lies on the desk`);
      return found;
    },
    memory: (wanted) => simulated?.reader.cards.find(({ uid }) => uid === wanted)?.dump() ?? [],
  };
}

async function inTurn(): Promise<Simulators> {
  const until = Date.now() + TURN_MS;
  for (;;) {
    try {
      return await startSimulators();
    } catch (error) {
      if ((error as { code?: string }).code !== "EADDRINUSE" || Date.now() > until) throw error;
      // Not in step with the other: both would find half of the ports taken, again and again.
      await delay(PAUSE_MS * (1 + Math.random()));
    }
  }
}
