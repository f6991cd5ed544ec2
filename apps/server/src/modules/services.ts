import type { AuthService } from "./auth/auth.service.ts";
import type { BoardReader } from "./rooms/board.queries.ts";
import type { FileStore } from "./files/files.service.ts";
import type { Notifier } from "./notifications/notifications.service.ts";

/** The modules that hold something of their own beyond the caller's scope (a cache, a store, a queue). */
export interface Services {
  auth: AuthService;
  board: BoardReader;
  files: FileStore;
  notifier: Notifier;
}
