import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const STICKY = 0o1000;

/**
 * Creates the data directory, or restricts an existing one, so that only this user can list it. If we run as root, its
 * group may traverse it: the group of the user that PostgreSQL runs as. A directory that belongs to another user, or is
 * public such as /tmp, stays unchanged.
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
