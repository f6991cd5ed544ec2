import { execFile } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { lchown, readdir, stat } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Binaries } from "./binaries.ts";

const run = promisify(execFile);

/** How to launch a binary that refuses to run as root. `uid` owns the data files, seen from outside. */
export interface Identity {
  uid: number;
  gid: number;
  command(binary: string, args: string[]): { file: string; args: string[] };
  spawnAs: { uid?: number; gid?: number };
}

/**
 * PostgreSQL refuses to be root. An ordinary user just runs it. Root becomes the user `postgres` where that user can reach
 * both data and binaries; in a private clone (mktemp -d, /root) it cannot, so there a user namespace renames root instead:
 * PostgreSQL sees another number, the kernel still grants it root's own files.
 */
export async function chooseIdentity(root: string, binaries: Binaries): Promise<Identity> {
  const uid = process.getuid?.();
  if (uid === undefined) throw new Error("There is no embedded PostgreSQL for Windows; set DATABASE_URL.");
  if (uid !== 0) {
    return { uid, gid: process.getgid?.() ?? uid, spawnAs: {}, command: (file, args) => ({ file, args }) };
  }
  // The directory itself is opened for that user; those above it are not ours to open.
  const open = (await isOpenToAll(dirname(root))) && (await isOpenToAll(dirname(binaries.postgres)));
  const user = open ? await postgresUser() : undefined;
  if (user) return { ...user, spawnAs: user, command: (file, args) => ({ file, args }) };

  // initdb looks its user up by number, so the number must be one that exists: nobody's always does.
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

/** The user `postgres`, created when missing; undefined where that is not possible. */
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

/** Whether any user may walk down to `folder`. */
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
