import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Capability } from "@innkey/shared/capabilities";
import type { Role } from "@innkey/shared/enums";
import type { FastifyInstance } from "fastify";
import { makeBackupKey } from "../../src/adapters/backup/backup-key.ts";
import { connectRelay } from "../../src/adapters/events/connect-relay.ts";
import type { Relay } from "../../src/adapters/events/relay.ts";
import type { FaceCounter } from "../../src/adapters/faces/face-counter.ts";
import { connectDatabase, type Database } from "../../src/adapters/postgres/client.ts";
import { openWatch, type Watch } from "../../src/adapters/postgres/watch.ts";
import type { JobQueue } from "../../src/adapters/queue/queue.ts";
import { rateLimits } from "../../src/adapters/redis/rate-limits.ts";
import { openStores, type S3Settings } from "../../src/adapters/storage/stores.ts";
import { createLogger, type Logger } from "../../src/adapters/telemetry/logger.ts";
import { drainAndClose } from "../../src/api/http/connections.ts";
import { createHttpServer } from "../../src/api/http/server.ts";
import { COOKIE_CONTEXT } from "../../src/api/http/session-cookie.ts";
import type { LegacyCipher } from "../../src/api/legacy/envelope.ts";
import type { BackupSettings } from "../../src/domain/compliance/backups/make-backup.ts";
import type { LoginCosts } from "../../src/domain/identity/login/auth.service.ts";
import type { Visitor } from "../../src/domain/identity/login/visitor.ts";
import { bodyContext } from "../../src/domain/messaging/outgoing-messages/outgoing-messages.service.ts";
import type { Installation } from "../../src/domain/overview/system/installation.ts";
import { createServices, type Services } from "../../src/domain/services.ts";
import { type Scope, scopeFactory, secretsOf } from "../../src/kernel/scope.ts";
import { secretBox } from "../../src/kernel/secret-box.ts";
import { type Browser, createBrowser } from "./browser.ts";
import { createTestDatabase } from "./database.ts";
import { oneFace } from "./face-pictures.ts";
import { StoppedClock } from "./hotel.ts";
import { idleQueue } from "./idle-queue.ts";
import { insertHotel, insertOperator, type TestHotel, type TestOperator } from "./people.ts";

/** Settings for backups into the test's directory, without a schedule and with an available key. */
export function testBackups(
  databaseUrl: string,
  dataDir: string,
  secretKey: Uint8Array,
  changed: Partial<BackupSettings> = {},
): BackupSettings {
  let key: ReturnType<typeof makeBackupKey> | undefined;
  return {
    databaseUrl,
    trialUrl: undefined,
    directory: join(dataDir, "backups"),
    everyHours: 0,
    keep: 14,
    key() {
      key ??= makeBackupKey();
      return key;
    },
    secrets: { "secret-key": Buffer.from(secretKey).toString("hex") },
    version: "0.0.0",
    migrationsDir: fileURLToPath(new URL("../../../../prisma/migrations", import.meta.url)),
    ...changed,
  };
}

interface Started {
  watch: Watch;
  database: Pick<Database, "pool">;
  relay: Relay;
  dataDir: string;
}

/** Describes a single-process console with an empty queue; tests override the relevant fields. */
export function testInstallation({ database, ...started }: Started): Installation {
  return {
    id: randomUUID(),
    role: "all",
    version: "0.0.0",
    build: "",
    ...started,
    pool: database.pool,
    queue: {
      reachable: async () => true,
      readCounts: async () => [],
      waitingSince: async () => null,
      lastFailure: async () => null,
    },
    queueStore: "postgresql",
    bucket: null,
    publicUrl: undefined,
    backupEveryHours: 0,
    senders: { mail: false, sms: false },
  };
}

/**
 * The whole server on its own database, without a socket. What a test needs:
 *
 *   const server = await createTestServer();             // afterAll(() => server.close())
 *   const hotel = await server.createHotel({ timeZone: "Europe/Berlin" });
 *   const clerk = await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"], roomIds: [1] });
 *   const desk = await server.loginAs(clerk);            // a browser with the session's cookie
 *   await desk.api.rooms.save.mutate({ … });             // typed tRPC through HTTP, as the console calls it
 *   await failure(desk.api.stays.checkIn.mutate({ … })); // → ErrorPayload { code, params, fields }
 *   await desk.http("GET", "/api/board");                // any other route, with the console's headers
 *   server.visitor().api.auth.status.query();            // a browser without a session
 *   const scope = await server.scopeOf(clerk);           // to call a service directly
 *   server.clock.advance(2 * 3_600_000);                 // the clock only moves like this
 *   await server.lastMessage("13800000001");             // text of the newest SMS or mail to someone
 *   await server.listen();                               // → "http://127.0.0.1:…", for real sockets
 */

export { entered, failure } from "./browser.ts";

export interface TestServer {
  app: FastifyInstance;
  clock: StoppedClock;
  database: Database;
  watch: Watch;
  services: Services;
  /** Key that encrypts secrets at rest */
  rootKey: Uint8Array;
  /** URL of its database */
  url: string;
  /** Folder of files, if there is no object store */
  dataDir: string;
  createHotel(fields?: Partial<Omit<TestHotel, "id">>): Promise<TestHotel>;
  createOperator(
    hotel: TestHotel,
    fields: { role: Role; capabilities?: Capability[]; roomIds?: number[]; account?: string; apiKeyAuth?: boolean },
  ): Promise<TestOperator>;
  /** Creates a session without the slow password check; everything else of the session is real. */
  loginAs(operator: TestOperator): Promise<Browser>;
  visitor(): Browser;
  visitorFrom(address: string): Browser;
  scopeOf(operator: TestOperator): Promise<Scope>;
  /** Marks all passwords as chosen by their operators, so that no one must change theirs. */
  keepPasswords(): Promise<unknown>;
  lastMessage(recipient: string): Promise<string | null>;
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Password of all test operators. */
export const TEST_PASSWORD = "correct horse";

/** Address of guests' pages in tests */
export const GUEST_URL = "https://stay.example";

const START = "2026-03-02T10:00:00.000Z";
const KEY = Buffer.alloc(32, 7);
/** Ciphers of old clients in tests: two common ones and the weak one. */
export const TEST_CIPHERS: LegacyCipher[] = [
  { name: "aes-256-cbc", key: Buffer.alloc(32, 3), iv: Buffer.alloc(16, 4) },
  { name: "aes-128-cbc", key: Buffer.alloc(16, 5), iv: Buffer.alloc(16, 6) },
  { name: "des-cbc", key: Buffer.alloc(8, 7), iv: Buffer.alloc(8, 8) },
];
/** Logins cost a guesser time; a test would only wait for it. */
const CHEAP_LOGIN: LoginCosts = { password: { memoryCost: 1_024, timeCost: 2 }, firstWorkBits: 6 };
const SESSION_LIMITS = { idleSeconds: 12 * 3600, maxSeconds: 7 * 86_400 };
const VISITOR: Visitor = {
  address: "127.0.0.1",
  userAgent: "test",
  language: "en",
  channel: "console",
  requestId: "test",
};

export async function createTestServer(
  options: {
    clock?: StoppedClock;
    captchaAlways?: boolean;
    /** If empty, logins cost as much as on the real server; otherwise as little as argon2 and the task allow */
    loginCosts?: LoginCosts;
    /** finds one face in every picture if it isn't given */
    countFaces?: FaceCounter;
    log?: Logger;
    queue?: JobQueue;
    /** Stores files in an object store */
    s3?: S3Settings;
    /** false: the compatibility layer is off */
    legacy?: boolean;
    /** Bearer token for /metrics */
    metricsToken?: string;
    /** false: there is no proxy */
    trustProxy?: boolean;
    installation?: Partial<Installation>;
    backup?: Partial<BackupSettings>;
    /** Folder into which rosters are copied, if not none */
    rosterDirectory?: string;
    /** Time limits for a statement's answer and for a connection, if not those of the real server */
    patience?: { answerMs: number; connectMs: number };
    /** Another server whose database and files this one shares; they remain when this one closes */
    beside?: Pick<TestServer, "url" | "dataDir">;
    secretKey?: Uint8Array;
    previousSecretKeys?: Uint8Array[];
  } = {},
): Promise<TestServer> {
  const clock = options.clock ?? new StoppedClock(START);
  const log = options.log ?? createLogger("fatal");
  const { beside, secretKey = KEY, previousSecretKeys = [] } = options;
  const { url, drop } = beside ? { ...beside, drop: async () => {} } : await createTestDatabase();
  const { answerMs, connectMs } = options.patience ?? {};
  const database = connectDatabase(url, 8, (error) => log.fatal(error), answerMs, connectMs);
  const watch = openWatch(url);
  const relay = await connectRelay(url, log);
  const directory = beside?.dataDir ?? (await mkdtemp(join(tmpdir(), "innkey-files-")));
  const secrets = secretsOf(secretKey, previousSecretKeys);
  const cookieBox = secretBox(secretKey, "cookie", previousSecretKeys);
  const services = createServices({
    database,
    clock,
    log,
    relay,
    secrets,
    queue: options.queue ?? idleQueue,
    rateLimits: rateLimits(database.pool),
    mailer: undefined,
    sms: undefined,
    ...openStores({ dataDir: directory, s3: options.s3 }),
    countFaces: options.countFaces ?? oneFace,
    openScope: scopeFactory({ database, clock, secrets }),
    accountBox: secretBox(secretKey, "account", previousSecretKeys),
    gatewayBox: secretBox(secretKey, "gateway", previousSecretKeys),
    installation: { ...testInstallation({ watch, database, relay, dataDir: directory }), ...options.installation },
    backup: testBackups(url, directory, secretKey, options.backup),
    rosterDirectory: options.rosterDirectory ?? null,
    captchaAlways: options.captchaAlways ?? false,
    guestUrl: GUEST_URL,
    sessionLimits: SESSION_LIMITS,
    loginCosts: options.loginCosts ?? CHEAP_LOGIN,
  });
  const app = await createHttpServer({
    services,
    log,
    ready: () => watch.alive(),
    metrics: {
      token: options.metricsToken,
      trustProxy: options.trustProxy ?? true,
      read: () => services.system.metrics(),
    },
    cookieBox,
    trustProxy: options.trustProxy ?? true,
    publicUrl: undefined,
    allowedHosts: ["desk.example"],
    sessionMaxSeconds: SESSION_LIMITS.maxSeconds,
    legacyCiphers: options.legacy === false ? null : TEST_CIPHERS,
    webDirectory: directory,
  });
  await app.ready();
  const passwordHash = services.auth.hasher.hash(TEST_PASSWORD);

  async function tokenOf(operator: TestOperator): Promise<string> {
    const scope = await services.auth.sessions.scopeAt(operator.id, operator.hotelId, VISITOR);
    if (!scope) throw new Error("the operator can't log in there");
    const factors = (await services.auth.secondFactor.isRequired(operator.id)) ? 2 : 1;
    return (await services.auth.sessions.begin(scope, VISITOR, { how: "login", factors })).token;
  }

  return {
    app,
    clock,
    database,
    watch,
    services,
    rootKey: secretKey,
    url,
    dataDir: directory,
    createHotel: (fields) => insertHotel(database, clock, fields),
    createOperator: async (hotel, fields) => insertOperator(database, clock, hotel, fields, await passwordHash),
    loginAs: async (operator) =>
      createBrowser(app, cookieBox.seal(await tokenOf(operator), COOKIE_CONTEXT).toString("base64url")),
    visitor: () => createBrowser(app),
    visitorFrom: (address) => createBrowser(app, undefined, address),
    async scopeOf(operator) {
      const scope = await services.auth.sessions.scopeAt(operator.id, operator.hotelId, VISITOR);
      if (!scope) throw new Error("the operator has no scope there");
      return scope;
    },
    keepPasswords: () => database.prisma.operator.updateMany({ data: { passwordSetByOther: false } }),
    async lastMessage(recipient) {
      const message = await database.prisma.outgoingMessage.findFirst({
        where: { recipient },
        orderBy: { createdAt: "desc" },
      });
      return message && secrets.message.open(message.bodyBox, bodyContext(message));
    },
    listen: () => app.listen({ port: 0, host: "127.0.0.1" }),
    async close() {
      await drainAndClose(app, 0);
      await services.auth.settled();
      await relay.close();
      await watch.close();
      await database.close();
      await drop();
      if (!beside) await rm(directory, { recursive: true, force: true });
    },
  };
}
