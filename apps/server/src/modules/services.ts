import type { Clock } from "../core/clock.ts";
import type { Scope, Secrets } from "../core/scope.ts";
import type { ScopeFactory } from "../core/scope-factory.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type SystemScopes, systemScopes } from "../core/system-scope.ts";
import type { Database } from "../infra/database/client.ts";
import type { FileStorage, LargeFileStorage } from "../infra/file-storage.ts";
import type { Logger } from "../infra/logger.ts";
import type { Mailer } from "../infra/mail.ts";
import type { JobQueue } from "../infra/queue.ts";
import type { RateLimiter, RateLimits } from "../infra/rate-limits.ts";
import type { Relay } from "../infra/relay.ts";
import type { SmsSender } from "../infra/sms.ts";
import type { UploadStorage } from "../infra/upload-storage.ts";
import { defineAuditJobs, lastAuditCheck } from "./audit/audit.jobs.ts";
import { type AuthService, createAuthService } from "./auth/auth.service.ts";
import type { SessionLimits } from "./auth/sessions.ts";
import { lastBackup } from "./backups/last-backup.ts";
import type { BackupSetting } from "./backups/make-backup.ts";
import { ScheduledBackups } from "./backups/scheduled-backups.ts";
import { defineCardJobs } from "./cards/cards.jobs.ts";
import { ExportWorker } from "./exports/export-worker.ts";
import { defineExportJobs } from "./exports/exports.jobs.ts";
import { Exports } from "./exports/exports.service.ts";
import { FaceImages } from "./faces/face-images.ts";
import { requireFacePicture } from "./faces/face-visibility.ts";
import { defineFaceJobs } from "./faces/faces.jobs.ts";
import { FileLinks } from "./files/file-links.ts";
import { FileStore } from "./files/files.service.ts";
import { withFileErrors, withUploadErrors } from "./files/storage-errors.ts";
import { previewLimit } from "./imports/imports.service.ts";
import { KeyDoor } from "./keys/key-door.ts";
import { StoredDeviceAccess } from "./locks/device-access.ts";
import { DeviceLinks } from "./locks/device-links.ts";
import { defineLockJobs } from "./locks/lock-jobs.ts";
import { LockPlane } from "./locks/lock-plane.ts";
import type { DeviceAccess, DeviceAccounts, LockReports } from "./locks/reports.ts";
import { defineNotificationJobs } from "./notifications/notifications.jobs.ts";
import { Notifier } from "./notifications/notifications.service.ts";
import { Retention } from "./privacy/privacy.jobs.ts";
import { Repeats } from "./repeats/idempotency.ts";
import { BoardReader } from "./rooms/board.queries.ts";
import type { Installation } from "./system/installation.ts";
import { System } from "./system/system.service.ts";
import { DoorFeed } from "./unlocks/door-feed.ts";
import { UnlockIngest } from "./unlocks/ingest.ts";
import { defineUploadJobs } from "./uploads/uploads.jobs.ts";
import { Uploads } from "./uploads/uploads.service.ts";
import { WebhookSender } from "./webhooks/sender.ts";
import { defineWebhookJobs } from "./webhooks/webhook-jobs.ts";

/** Modules that have state beyond the caller's scope (a cache, a store, a queue). */
export interface Services {
  /** limits how often each hotel is told that an account exists */
  accountAnswers: RateLimiter;
  auth: AuthService;
  /** automatic scheduled backups */
  backups: ScheduledBackups;
  board: BoardReader;
  doors: DoorFeed;
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
  repeats: Repeats;
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
    onError: (error) => deps.log.error({ err: error }, "left to do after an answer, and failed"),
  });
  const exportWorker = new ExportWorker({ ...deps, sessions: auth.sessions });
  defineExportJobs(deps.queue, exportWorker);
  const repeats = new Repeats(deps);
  const uploads = new Uploads({ ...deps, repeats, uploadStorage: withUploadErrors(deps.uploadStorage, deps.log) });
  defineUploadJobs(deps.queue, uploads);
  const backups = new ScheduledBackups(deps.queue, deps);
  return {
    accountAnswers: deps.rateLimits("accountAnswers", ACCOUNT_ANSWERS),
    auth,
    backups,
    notifier,
    board: new BoardReader(deps.relay),
    doors: new DoorFeed(deps.relay),
    locks,
    lockReports: {
      acknowledge: (lock, ack) => locks.acknowledge(lock, ack),
      status: (lock, status, retained) => locks.status(lock, status, retained),
      listening: (lock) => locks.listening(lock),
      events: (lock, events, log) => ingest.events(lock, events, log),
    },
    deviceAccess: new StoredDeviceAccess(deps.database.pool, deps.secrets.lock),
    links: new DeviceLinks(deps),
    repeats,
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
