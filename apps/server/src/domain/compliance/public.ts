// Other domains may import only this file of the domain.
export { auditListQuery } from "./audit/audit.service.ts";
export type { LastBackup } from "./backups/make-backup.ts";
export { expireExports } from "./privacy/erase.service.ts";
