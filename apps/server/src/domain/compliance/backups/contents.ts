/** Tables whose rows are not backed up, and why nobody misses them. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  captcha: "a picture that somebody looks at for two minutes",
  rate_limit: "who tried how often in the last minutes",
  process_heartbeat: "which processes ran a moment ago",
  audit_check: "when the journal's chain was last recomputed; it is again within a day",
};

/** A system with nothing but these is empty: they come without anybody's doing. */
export const PASSING: readonly string[] = [...Object.keys(LEFT_OUT), "backup_run", "audit_head"];

/**
 * The pictures that rows name: all files but exports, which expire within days and can be made again, and uploads, which
 * are part of a form that somebody has open.
 */
export const FILE_IDS = "SELECT id::text AS id FROM stored_file ORDER BY id";

/** Names by which a backup keeps secrets, and the data directory the files among them. */
export const SECRET_KEY = "secret-key";
export const PREVIOUS_KEYS = "previous-secret-keys";
