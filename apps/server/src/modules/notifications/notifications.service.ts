import { randomUUID } from "node:crypto";
import type { LanguageCode } from "@innkey/shared/languages";
import type { Clock } from "../../core/clock.ts";
import type { SealContext, SecretBox } from "../../core/secret-box.ts";
import { type TextParams, type Translate, translator } from "../../core/translate.ts";
import type { Database } from "../../infra/database/client.ts";
import type { Prisma } from "../../infra/database/generated/client.ts";
import type { MessageChannel } from "../../infra/database/generated/enums.ts";
import type { Logger } from "../../infra/logger.ts";
import type { Mailer } from "../../infra/mail.ts";
import type { JobQueue } from "../../infra/queue.ts";
import type { SmsSender } from "../../infra/sms.ts";
import { deliverMessage } from "./notifications.jobs.ts";

/** What each text needs to be told; the texts are `messages.<template>` in locales/. */
interface Templates {
  recoveryCode: { code: string; minutes: number };
  /** instead of a code that nobody may read in the outbox */
  recoveryByCommand: Record<never, never>;
  twoStepReset: { hotel: string };
  twoStepChanged: { hotel: string; change: TwoStepChange };
  passwordChanged: { hotel: string };
  /** by a colleague */
  passwordSet: { hotel: string };
  /** by a colleague: what they log in with, told where they were reached before */
  accountChanged: { hotel: string };
}
/** What somebody changed of their own second factor; `off`: it was the last. */
export type TwoStepChange =
  | ("appAdded" | "appReplaced" | "appRemoved")
  | ("passkeyAdded" | "passkeyRemoved")
  | ("recoveryCodes" | "off");
export type Template = keyof Templates;

export interface Notification<T extends Template = Template> {
  hotelId: number;
  channel: MessageChannel;
  /** phone number or mail address */
  recipient: string;
  template: T;
  params: Templates[T];
  language: LanguageCode;
  /** whose account the text opens */
  operatorId?: number;
}

/** The transaction that the message belongs to: a hotel's unit, or plain Prisma. */
export interface MessageWriter {
  outboundMessage: {
    create(args: {
      data: Prisma.OutboundMessageUncheckedCreateInput;
      select: { id: true };
    }): PromiseLike<{ id: string }>;
  };
}

export interface NotifierOptions {
  database: Database;
  queue: JobQueue;
  secrets: { message: SecretBox };
  clock: Clock;
  log: Logger;
  /** neither set: messages stay in the console's outbox, where the owner reads them */
  mailer: Mailer | undefined;
  sms: SmsSender | undefined;
}

export const MAX_TRIES = 5;
/** A claim holds this long: more than any delivery takes, so that two workers never send one message. */
const CLAIM_MS = 60_000;
/** Pause after the first, second … failure. */
const PAUSES_MS = [15_000, 60_000, 240_000, 900_000];
const SWEEP_SIZE = 100;
const ERROR_LENGTH = 300;

/**
 * Messages to people, through an outbox: the row is written in the transaction that causes it and delivered after commit,
 * so that nothing is announced that didn't happen and nothing that happened stays unsaid. A server that dies between
 * handing over and noting it sends again once the claim is over; two live ones never do.
 */
export class Notifier {
  readonly #options: NotifierOptions;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Nothing leaves this machine: the outbox page is where messages arrive. */
  get embedded(): boolean {
    return !this.#options.mailer && !this.#options.sms;
  }

  /** Whether a message by this way goes somewhere. */
  sends(channel: MessageChannel): boolean {
    const { mailer, sms } = this.#options;
    return this.embedded || (channel === "mail" ? mailer : sms) !== undefined;
  }

  /** Writes the message with `db`'s transaction, its text encrypted. Returns its id, for `deliverSoon` after commit. */
  async queue<T extends Template>(db: MessageWriter, notification: Notification<T>): Promise<string> {
    const { clock, secrets } = this.#options;
    const { subject, body } = textsOf(notification);
    const now = clock.now();
    const { hotelId, channel, recipient, operatorId } = notification;
    const id = randomUUID();
    await db.outboundMessage.create({
      data: {
        id,
        hotelId,
        channel,
        recipient,
        subject,
        bodyBox: secrets.message.seal(body, bodyContext({ id, hotelId })),
        operatorId,
        createdAt: now,
        nextTryAt: now,
      },
      select: { id: true },
    });
    return id;
  }

  /** After commit: delivery starts now instead of at the next sweep, which comes anyway. */
  async deliverSoon(messageIds: readonly string[]): Promise<void> {
    const { queue, log } = this.#options;
    try {
      for (const messageId of messageIds) await queue.add(deliverMessage, { messageId }, { jobId: messageId });
    } catch (error) {
      log.warn({ err: error }, "messages wait for the next sweep");
    }
  }

  /** Everything that is due. */
  async sweep(log = this.#options.log): Promise<void> {
    const { database, clock } = this.#options;
    const due = await database.prisma.outboundMessage.findMany({
      where: { state: "queued", nextTryAt: { lte: clock.now() } },
      orderBy: { nextTryAt: "asc" },
      take: SWEEP_SIZE,
      select: { id: true },
    });
    for (const { id } of due) await this.deliver(id, log);
  }

  /** Delivers one message, unless it is gone, not due, or another worker has it. */
  async deliver(messageId: string, log = this.#options.log): Promise<void> {
    const { database, clock } = this.#options;
    const messages = database.prisma.outboundMessage;
    const claimed = await messages.updateMany({
      where: { id: messageId, state: "queued", nextTryAt: { lte: clock.now() } },
      data: { tries: { increment: 1 }, nextTryAt: new Date(clock.now().getTime() + CLAIM_MS) },
    });
    if (claimed.count === 0) return;
    const message = await messages.findUniqueOrThrow({ where: { id: messageId } });
    try {
      await this.#send(message);
    } catch (error) {
      await this.#noteFailure(message, error, log);
      return;
    }
    await messages.update({ where: { id: messageId }, data: { state: "sent", sentAt: clock.now(), lastError: "" } });
  }

  async #send(message: Message): Promise<void> {
    if (this.embedded) return;
    const { mailer, sms, secrets } = this.#options;
    const text = secrets.message.open(message.bodyBox, bodyContext(message));
    if (text === null) throw new Undeliverable("The text can't be decrypted: SECRET_KEY has changed");
    const { recipient, subject } = message;
    if (message.channel === "mail") {
      if (!mailer) throw new Undeliverable("SMTP_URL is not set");
      await mailer.send({ to: recipient, subject, text });
    } else {
      if (!sms) throw new Undeliverable("SMS_WEBHOOK_URL is not set");
      await sms.send({ to: recipient, text });
    }
  }

  async #noteFailure({ id, tries, channel }: Message, error: unknown, log: Logger): Promise<void> {
    const { database, clock } = this.#options;
    const pause = error instanceof Undeliverable ? undefined : PAUSES_MS[tries - 1];
    const lastError = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH);
    const final = pause === undefined || tries >= MAX_TRIES;
    log.warn({ messageId: id, channel, tries, final, reason: lastError }, "message was not taken");
    await database.prisma.outboundMessage.update({
      where: { id },
      data: final ? { state: "failed", lastError } : { nextTryAt: new Date(clock.now().getTime() + pause), lastError },
    });
  }
}

/** Where the text of a message is sealed for. */
export const bodyContext = ({ id, hotelId }: { id: string; hotelId: number }): SealContext => ({
  column: "outbound_message.body_box",
  hotelId,
  row: id,
});

interface Message {
  id: string;
  hotelId: number;
  channel: MessageChannel;
  recipient: string;
  subject: string;
  bodyBox: Uint8Array;
  tries: number;
}

/** Trying again would not help. */
class Undeliverable extends Error {}

function textsOf({ template, params, language }: Notification): { subject: string; body: string } {
  const t = translator(language);
  return {
    subject: t(`messages.${template}.subject`),
    body: t(`messages.${template}.body`, valuesOf(params, t)),
  };
}

function valuesOf(params: Templates[Template], t: Translate): TextParams {
  if ("minutes" in params) return { ...params, count: params.minutes };
  if ("change" in params) return { ...params, change: t(`messages.twoStepChanged.${params.change}`) };
  return params;
}
