import { DomainError } from "@innkey/shared/errors";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { idleQueue } from "../../../../test/harness/idle-queue.ts";
import type { Mailer } from "../../../adapters/mail/mail.ts";
import type { JobQueue } from "../../../adapters/queue/queue.ts";
import type { SmsSender } from "../../../adapters/sms/sms.ts";
import { createLogger } from "../../../adapters/telemetry/logger.ts";
import { secretBox } from "../../../kernel/secret-box.ts";
import { list } from "../../overview/outbox.queries.ts";
import { MAX_TRIES, type MessageContent, OutgoingMessages } from "./outgoing-messages.service.ts";

const log = pino({ level: "silent" });
const CODE = "482913";

/** Job queue that records jobs without running them; the tests start delivery themselves. */
function recordingQueue(): JobQueue & { added: unknown[] } {
  const added: unknown[] = [];
  return {
    added,
    ...idleQueue,
    add: async (_job, payload) => {
      added.push(payload);
    },
  };
}

function recordingMailer(taking = true): Mailer & { sent: { to: string; subject: string; text: string }[] } {
  const sent: { to: string; subject: string; text: string }[] = [];
  return {
    sent,
    async send(mail) {
      if (!taking) throw new Error("450 mailbox busy");
      sent.push(mail);
    },
    close: () => undefined,
  };
}

const services = ({ mailer, sms }: { mailer?: Mailer; sms?: SmsSender }) => ({ mailer, sms });

describe("notifications", () => {
  let world: TestWorld;
  let hotel: TestHotel;
  let queue: ReturnType<typeof recordingQueue>;

  beforeAll(async () => {
    world = await createTestWorld("2027-05-01T10:00:00Z");
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.database.prisma.outgoingMessage.deleteMany();
    hotel = await world.createHotel();
    queue = recordingQueue();
  });

  async function outgoingMessages(outside: { mailer?: Mailer; sms?: SmsSender } = {}): Promise<OutgoingMessages> {
    const { secrets } = await hotel.scope();
    const { database, clock } = world;
    const scopes = async () => null;
    return new OutgoingMessages({ database, clock, queue, log, secrets, scopes, ...services(outside) });
  }

  function recovery(overrides: Partial<MessageContent> = {}): MessageContent {
    const params = { code: CODE, minutes: 10 };
    const to = { channel: "mail", recipient: "ada@example.com" } as const;
    return { hotelId: hotel.id, ...to, template: "recoveryCode", params, language: "en", ...overrides };
  }

  const write = (sender: OutgoingMessages, message = recovery()): Promise<string> =>
    sender.queue(world.database.prisma, message);
  const readStored = (id: string) => world.database.prisma.outgoingMessage.findUniqueOrThrow({ where: { id } });

  it("are sent after their transaction commits, or not at all", async () => {
    const sender = await outgoingMessages();
    const { prisma } = world.database;
    await expect(
      prisma.$transaction(async (tx) => {
        await sender.queue(tx, recovery());
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    expect(await prisma.outgoingMessage.count({ where: { hotelId: hotel.id } })).toBe(0);

    const id = await prisma.$transaction((tx) => sender.queue(tx, recovery()));
    expect((await readStored(id)).state).toBe("queued");
    await sender.deliverSoon([id]);
    expect(queue.added).toEqual([{ messageId: id }]);
  });

  it("store the code encrypted in the database", async () => {
    const { bodyBox } = await readStored(await write(await outgoingMessages()));
    expect(Buffer.from(bodyBox).toString("latin1")).not.toContain(CODE);
  });

  it("send a mail in the message's language, and are marked as sent", async () => {
    const mailer = recordingMailer();
    const sender = await outgoingMessages({ mailer });
    const id = await write(sender);
    await sender.deliver(id);
    expect(mailer.sent).toHaveLength(1);
    expect(mailer.sent[0]).toMatchObject({ to: "ada@example.com", subject: "Your Innkey password reset code" });
    expect(mailer.sent[0]?.text).toContain(CODE);
    expect(mailer.sent[0]?.text).toContain("10 minutes");
    expect(await readStored(id)).toMatchObject({ state: "sent", sentAt: world.clock.now(), tries: 1 });
  });

  it("send one message once, however many workers find it", async () => {
    const mailer = recordingMailer();
    const workers = await Promise.all(Array.from({ length: 8 }, () => outgoingMessages({ mailer })));
    const id = await write(await outgoingMessages({ mailer }));
    await Promise.all(workers.flatMap((worker) => [worker.deliver(id), worker.sweep()]));
    expect(mailer.sent).toHaveLength(1);
  });

  it("are found by the sweep when no worker was notified, and when its worker died", async () => {
    const mailer = recordingMailer();
    const sender = await outgoingMessages({ mailer });
    const id = await write(sender);
    // A worker claimed it and was killed before sending.
    const claimEnds = new Date(world.clock.now().getTime() + 60_000);
    await world.database.prisma.outgoingMessage.update({ where: { id }, data: { tries: 1, nextTryAt: claimEnds } });
    await sender.sweep();
    expect(mailer.sent).toHaveLength(0);
    world.clock.advance(61_000);
    await sender.sweep();
    expect(mailer.sent).toHaveLength(1);
  });

  it("try again after pauses, and report when they give up", async () => {
    const sender = await outgoingMessages({ mailer: recordingMailer(false) });
    const id = await write(sender);
    for (let attempt = 1; attempt < MAX_TRIES; attempt += 1) {
      await sender.sweep();
      const message = await readStored(id);
      expect(message).toMatchObject({ state: "queued", tries: attempt, lastError: "450 mailbox busy" });
      await sender.sweep();
      expect((await readStored(id)).tries, "tried within the pause").toBe(attempt);
      world.clock.set(message.nextTryAt.toISOString());
    }
    await sender.sweep();
    expect(await readStored(id)).toMatchObject({ state: "failed", tries: MAX_TRIES, lastError: "450 mailbox busy" });
  });

  it("leave no recipient in the log, nor in the reason that a mail server gives", async () => {
    const lines: string[] = [];
    const listening = createLogger("info", { write: (line: string) => void lines.push(line) });
    const mailer = {
      async send() {
        const reason = "550 5.1.1 <Ada@Example.com>: Recipient address rejected: User unknown";
        throw Object.assign(new Error(reason), { code: "EENVELOPE", responseCode: 550 });
      },
      close: () => undefined,
    };
    const sender = await outgoingMessages({ mailer });
    const id = await write(sender);
    await sender.deliver(id, listening);
    expect((await readStored(id)).lastError).toBe("550 5.1.1 <…>: Recipient address rejected: User unknown");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { messageId: id, code: "EENVELOPE", responseCode: 550, msg: "message was not delivered" },
    ]);
    expect(lines.join("").toLowerCase()).not.toContain("ada@example.com");
  });

  it("leave no code of the text in the reason that a mail server gives", async () => {
    let sent = "";
    const mailer = {
      async send({ text }: { text: string }) {
        sent = text;
        throw new Error(`554 5.7.1 refused: ${text}`);
      },
      close: () => undefined,
    };
    const sender = await outgoingMessages({ mailer });
    const id = await write(sender);
    await sender.deliver(id);
    const [code] = sent.match(/\d{4,}/) ?? [];
    expect(code).toBeDefined();
    const { lastError } = await readStored(id);
    expect(lastError).toContain("554 5.7.1 refused");
    expect(lastError).not.toContain(code);
  });

  it("fail at once where their channel is not set up", async () => {
    const sender = await outgoingMessages({ mailer: recordingMailer() });
    const id = await write(sender, recovery({ channel: "sms", recipient: "13800000001" }));
    await sender.deliver(id);
    expect(await readStored(id)).toMatchObject({ state: "failed", lastError: "SMS_WEBHOOK_URL is not set" });
  });

  it("fail at once when the key has changed", async () => {
    const mailer = recordingMailer();
    const id = await write(await outgoingMessages({ mailer }));
    const key = Buffer.alloc(32);
    const secrets = { message: secretBox(key, "message"), webhook: secretBox(key, "webhook") };
    const { database, clock } = world;
    const scopes = async () => null;
    await new OutgoingMessages({ database, clock, queue, log, secrets, scopes, ...services({ mailer }) }).deliver(id);
    expect((await readStored(id)).state).toBe("failed");
    expect(mailer.sent).toHaveLength(0);
  });

  describe("the outbox page", () => {
    it("shows the owner the code where messages are sent nowhere else", async () => {
      const sender = await outgoingMessages();
      const id = await write(sender);
      await sender.deliver(id);
      const outbox = await list(await hotel.scope("owner"), sender);
      expect(outbox.embedded).toBe(true);
      expect(outbox.rows).toHaveLength(1);
      expect(outbox.rows[0]).toMatchObject({ id, recipient: "ada@example.com", state: "sent" });
      expect(outbox.rows[0]?.body).toContain(CODE);
    });

    it("hides texts once a channel is set up", async () => {
      const sender = await outgoingMessages({ mailer: recordingMailer() });
      await write(sender);
      const { rows, embedded } = await list(await hotel.scope("owner"), sender);
      expect(embedded).toBe(false);
      expect(rows.map(({ body }) => body)).toEqual([""]);
    });

    it("is empty for the owner of another hotel", async () => {
      const sender = await outgoingMessages();
      await write(sender);
      const other = await world.createHotel();
      expect((await list(await other.scope("owner"), sender)).rows).toEqual([]);
    });

    it("is refused to administrators, and to staff whatever their permissions", async () => {
      const sender = await outgoingMessages();
      const administrator = await hotel.scope("administrator");
      const staff = await hotel.scope("staff", { capabilities: ["outbox.view"] });
      for (const scope of [administrator, staff]) {
        await expect(list(scope, sender)).rejects.toEqual(new DomainError("no_permission"));
      }
    });
  });
});
