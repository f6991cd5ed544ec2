import { randomUUID } from "node:crypto";
import { type LanguageCode, languageOf } from "@innkey/shared/languages";
import { z } from "zod";
import type { Mailer } from "../../../adapters/mail/mail.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { OutgoingMessageChannel } from "../../../adapters/postgres/generated/enums.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { SmsSender } from "../../../adapters/sms/sms.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import type { SealContext, SecretBox } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { type TextParams, type Translate, translator } from "../../../kernel/translate.ts";
import { recordFailed, settleFailures, withdrawOutdated } from "../guest-messages/guest-messages.ts";
import { sendToMessenger, Undeliverable } from "../guest-messages/messenger.ts";

/** Delivers one message as soon as it is committed. */
export const deliverMessage: Job<{ messageId: string }> = {
  name: "messages.deliver",
  payload: z.object({ messageId: z.uuid() }),
};

/** Delivers messages left over: the process ended after the commit, or the pause after a failure is over. */
export const sweepMessages: Job<Record<string, never>> = { name: "messages.sweep", payload: z.strictObject({}) };

const SWEEP_SECONDS = 15;

interface OutgoingMessageJobs {
  deliver(messageId: string, log: Logger): Promise<void>;
  sweep(log: Logger): Promise<void>;
}

export function defineOutgoingMessageJobs(queue: JobQueue, outgoingMessages: OutgoingMessageJobs): void {
  queue.define(deliverMessage, ({ messageId }, log) => outgoingMessages.deliver(messageId, log));
  queue.define(sweepMessages, (_payload, log) => outgoingMessages.sweep(log), { concurrency: 1, attempts: 1 });
  queue.every(sweepMessages, SWEEP_SECONDS, {});
}

/** Parameters of each text; the texts are `messages.<template>` in locales/. */
interface Templates {
  recoveryCode: { code: string; minutes: number };
  /** Sent instead of a code, because codes must not appear in the outbox. */
  recoveryByCommand: Record<never, never>;
  /** A door code for whoever it was made for. */
  doorCode: { hotel: string; doors: string; code: string; ends: "once" | "never" | "until"; until: string };
  twoStepReset: { hotel: string };
  twoStepChanged: { hotel: string; change: TwoStepChange };
  passwordChanged: { hotel: string };
  /** Set by a colleague. */
  passwordSet: { hotel: string };
  /** A colleague changed the account; the message goes to the earlier address. */
  accountChanged: { hotel: string };
}
/** How a person changed their own second factor; `off` means that they removed the last one. */
export type TwoStepChange =
  | ("appAdded" | "appReplaced" | "appRemoved")
  | ("passkeyAdded" | "passkeyRemoved")
  | ("recoveryCodes" | "off");
type Template = keyof Templates;

export interface MessageContent<T extends Template = Template> {
  hotelId: number;
  channel: OutgoingMessageChannel;
  /** Phone number or mail address. */
  recipient: string;
  template: T;
  params: Templates[T];
  language: LanguageCode;
  /** Owner of the account that the text gives access to. */
  operatorId?: number;
  /** The door code in the text. */
  passcodeId?: number;
}

/** Transaction that the message belongs to: a hotel's transaction, or plain Prisma. */
interface MessageWriter {
  outgoingMessage: {
    create(args: {
      data: Prisma.OutgoingMessageUncheckedCreateInput;
      select: { id: true };
    }): PromiseLike<{ id: string }>;
  };
}

interface OutgoingMessagesDeps {
  database: Database;
  queue: JobQueue;
  secrets: { message: SecretBox; webhook: SecretBox };
  clock: Clock;
  log: Logger;
  /** If neither is set, messages stay in the console's outbox, where the owner reads them. */
  mailer: Mailer | undefined;
  sms: SmsSender | undefined;
  /** for alerts about messages to guests */
  scopes: SystemScopes;
}

/** Ways that the server's own services serve; a messenger service belongs to a hotel. */
type ServerChannel = Exclude<OutgoingMessageChannel, "webhook">;

/** A message with its finished text. */
export interface WrittenMessage {
  hotelId: number;
  channel: OutgoingMessageChannel;
  /** Phone number or mail address. */
  recipient: string;
  subject: string;
  body: string;
  operatorId?: number | undefined;
  passcodeId?: number | undefined;
  /** No service reaches the recipient, so the desk hands the text over. */
  toHandOver?: boolean;
}

export const MAX_TRIES = 5;
/** Duration of a claim: longer than any delivery, so that two workers never send the same message. */
const CLAIM_MS = 60_000;
/** Pause after the first, second … failure. */
const PAUSES_MS = [15_000, 60_000, 240_000, 900_000];
const SWEEP_SIZE = 100;
const MAX_ERROR_CHARACTERS = 300;

/**
 * Outbox for mail and SMS. The row is written in the transaction that causes the message and delivered after commit, so
 * a message is sent exactly if its cause was committed. If the server dies between sending and recording, the message
 * is sent again once the claim expires; two running servers never send it twice.
 */
export class OutgoingMessages {
  /** Allows plain http and addresses of this machine for a messenger service, for tests. */
  allowLocal = false;
  readonly #deps: OutgoingMessagesDeps;

  constructor(deps: OutgoingMessagesDeps) {
    this.#deps = deps;
  }

  /** True if no mail or SMS service is set up, so that messages appear only on the outbox page. */
  get outboxOnly(): boolean {
    return !this.#deps.mailer && !this.#deps.sms;
  }

  /** Checks whether messages of this channel are delivered, or shown on the outbox page in place of a service. */
  sends(channel: ServerChannel): boolean {
    return this.outboxOnly || this.delivers(channel);
  }

  /** Checks whether a service delivers messages of this channel. */
  delivers(channel: ServerChannel): boolean {
    const { mailer, sms } = this.#deps;
    return (channel === "mail" ? mailer : sms) !== undefined;
  }

  /**
   * Stores the message in the transaction `db`, with its text encrypted. Returns its id, for `deliverSoon` after
   * commit.
   */
  queue<T extends Template>(db: MessageWriter, message: MessageContent<T>): Promise<string> {
    const { hotelId, channel, recipient, operatorId, passcodeId } = message;
    return this.queueWritten(db, { hotelId, channel, recipient, operatorId, passcodeId, ...textsOf(message) });
  }

  /** As `queue`, with a text that the caller has written. A message to be handed over is not sent. */
  async queueWritten(db: MessageWriter, message: WrittenMessage): Promise<string> {
    const { clock, secrets } = this.#deps;
    const now = clock.now();
    const { hotelId, channel, recipient, subject, body, toHandOver = false } = message;
    const { operatorId = null, passcodeId = null } = message;
    const id = randomUUID();
    await db.outgoingMessage.create({
      data: {
        id,
        hotelId,
        channel,
        recipient,
        subject,
        bodyBox: secrets.message.seal(body, bodyContext({ id, hotelId })),
        operatorId,
        passcodeId,
        state: toHandOver ? "to_hand_over" : "queued",
        createdAt: now,
        nextTryAt: now,
      },
      select: { id: true },
    });
    return id;
  }

  /** Starts the delivery after commit. If this fails, the next sweep delivers the messages. */
  async deliverSoon(messageIds: readonly string[]): Promise<void> {
    const { queue, log } = this.#deps;
    try {
      for (const messageId of messageIds) await queue.add(deliverMessage, { messageId }, { jobId: messageId });
    } catch (error) {
      log.warn({ err: error }, "messages wait for the next sweep");
    }
  }

  /** Delivers all messages that are due. */
  async sweep(log = this.#deps.log): Promise<void> {
    const { database, clock } = this.#deps;
    const due = await database.prisma.outgoingMessage.findMany({
      where: { state: "queued", nextTryAt: { lte: clock.now() } },
      orderBy: { nextTryAt: "asc" },
      take: SWEEP_SIZE,
      select: { id: true },
    });
    for (const { id } of due) await this.deliver(id, log);
  }

  /**
   * Delivers one message, unless it was deleted, is not due, or another worker has claimed it. One that should no longer
   * reach its guest as it is leaves the outbox.
   */
  async deliver(messageId: string, log = this.#deps.log): Promise<void> {
    const { database, clock } = this.#deps;
    const messages = database.prisma.outgoingMessage;
    const claimed = await messages.updateMany({
      where: { id: messageId, state: "queued", nextTryAt: { lte: clock.now() } },
      data: { tries: { increment: 1 }, nextTryAt: new Date(clock.now().getTime() + CLAIM_MS) },
    });
    if (claimed.count === 0) return;
    if (await withdrawOutdated(database, messageId)) return;
    const message = await messages.findUniqueOrThrow({ where: { id: messageId } });
    try {
      await this.#send(message);
    } catch (error) {
      await this.#recordFailure(message, error, log);
      return;
    }
    await this.#recordSent(messageId);
  }

  async #send(message: Message): Promise<void> {
    if (this.outboxOnly && message.channel !== "webhook") return;
    const { mailer, sms, secrets, database, clock } = this.#deps;
    const text = secrets.message.open(message.bodyBox, bodyContext(message));
    if (text === null) throw new Undeliverable("The text can't be decrypted: SECRET_KEY has changed");
    const { recipient, subject } = message;
    if (message.channel === "mail") {
      if (!mailer) throw new Undeliverable("SMTP_URL is not set");
      await mailer.send({ to: recipient, subject, text });
    } else if (message.channel === "webhook") {
      const { id, hotelId } = message;
      const deps = { database, secrets, now: clock.now(), allowLocal: this.allowLocal };
      await sendToMessenger({ id, hotelId, to: recipient, subject, text }, deps);
    } else {
      if (!sms) throw new Undeliverable("SMS_WEBHOOK_URL is not set");
      await sms.send({ to: recipient, text });
    }
  }

  async #recordSent(messageId: string): Promise<void> {
    const { database, clock, scopes } = this.#deps;
    const { prisma } = database;
    const sentAt = clock.now();
    const [, { count }] = await prisma.$transaction([
      prisma.outgoingMessage.updateMany({ where: { id: messageId }, data: { state: "sent", sentAt, lastError: "" } }),
      prisma.guestMessage.updateMany({ where: { messageId }, data: { state: "sent", sentAt } }),
    ]);
    if (count === 0) return;
    const byHand = await prisma.guestMessage.findFirst({
      where: { messageId, byHand: true },
      select: { hotelId: true },
    });
    const scope = byHand && (await scopes(byHand.hotelId));
    await scope?.write((tx) => settleFailures(scope, tx));
  }

  async #recordFailure(message: Message, error: unknown, log: Logger): Promise<void> {
    const { database, clock, scopes, secrets } = this.#deps;
    const { id, hotelId, tries, channel } = message;
    const pause = error instanceof Undeliverable ? undefined : PAUSES_MS[tries - 1];
    const text = secrets.message.open(message.bodyBox, bodyContext(message)) ?? "";
    const where = { id: hotelId };
    const { wifiPassword } = await database.prisma.hotel.findUniqueOrThrow({ where, select: { wifiPassword: true } });
    const lastError = reasonWithout({ ...message, text, wifiPassword }, error).slice(0, MAX_ERROR_CHARACTERS);
    const isFinal = pause === undefined || tries >= MAX_TRIES;
    log.warn({ messageId: id, channel, tries, final: isFinal, ...kindOf(error) }, "message was not delivered");
    const data = isFinal
      ? { state: "failed" as const, lastError }
      : { nextTryAt: new Date(clock.now().getTime() + pause), lastError };
    const isToGuest = isFinal && (await database.prisma.guestMessage.findUnique({ where: { messageId: id } })) !== null;
    const scope = isToGuest ? await scopes(hotelId) : null;
    if (!scope) {
      await database.prisma.outgoingMessage.updateMany({ where: { id }, data });
      return;
    }
    await scope.write(async (tx) => {
      await tx.db.outgoingMessage.updateMany({ where: { id }, data });
      await recordFailed(scope, tx, id);
    });
  }
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Returns a service's reason without what mail servers quote: the recipient, who is stored beside it, and what is secret in
 * the text, which is stored encrypted: codes, the secrets of links and the hotel's Wi-Fi password.
 */
function reasonWithout(
  { recipient, text, wifiPassword }: { recipient: string; text: string; wifiPassword: string },
  error: unknown,
): string {
  const reason = error instanceof Error ? error.message : String(error);
  const quoted = text.toLowerCase();
  const whole = [recipient, quoted.includes(wifiPassword.toLowerCase()) ? wifiPassword : ""];
  return whole
    .filter((word) => word !== "")
    .reduce((rest, word) => rest.replace(new RegExp(literally(word), "gi"), "…"), reason)
    .replace(/[\w-]{4,}/g, (word) =>
      (/\d/.test(word) || word.length >= 20) && quoted.includes(word.toLowerCase()) ? "…" : word,
    );
}

/** Returns what the log gets of an error: codes, and a reason only in our own words, which name nobody. */
function kindOf(error: unknown): Record<string, unknown> {
  if (error instanceof Undeliverable) return { reason: error.message };
  const { name, code, responseCode } = error as { name?: unknown; code?: unknown; responseCode?: unknown };
  return { error: name, code, responseCode };
}

/** Seal context of the text of a message. */
export const bodyContext = ({ id, hotelId }: { id: string; hotelId: number }): SealContext => ({
  column: "outgoing_message.body_box",
  hotelId,
  row: id,
});

interface Message {
  id: string;
  hotelId: number;
  channel: OutgoingMessageChannel;
  recipient: string;
  subject: string;
  bodyBox: Uint8Array;
  tries: number;
}

function textsOf({ template, params, language }: MessageContent): { subject: string; body: string } {
  const t = translator(language);
  return {
    subject: t(`messages.${template}.subject`, "hotel" in params ? { hotel: params.hotel } : {}),
    body: t(`messages.${template}.body`, valuesOf(params, t)),
  };
}

function valuesOf(params: Templates[Template], t: Translate): TextParams {
  if ("minutes" in params) return { ...params, count: params.minutes };
  if ("ends" in params) return { ...params, ends: t(`messages.doorCode.${params.ends}`, { until: params.until }) };
  if ("change" in params) return { ...params, change: t(`messages.twoStepChanged.${params.change}`) };
  return params;
}

/** Owner of an account, with addresses. */
export interface AccountHolder {
  mobile: string | null;
  email: string | null;
  /** Null means the hotel's language. */
  language: string | null;
}

/**
 * Notifies a person in their language about a change to their account: by mail if they have an address and mail is set
 * up, otherwise by SMS. The message is part of the transaction. If neither way is available, nothing is sent.
 */
export async function notifyAccountHolder<T extends Template>(
  scope: Scope,
  tx: Transaction,
  outgoingMessages: OutgoingMessages,
  { mobile, email, language }: AccountHolder,
  content: Pick<MessageContent<T>, "template" | "params">,
): Promise<void> {
  const ways = [
    { channel: "mail", recipient: email },
    { channel: "sms", recipient: mobile },
  ] as const;
  for (const { channel, recipient } of ways) {
    if (recipient === null || !outgoingMessages.sends(channel)) continue;
    const messageId = await outgoingMessages.queue(tx.db, {
      ...content,
      ...{ hotelId: scope.hotelId, channel, recipient },
      language: languageOf(language ?? scope.hotel.language).code,
    });
    tx.committed(() => void outgoingMessages.deliverSoon([messageId]));
    return;
  }
}
