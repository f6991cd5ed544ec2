import { execFile } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { lchown, readdir, stat } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Binaries } from "./binaries.ts";

const run = promisify(execFile);

/** How to launch a binary that refuses to run as root. `uid` is the owner of the data files, as seen from outside. */
export interface Identity {
  uid: number;
  gid: number;
  command(binary: string, args: string[]): { file: string; args: string[] };
  spawnAs: { uid?: number; gid?: number };
}

/**
 * Chooses the user for PostgreSQL, which refuses to run as root. An ordinary user runs it directly. Root switches to
 * the user `postgres` if that user can reach both data and binaries. In a private clone (mktemp -d, /root) it can't, so
 * there we map root to another user in a user namespace: PostgreSQL sees another uid, while the kernel still grants
 * access to root's files.
 */
export async function chooseIdentity(root: string, binaries: Binaries): Promise<Identity> {
  const uid = process.getuid?.();
  if (uid === undefined) throw new Error("There is no embedded PostgreSQL for Windows; set DATABASE_URL.");
  if (uid !== 0) {
    return { uid, gid: process.getgid?.() ?? uid, spawnAs: {}, command: (file, args) => ({ file, args }) };
  }
  // We open the directory itself for that user, but never change the directories above it.
  const open = (await isOpenToAll(dirname(root))) && (await isOpenToAll(dirname(binaries.postgres)));
  const user = open ? await postgresUser() : undefined;
  if (user) return { ...user, spawnAs: user, command: (file, args) => ({ file, args }) };

  // initdb looks up its user by number, so the number must exist: the one of `nobody` always does.
  const rename = ["--user", "--map-user=65534", "--map-group=65534"];
  const works = await run("unshare", [...rename, binaries.postgres, "--version"]).then(
    () => true,
    () => false,
  );
  if (!works) {
    throw new Error(
      `PostgreSQL cannot run as root from ${root}: start Innkey as an ordinary user, or from a directory that every user may enter, or set DATABASE_URL.`,
    );
  }
  return {
    uid: 0,
    gid: 0,
    spawnAs: {},
    command: (file, args) => ({ file: "unshare", args: [...rename, file, ...args] }),
  };
}

/** Returns the user `postgres`, created if missing; undefined if it can't be created. */
async function postgresUser(): Promise<{ uid: number; gid: number } | undefined> {
  const lookUp = (): { uid: number; gid: number } | undefined => {
    const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
    return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
  };
  const identity = lookUp();
  if (identity) return identity;
  const create = commandPath("useradd")
    ? run("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"])
    : Promise.reject(new Error("no useradd"));
  return create.then(lookUp, () => undefined);
}

function commandPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => canExecute(file));
}

function canExecute(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Checks whether any user may traverse to `folder`. */
async function isOpenToAll(folder: string): Promise<boolean> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

export async function chownTree(path: string, uid: number, gid: number): Promise<void> {
  await lchown(path, uid, gid);
  for (const entry of await readdir(path, { recursive: true })) await lchown(join(path, entry), uid, gid);
}
