/** Number of the advisory lock that allows one backup of a database at a time, and none while its tables change. */
export const BACKUP_LOCK = 461_175_023;
