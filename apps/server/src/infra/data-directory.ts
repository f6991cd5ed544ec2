import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const STICKY = 0o1000;

/**
 * Makes the data directory, or closes one that is there, so that only this user lists it and what is in it. As root it may
 * belong to a group that walks through it: the one of the user that PostgreSQL runs as. What belongs to somebody else,
 * or is everybody's such as /tmp, is left as it is.
 */
export function closeDataDirectory(directory: string): void {
  mkdirSync(dirname(directory), { recursive: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid === undefined) return;
  const stats = statSync(directory);
  if (stats.uid !== uid || (stats.mode & STICKY) !== 0) return;
  const walkThrough = uid === 0 && stats.gid !== gid ? stats.mode & 0o010 : 0;
  close(directory, 0o700 | walkThrough);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && statSync(path).uid === uid) close(path, 0o700);
  }
}

function close(directory: string, mode: number): void {
  if ((statSync(directory).mode & 0o777) !== mode) chmodSync(directory, mode);
}
