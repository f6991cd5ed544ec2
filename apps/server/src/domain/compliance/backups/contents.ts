/** Tables whose rows are not backed up, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  captcha: "a picture that somebody looks at for two minutes",
  rate_limit: "who tried how often in the last minutes",
  process_heartbeat: "which processes ran a moment ago",
  audit_check: "when the journal's chain was last recomputed; it is again within a day",
};

/** A system that has rows in only these tables counts as empty, because they fill without any user action. */
export const PASSING: readonly string[] = [...Object.keys(LEFT_OUT), "backup_run", "audit_head"];

/**
 * SQL for the files to back up. Exports are left out because they expire within days and can be made again; uploads are
 * left out because they belong to a form that is still open.
 */
export const FILE_IDS = "SELECT id::text AS id FROM stored_file ORDER BY id";

/** Names of the secrets in a backup, and of their files in the data directory. */
export const SECRET_KEY = "secret-key";
export const PREVIOUS_KEYS = "previous-secret-keys";
