import type { Clock } from "../core/clock.ts";
import type { Secrets } from "../core/scope.ts";
import type { ScopeFactory } from "../core/scope-factory.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Database } from "../infra/database/client.ts";
import type { FileStorage } from "../infra/file-storage.ts";
import type { Logger } from "../infra/logger.ts";
import type { Mailer } from "../infra/mail.ts";
import type { JobQueue } from "../infra/queue.ts";
import type { Relay } from "../infra/relay.ts";
import type { SmsSender } from "../infra/sms.ts";
import { type AuthService, createAuthService } from "./auth/auth.service.ts";
import type { SessionLimits } from "./auth/sessions.ts";
import { FileStore } from "./files/files.service.ts";
import { defineNotificationJobs } from "./notifications/notifications.jobs.ts";
import { Notifier } from "./notifications/notifications.service.ts";
import { BoardReader } from "./rooms/board.queries.ts";

/** The modules that hold something of their own beyond the caller's scope (a cache, a store, a queue). */
export interface Services {
  auth: AuthService;
  board: BoardReader;
  files: FileStore;
  notifier: Notifier;
}

export interface ServiceNeeds {
  database: Database;
  clock: Clock;
  openScope: ScopeFactory;
  secrets: Secrets;
  accountBox: SecretBox;
  storage: FileStorage;
  relay: Relay;
  queue: JobQueue;
  mailer: Mailer | undefined;
  sms: SmsSender | undefined;
  log: Logger;
  captchaAlways: boolean;
  sessionLimits: SessionLimits;
}

/** Builds the modules and gives every job its handler; the queue is started by the caller. */
export function createServices(needs: ServiceNeeds): Services {
  const notifier = new Notifier(needs);
  defineNotificationJobs(needs.queue, notifier);
  const auth = createAuthService({
    ...needs,
    notifier,
    box: needs.accountBox,
    limits: needs.sessionLimits,
    onError: (error) => needs.log.error({ err: error }, "left to do after an answer, and failed"),
  });
  return { auth, notifier, board: new BoardReader(needs.relay), files: new FileStore(needs.storage) };
}
