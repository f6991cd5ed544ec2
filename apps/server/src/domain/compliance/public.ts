// What other domains may use of this one; they import nothing else from it.
export { AUDIT_ROWS } from "./audit/audit.service.ts";
export type { LastBackup } from "./backups/make-backup.ts";
export { expireExports } from "./privacy/erase.service.ts";
