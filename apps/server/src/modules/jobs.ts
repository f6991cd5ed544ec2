import type { Job } from "../infra/queue.ts";
import { checkAudit, noteAudit } from "./audit/audit.jobs.ts";
import { backupJob } from "./backups/scheduled-backups.ts";
import { settleCardsJob } from "./cards/cards.jobs.ts";
import { runExport, sweepExports } from "./exports/exports.jobs.ts";
import { sweepFaces } from "./faces/faces.jobs.ts";
import { dispatchLock, dropCommands, readBackLocks, sweepLocks } from "./locks/lock-jobs.ts";
import { deliverMessage, sweepMessages } from "./notifications/notifications.jobs.ts";
import { retentionJob } from "./privacy/privacy.jobs.ts";
import { sweepUploads } from "./uploads/uploads.jobs.ts";
import { deliverWebhook, dropDeliveries, sweepWebhooks } from "./webhooks/webhook-jobs.ts";

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
