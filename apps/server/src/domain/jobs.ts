import type { Job } from "../adapters/queue/queue.ts";
import { settleCardsJob } from "./access/cards/revoke-cards.ts";
import { sweepFaces } from "./access/faces/faces.jobs.ts";
import { dispatchLock, dropCommands, readBackLocks, sweepLocks } from "./access/lock-commands/lock-jobs.ts";
import { checkAudit, noteAudit } from "./compliance/audit/audit.jobs.ts";
import { backupJob } from "./compliance/backups/scheduled-backups.ts";
import { retentionJob } from "./compliance/privacy/privacy.jobs.ts";
import { runExport, sweepExports } from "./data/exports/exports.jobs.ts";
import { sweepUploads } from "./files/uploads/uploads.jobs.ts";
import { deliverMessage, sweepMessages } from "./messaging/notifications/notifications.jobs.ts";
import { deliverWebhook, dropDeliveries, sweepWebhooks } from "./messaging/webhooks/webhook-jobs.ts";

/** Every job; the queue refuses to start unless each has exactly one handler. */
export const jobs: readonly Job<unknown>[] = [
  deliverMessage,
  sweepMessages,
  dispatchLock,
  sweepLocks,
  readBackLocks,
  dropCommands,
  sweepFaces,
  settleCardsJob,
  runExport,
  sweepExports,
  sweepUploads,
  deliverWebhook,
  sweepWebhooks,
  dropDeliveries,
  retentionJob,
  checkAudit,
  noteAudit,
  backupJob,
];
