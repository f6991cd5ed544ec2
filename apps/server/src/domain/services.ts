import type { Relay } from "../adapters/events/relay.ts";
import type { FaceCounter } from "../adapters/faces/face-counter.ts";
import type { Mailer } from "../adapters/mail/mail.ts";
import type { Database } from "../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../adapters/queue/queue.ts";
import type { RateLimiter, RateLimits } from "../adapters/redis/rate-limits.ts";
import type { SmsSender } from "../adapters/sms/sms.ts";
import type { FileStorage, LargeFileStorage, UploadStorage } from "../adapters/storage/storage.ts";
import type { Logger } from "../adapters/telemetry/logger.ts";
import type { Clock } from "../kernel/clock.ts";
import { IdempotentRequests } from "../kernel/idempotency.ts";
import { KeptAnswers } from "../kernel/kept-answers.ts";
import { type ScopeFactory, type Secrets, type SystemScopes, systemScopes } from "../kernel/scope.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { defineCardJobs, settleCardsJob } from "./access/cards/revoke-cards.ts";
import { createFaceImages, defineFaceJobs, type FaceImages, sweepFaces } from "./access/faces/face-images.ts";
import { requireFacePicture } from "./access/faces/faces.queries.ts";
import { dispatchLock } from "./access/lock-commands/deliver-commands.ts";
import { StoredDeviceAccess } from "./access/lock-links/device-access.ts";
import { DeviceLinks } from "./access/lock-links/device-links.ts";
import type { DeviceAccess, DeviceAccounts, LockReports } from "./access/lock-links/driver.ts";
import {
  defineLockJobs,
  dropCommands,
  LockPlane,
  readBackLocks,
  recordPower,
  sweepLocks,
} from "./access/lock-links/lock-plane.ts";
import { UnlockIngest } from "./access/unlocks/ingest.ts";
import { defineZoneJobs, fitZoneKeysJob } from "./access/zones/zone-jobs.ts";
import { checkAudit, defineAuditJobs, lastAuditCheck, recordAuditHeads } from "./compliance/audit/audit.service.ts";
import { type BackupSettings, lastBackup } from "./compliance/backups/make-backup.ts";
import { backupJob, ScheduledBackups } from "./compliance/backups/scheduled-backups.ts";
import { Retention, retentionJob } from "./compliance/privacy/retention.ts";
import { NightlyRosters, rosterJob } from "./compliance/rosters/nightly-rosters.ts";
import { ExportWorker } from "./data/exports/export-worker.ts";
import { defineExportJobs, Exports, runExport, sweepExports } from "./data/exports/exports.service.ts";
import { limitedPreview } from "./data/imports/imports.service.ts";
import { GuestDoors } from "./desk/open-guest-door.ts";
import {
  defineGuestMessageJobs,
  deleteGuestMessageTexts,
  prepareGuestMessages,
} from "./desk/prepare-guest-messages.ts";
import { FileStore, withFaceErrors, withFileErrors, withUploadErrors } from "./files/files.service.ts";
import { FileLinks } from "./files/signed-links.ts";
import { defineUploadJobs, sweepUploads, Uploads } from "./files/uploads/uploads.service.ts";
import { KeyDoor } from "./identity/api-keys/api-keys.ts";
import { type AuthService, createAuthService, type LoginCosts } from "./identity/login/auth.service.ts";
import type { SessionLimits } from "./identity/login/sessions.ts";
import {
  defineOutgoingMessageJobs,
  deliverMessage,
  OutgoingMessages,
  sweepMessages,
} from "./messaging/outgoing-messages/outgoing-messages.service.ts";
import {
  defineWebhookJobs,
  deleteOldDeliveries,
  deliverWebhook,
  sweepWebhooks,
} from "./messaging/webhooks/deliver-event.ts";
import { WebhookSender } from "./messaging/webhooks/sender.ts";
import { BoardReader } from "./overview/board.queries.ts";
import { ConsoleFeed } from "./overview/console-feed.ts";
import type { Installation } from "./overview/system/installation.ts";
import { System } from "./overview/system/system.service.ts";
import { Calendars } from "./stays/calendar-feeds/read-calendar.ts";
import { GuestEntrance } from "./stays/guest-links/guest-entrance.ts";
import { defineHandOverJobs, deleteDoneNotes } from "./stays/hand-over/hand-over.jobs.ts";
import { definePreCheckInJobs, deleteOldPreCheckIns } from "./stays/pre-check-in/pre-check-in.jobs.ts";

/** Modules that have state beyond the caller's scope (a cache, a store, a queue). */
export interface Services {
  /** limits how often a hotel learns that an account exists */
  accountAnswers: RateLimiter;
  auth: AuthService;
  /** automatic scheduled backups */
  backups: ScheduledBackups;
  board: BoardReader;
  /** busy periods for calendar programs and channel sites */
  calendars: Calendars;
  /** what changed, for open consoles */
  consoleFeed: ConsoleFeed;
  /** exports of lists, and the worker that writes the large ones */
  exports: Exports;
  exportWorker: ExportWorker;
  faces: FaceImages;
  files: FileStore;
  /** temporary links that open pictures without a session */
  fileLinks: FileLinks;
  /** guests' openings of their own doors */
  guestDoors: GuestDoors;
  /** entry point of guests with their links */
  guestEntrance: GuestEntrance;
  /** address of guests' pages without a slash at its end; null if this server has none */
  guestUrl: string | null;
  /** entry point of API clients */
  keys: KeyDoor;
  /** answers of the most frequent reads, until something changes */
  keptAnswers: KeptAnswers;
  /** returns what an import would do, limited per person or program */
  previewImport: ReturnType<typeof limitedPreview>;
  outgoingMessages: OutgoingMessages;
  /** commands to locks; drivers are added by the device connections */
  locks: LockPlane;
  /** reports that drivers receive from locks */
  lockReports: LockReports;
  /** clients that may connect to the broker */
  deviceAccess: DeviceAccess & DeviceAccounts;
  /** hotels' accounts with gateways and clouds between the console and locks */
  links: DeviceLinks;
  /** refuses repeated identical writes */
  idempotency: IdempotentRequests;
  /** erases data after its retention period */
  retention: Retention;
  /** lists for when the console is away, and the folder into which they are copied */
  rosters: NightlyRosters;
  /** opens a hotel's scope for the console itself */
  scopes: SystemScopes;
  /** status of the console itself */
  system: System;
  /** uploaded pictures that are not used yet */
  uploads: Uploads;
  /** sends events to other programs */
  webhooks: WebhookSender;
}

interface ServiceDeps {
  database: Database;
  clock: Clock;
  openScope: ScopeFactory;
  secrets: Secrets;
  accountBox: SecretBox;
  /** seals what programs use temporarily instead of their key */
  gatewayBox: SecretBox;
  storage: FileStorage;
  countFaces: FaceCounter;
  /** uploaded files that are not used yet */
  uploadStorage: UploadStorage;
  /** exported files */
  exportStorage: LargeFileStorage;
  relay: Relay;
  queue: JobQueue;
  /** shared by all processes */
  rateLimits: RateLimits;
  mailer: Mailer | undefined;
  sms: SmsSender | undefined;
  log: Logger;
  installation: Installation;
  backup: BackupSettings;
  /** folder into which each roster is copied; null: none */
  rosterDirectory: string | null;
  captchaAlways: boolean;
  /** address of guests' pages; undefined if this server has none */
  guestUrl?: string | undefined;
  sessionLimits: SessionLimits;
  /** for tests, which can't wait for the real ones */
  loginCosts?: LoginCosts;
}

/** Enough for typing errors, too few to probe for accounts. */
const ACCOUNT_ANSWERS = { points: 20, duration: 60 * 60 };

/** Builds the modules and registers the handler of every job; the caller starts the queue. */
export function createServices(deps: ServiceDeps): Services {
  const scopes = systemScopes(deps.database, deps.openScope);
  const outgoingMessages = new OutgoingMessages({ ...deps, scopes });
  defineOutgoingMessageJobs(deps.queue, outgoingMessages);
  const files = new FileStore(
    withFileErrors(deps.storage, deps.log),
    deps.rateLimits,
    requireFacePicture,
    withFaceErrors(deps.countFaces, deps.log),
  );
  defineAuditJobs(deps.queue, deps);
  defineCardJobs(deps.queue, { ...deps, scopes });
  defineZoneJobs(deps.queue, { ...deps, scopes });
  defineFaceJobs(deps.queue, deps);
  const locks = new LockPlane({ ...deps, scopes });
  defineLockJobs(deps.queue, locks);
  defineHandOverJobs(deps.queue, deps);
  definePreCheckInJobs(deps.queue, deps);
  const retention = new Retention(deps.queue, { ...deps, scopes, files }, deps.log);
  const ingest = new UnlockIngest(deps);
  const webhooks = new WebhookSender({ ...deps, scopes });
  defineWebhookJobs(deps.queue, webhooks);
  const auth = createAuthService({
    ...deps,
    outgoingMessages,
    box: deps.accountBox,
    limits: deps.sessionLimits,
    costs: deps.loginCosts,
    onError: (error) => deps.log.error({ err: error }, "left to do after an answer, and failed"),
  });
  const guestUrl = deps.guestUrl?.replace(/\/+$/, "") ?? null;
  defineGuestMessageJobs(deps.queue, { ...deps, scopes, outgoingMessages, guestUrl });
  const exportWorker = new ExportWorker({ ...deps, sessions: auth.sessions });
  defineExportJobs(deps.queue, exportWorker);
  const idempotency = new IdempotentRequests(deps);
  const uploads = new Uploads({ ...deps, idempotency, uploadStorage: withUploadErrors(deps.uploadStorage, deps.log) });
  defineUploadJobs(deps.queue, uploads);
  const backups = new ScheduledBackups(deps.queue, deps);
  const board = new BoardReader();
  return {
    accountAnswers: deps.rateLimits("accountAnswers", ACCOUNT_ANSWERS),
    auth,
    backups,
    outgoingMessages,
    board,
    calendars: new Calendars({ ...deps, scopes }),
    keptAnswers: new KeptAnswers(),
    consoleFeed: new ConsoleFeed(deps.relay, board, deps.log),
    locks,
    lockReports: {
      acknowledge: (lock, ack) => locks.acknowledge(lock, ack),
      status: (lock, status, retained) => locks.status(lock, status, retained),
      listening: (lock) => locks.listening(lock),
      events: (lock, events, log) => ingest.events(lock, events, log),
    },
    deviceAccess: new StoredDeviceAccess(deps.database.pool, deps.secrets.lock),
    links: new DeviceLinks(deps),
    idempotency,
    retention,
    rosters: new NightlyRosters(deps.queue, { ...deps, scopes }),
    scopes,
    system: new System({
      ...deps,
      results: { lastBackup: () => lastBackup(deps.database), lastAuditCheck: () => lastAuditCheck(deps.database) },
    }),
    uploads,
    webhooks,
    guestDoors: new GuestDoors(deps.rateLimits),
    guestEntrance: new GuestEntrance({ ...deps, scopes }),
    guestUrl,
    keys: new KeyDoor(deps),
    previewImport: limitedPreview(deps.rateLimits),
    exports: new Exports(deps),
    exportWorker,
    faces: createFaceImages(files, scopes),
    files,
    fileLinks: new FileLinks(deps),
  };
}

/** Every job; the queue refuses to start unless each has exactly one handler. */
export const jobs: readonly Job<unknown>[] = [
  deliverMessage,
  sweepMessages,
  dispatchLock,
  sweepLocks,
  readBackLocks,
  dropCommands,
  recordPower,
  sweepFaces,
  settleCardsJob,
  fitZoneKeysJob,
  runExport,
  sweepExports,
  sweepUploads,
  deliverWebhook,
  sweepWebhooks,
  deleteOldDeliveries,
  deleteDoneNotes,
  prepareGuestMessages,
  deleteGuestMessageTexts,
  deleteOldPreCheckIns,
  retentionJob,
  checkAudit,
  recordAuditHeads,
  backupJob,
  rosterJob,
];
