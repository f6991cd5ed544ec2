import { randomUUID } from "node:crypto";
import type { MqttLink, MqttMessage } from "../../adapters/mqtt/mqtt.ts";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import type { DeviceAccounts } from "../../domain/access/locks/reports.ts";
import { jsonOf } from "./bad-messages.ts";
import {
  CONTROL,
  CONTROL_ANSWER,
  type ControlCommand,
  clientList,
  controlAnswer,
  creation,
  isOurs,
  markOf,
  removal,
} from "./dynamic-security.ts";

type Answers = ReturnType<typeof controlAnswer.parse>["responses"];

interface BrokerAccountsDeps {
  link: Pick<MqttLink, "subscribe" | "publish" | "connected">;
  accounts: DeviceAccounts;
  log: Logger;
}

const ANSWER_MS = 15_000;
const AGAIN_MS = 5_000;
/**
 * We also compare without a notice: another process may have been interrupted, or someone may have edited the broker
 * by hand.
 */
const EVERY_MS = 600_000;
/** Accounts per message; the broker rewrites its file after each message. */
const AT_ONCE = 50;

/**
 * Keeps the accounts of locks and links in a Mosquitto broker with dynamic security equal to ours. Each run compares
 * both sides and sends only the differences, so several servers may call it at any time, also after the broker lost
 * its data.
 */
export class BrokerAccounts {
  readonly #needs: BrokerAccountsDeps;
  readonly #asked = new Map<string, (answers: Answers) => void>();
  readonly #every: NodeJS.Timeout;
  #again: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #wanted = false;
  #closed = false;

  constructor(deps: BrokerAccountsDeps) {
    this.#needs = deps;
    deps.link.subscribe([CONTROL_ANSWER]);
    this.#every = setInterval(() => this.keep(), EVERY_MS).unref();
  }

  /** Starts a synchronisation. Calls during a run cause one further run. */
  keep(): void {
    this.#wanted = true;
    if (this.#closed || !this.#needs.link.connected) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Handles an answer of the plugin. Returns null for any other topic. */
  take({ topic, payload }: MqttMessage): Promise<void> | null {
    if (topic !== CONTROL_ANSWER) return null;
    const { data } = controlAnswer.safeParse(jsonOf(payload));
    const id = data?.responses.find(({ correlationData }) => correlationData !== undefined)?.correlationData;
    if (data && id !== undefined) this.#asked.get(id)?.(data.responses);
    return Promise.resolve();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#every);
    clearTimeout(this.#again);
  }

  async #work(): Promise<void> {
    clearTimeout(this.#again);
    try {
      while (this.#wanted && !this.#closed) {
        this.#wanted = false;
        await this.#settle();
      }
    } catch (error) {
      if (this.#closed) return;
      this.#needs.log.warn({ err: error }, "the accounts of locks at the broker could not be kept; trying again");
      this.#again = setTimeout(() => this.keep(), AGAIN_MS).unref();
    }
  }

  async #settle(): Promise<void> {
    const accounts = await this.#needs.accounts.accounts();
    const [answer] = await this.#ask([{ command: "listClients", verbose: true, count: -1, offset: 0 }]);
    const { clients } = clientList.parse(answer?.data);
    const there = new Map(clients.map(({ username, textname }) => [username, textname]));
    const expected = new Set(accounts.map(({ user }) => user));
    const obsolete = [...there.keys()].filter((user) => isOurs(user) && !expected.has(user));
    const missing = accounts.filter((account) => there.get(account.user) !== markOf(account));
    const changes = [...obsolete.map(removal), ...missing.map((one) => [...removal(one.user), ...creation(one)])];
    for (let at = 0; at < changes.length; at += AT_ONCE) {
      const answers = await this.#ask(changes.slice(at, at + AT_ONCE).flat());
      // We delete an account before we recreate it, and it may not have existed, so errors of deletions are ignored.
      const failed = answers.find(({ command, error }) => error !== undefined && !command.startsWith("delete"));
      if (failed) throw new Error(`${failed.command}: ${failed.error}`);
    }
  }

  async #ask(commands: ControlCommand[]): Promise<Answers> {
    const id = randomUUID();
    const message = JSON.stringify({ commands: commands.map((command) => ({ ...command, correlationData: id })) });
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Answers>((resolve, reject) => {
        this.#asked.set(id, resolve);
        const late = (): void => reject(new Error("the broker's dynamic security plugin does not answer"));
        timer = setTimeout(late, ANSWER_MS).unref();
        this.#needs.link.publish(CONTROL, message).catch(reject);
      });
    } finally {
      clearTimeout(timer);
      this.#asked.delete(id);
    }
  }
}
