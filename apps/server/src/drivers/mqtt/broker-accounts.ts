import { createHash, randomUUID } from "node:crypto";
import { lockTopics } from "@innkey/shared/locks/protocol";
import { z } from "zod";
import type { MqttLink, MqttMessage } from "../../adapters/mqtt/mqtt.ts";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import type { DeviceAccount, DeviceAccounts, DeviceUser } from "../../domain/access/locks/reports.ts";
import { jsonOf } from "./bad-messages.ts";

/**
 * Commands of Mosquitto's dynamic security plugin that we use. Source: README.md of plugins/dynamic-security in
 * Eclipse Mosquitto.
 */
const CONTROL = "$CONTROL/dynamic-security/v1";
const CONTROL_ANSWER = `${CONTROL}/response`;

interface Acl {
  acltype: "publishClientSend" | "subscribeLiteral" | "subscribePattern";
  topic: string;
  allow: true;
}

type ControlCommand = { command: string } & Record<string, unknown>;

const controlAnswer = z.object({
  responses: z.array(
    z.object({
      command: z.string().default(""),
      error: z.string().optional(),
      correlationData: z.string().optional(),
      data: z.unknown().optional(),
    }),
  ),
});

/** Data of the `listClients` answer. We store a hash of the account in `textname` (see `markOf`). */
const clientList = z.object({
  clients: z.array(z.object({ username: z.string(), textname: z.string().default("") })),
});

/** Returns the plugin's access rules for a user, equal to the rules of the embedded broker (`broker-rights.ts`). */
function aclsOf(who: DeviceUser): Acl[] {
  const speaks = (topic: string): Acl => ({ acltype: "publishClientSend", topic, allow: true });
  const hears = (topic: string): Acl => ({ acltype: "subscribeLiteral", topic, allow: true });
  const hearsBelow = (topic: string): Acl => ({ acltype: "subscribePattern", topic, allow: true });
  if (who.kind === "lock") {
    const root = lockTopics.root(who.hotelId, who.mac);
    return [
      ...["ack", "event", "status"].map((part) => speaks(`${root}/${part}`)),
      ...["command", "event/ack"].map((part) => hears(`${root}/${part}`)),
    ];
  }
  if (who.link === "zigbee2mqtt") return [speaks(`${who.base}/#`), hearsBelow(`${who.base}/#`)];
  return [
    ...[`${who.base}/status`, `lockd/${who.hotelId}/+/ha/set`].map(speaks),
    ...[`${who.base}/#`, `lockd/${who.hotelId}/+/status`, `lockd/${who.hotelId}/+/ha/state`].map(hearsBelow),
  ];
}

/** Returns a hash of an account's password and rights, to detect changes. */
const markOf = ({ password, who }: DeviceAccount): string =>
  createHash("sha256")
    .update(JSON.stringify([password, aclsOf(who)]))
    .digest("base64url");

/** Checks whether a user name has the form of our accounts, as opposed to users that the operator created. */
const isOurs = (user: string): boolean => /^(\d{1,9}\/[0-9A-F]{12}|(zigbee2mqtt|home-assistant)-\d{1,9})$/.test(user);

/** Commands that delete a user. The broker also ends the user's connections. */
const removal = (user: string): ControlCommand[] => [
  { command: "deleteClient", username: user },
  { command: "deleteRole", rolename: user },
];

const creation = (account: DeviceAccount): ControlCommand[] => [
  { command: "createRole", rolename: account.user, acls: aclsOf(account.who) },
  {
    command: "createClient",
    username: account.user,
    password: account.password,
    textname: markOf(account),
    roles: [{ rolename: account.user }],
  },
];

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
