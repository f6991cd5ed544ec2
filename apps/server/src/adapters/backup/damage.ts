/** A backup that can't be read; the message tells the operator why. */
export class UnreadableBackup extends Error {}

const IS_NONE = "This is not a backup of Innkey, or only part of one.";
const DAMAGED = "The backup is damaged: bytes of it were changed or are missing. Take another one.";
const OTHER_KEY = "The backup was sealed for another key than this one.";

/** Turns a failure of age, gzip or tar into an UnreadableBackup; other errors are returned unchanged. */
export function asUnreadable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnreadableBackup) return error;
  const { message } = error;
  if (/no identity matched/.test(message)) return new UnreadableBackup(OTHER_KEY, { cause: error });
  if (/invalid (version|line|header)|non-ASCII|unexpected (end of|EOF)|unsupported version/i.test(message)) {
    return new UnreadableBackup(IS_NONE, { cause: error });
  }
  const { code } = error as NodeJS.ErrnoException;
  // Errors of the file system or the database do not mean that the backup is damaged.
  if (code !== undefined && !/^(Z_|ERR_STREAM)/.test(code)) return error;
  return new UnreadableBackup(DAMAGED, { cause: error });
}

export const notABackup = (): UnreadableBackup => new UnreadableBackup(IS_NONE);
export const damaged = (): UnreadableBackup => new UnreadableBackup(DAMAGED);
