import type { Relay } from "../adapters/events/relay.ts";
import type { Mailer } from "../adapters/mail/mail.ts";
import type { Database } from "../adapters/postgres/client.ts";
import type { JobQueue } from "../adapters/queue/queue.ts";
import type { RateLimiter, RateLimits } from "../adapters/redis/rate-limits.ts";
import type { SmsSender } from "../adapters/sms/sms.ts";
import type { FileStorage, LargeFileStorage } from "../adapters/storage/file-storage.ts";
import type { UploadStorage } from "../adapters/storage/upload-storage.ts";
import type { Logger } from "../adapters/telemetry/logger.ts";
import type { Clock } from "../kernel/clock.ts";
import { IdempotentRequests } from "../kernel/idempotency.ts";
import type { Scope, Secrets } from "../kernel/scope.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { type ScopeFactory, type SystemScopes, systemScopes } from "../kernel/system-scope.ts";

import { defineCardJobs } from "./access/cards/revoke-cards.ts";
import { FaceImages } from "./access/faces/face-images.ts";
import { defineFaceJobs } from "./access/faces/faces.jobs.ts";
import { requireFacePicture } from "./access/faces/faces.queries.ts";
import { defineLockJobs } from "./access/lock-commands/lock-jobs.ts";
import { StoredDeviceAccess } from "./access/lock-links/device-access.ts";
import { DeviceLinks } from "./access/lock-links/device-links.ts";
import { LockPlane } from "./access/lock-links/lock-plane.ts";
import type { DeviceAccess, DeviceAccounts, LockReports } from "./access/locks/reports.ts";
import { UnlockIngest } from "./access/unlocks/ingest.ts";
import { defineAuditJobs, lastAuditCheck } from "./compliance/audit/audit.jobs.ts";
import { lastBackup } from "./compliance/backups/backup-runs.ts";
import type { BackupSetting } from "./compliance/backups/make-backup.ts";
import { ScheduledBackups } from "./compliance/backups/scheduled-backups.ts";
import { Retention } from "./compliance/privacy/privacy.jobs.ts";
import { ExportWorker } from "./data/exports/export-worker.ts";
import { defineExportJobs } from "./data/exports/exports.jobs.ts";
import { Exports } from "./data/exports/exports.service.ts";
import { previewLimit } from "./data/imports/imports.service.ts";
import { FileLinks } from "./files/file-links.ts";
import { FileStore } from "./files/files.service.ts";
import { withFileErrors, withUploadErrors } from "./files/storage-errors.ts";
import { defineUploadJobs } from "./files/uploads/uploads.jobs.ts";
import { Uploads } from "./files/uploads/uploads.service.ts";
import { KeyDoor } from "./identity/api-keys/key-door.ts";
import { type AuthService, createAuthService, type LoginCosts } from "./identity/login/auth.service.ts";
import type { SessionLimits } from "./identity/login/sessions.ts";
import { defineNotificationJobs } from "./messaging/notifications/notifications.jobs.ts";
import { Notifier } from "./messaging/notifications/notifications.service.ts";
import { WebhookSender } from "./messaging/webhooks/sender.ts";
import { defineWebhookJobs } from "./messaging/webhooks/webhook-jobs.ts";
import { BoardReader } from "./overview/board/board.queries.ts";
import { ConsoleFeed } from "./overview/events/console-feed.ts";
import type { Installation } from "./overview/system/installation.ts";
import { System } from "./overview/system/system.service.ts";

/** Modules that have state beyond the caller's scope (a cache, a store, a queue). */
export interface Services {
  /** limits how often a hotel learns that an account exists */
  accountAnswers: RateLimiter;
  auth: AuthService;
  /** automatic scheduled backups */
  backups: ScheduledBackups;
  board: BoardReader;
  /** what changed, for open consoles */
  consoleFeed: ConsoleFeed;
  /** exports of lists, and the worker that writes the large ones */
  exports: Exports;
  exportWorker: ExportWorker;
  faces: FaceImages;
  files: FileStore;
  /** temporary links that open pictures without a session */
  fileLinks: FileLinks;
  /** entry point of API clients */
  keys: KeyDoor;
  /** counts previews of imports; @throws too_many_attempts */
  takeImportPreview(scope: Scope): Promise<void>;
  notifier: Notifier;
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
  /** opens a hotel's scope for the console itself */
  scopes: SystemScopes;
  /** status of the console itself */
  system: System;
  /** uploaded pictures that are not used yet */
  uploads: Uploads;
  /** sends events to other programs */
  webhooks: WebhookSender;
}

export interface ServiceDeps {
  database: Database;
  clock: Clock;
  openScope: ScopeFactory;
  secrets: Secrets;
  accountBox: SecretBox;
  /** seals what programs use temporarily instead of their key */
  gatewayBox: SecretBox;
  storage: FileStorage;
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
  backup: BackupSetting;
  captchaAlways: boolean;
  sessionLimits: SessionLimits;
  /** for tests, which can't wait for the real ones */
  loginCosts?: LoginCosts;
}

/** Enough for typing errors, too few to probe for accounts. */
const ACCOUNT_ANSWERS = { points: 20, duration: 60 * 60 };

/** Builds the modules and registers the handler of every job; the caller starts the queue. */
export function createServices(deps: ServiceDeps): Services {
  const notifier = new Notifier(deps);
  defineNotificationJobs(deps.queue, notifier);
  const scopes = systemScopes(deps.database, deps.openScope);
  const files = new FileStore(withFileErrors(deps.storage, deps.log), deps.rateLimits, requireFacePicture);
  defineAuditJobs(deps.queue, deps);
  defineCardJobs(deps.queue, { ...deps, scopes });
  defineFaceJobs(deps.queue, deps);
  const locks = new LockPlane({ ...deps, scopes });
  defineLockJobs(deps.queue, locks);
  const retention = new Retention(deps.queue, { ...deps, scopes, files }, deps.log);
  const ingest = new UnlockIngest(deps);
  const webhooks = new WebhookSender({ ...deps, scopes });
  defineWebhookJobs(deps.queue, webhooks);
  const auth = createAuthService({
    ...deps,
    notifier,
    box: deps.accountBox,
    limits: deps.sessionLimits,
    costs: deps.loginCosts,
    onError: (error) => deps.log.error({ err: error }, "left to do after an answer, and failed"),
  });
  const exportWorker = new ExportWorker({ ...deps, sessions: auth.sessions });
  defineExportJobs(deps.queue, exportWorker);
  const idempotency = new IdempotentRequests(deps);
  const uploads = new Uploads({ ...deps, idempotency, uploadStorage: withUploadErrors(deps.uploadStorage, deps.log) });
  defineUploadJobs(deps.queue, uploads);
  const backups = new ScheduledBackups(deps.queue, deps);
  return {
    accountAnswers: deps.rateLimits("accountAnswers", ACCOUNT_ANSWERS),
    auth,
    backups,
    notifier,
    board: new BoardReader(),
    consoleFeed: new ConsoleFeed(deps.relay),
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
    scopes,
    system: new System({
      ...deps,
      facts: { lastBackup: () => lastBackup(deps.database), lastAuditCheck: () => lastAuditCheck(deps.database) },
    }),
    uploads,
    webhooks,
    keys: new KeyDoor(deps),
    takeImportPreview: previewLimit(deps.rateLimits),
    exports: new Exports(deps),
    exportWorker,
    faces: new FaceImages(files, scopes),
    files,
    fileLinks: new FileLinks(deps),
  };
}
