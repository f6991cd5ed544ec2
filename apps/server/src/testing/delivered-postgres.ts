import { execFile, spawn } from "node:child_process";
import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { cleanEnvironment, locateBinaries } from "../infra/postgres/binaries.ts";
import { chooseIdentity } from "../infra/postgres/identity.ts";
import { REPOSITORY } from "./compose-file.ts";
import { end } from "./delivered-mosquitto.ts";

/**
 * A real PostgreSQL, set up as its image sets it up: initdb with the delivered options, then the delivered roles. `secrets`
 * is what is mounted at /secrets. Answers how it is stopped.
 */
export async function startDeliveredPostgres(options: {
  directory: string;
  secrets: string;
  initdb: string;
  port: number;
}): Promise<() => Promise<void>> {
  const { directory, secrets, port } = options;
  const binaries = locateBinaries();
  const data = join(directory, "data");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const identity = await chooseIdentity(directory, binaries);
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, readFileSync(join(secrets, "superuser-password")));
  for (const path of [data, passwordFile]) chownSync(path, identity.uid, identity.gid);
  const spawnOptions = { ...identity.spawnAs, cwd: directory, env: cleanEnvironment() };

  const given = options.initdb.trim().split(/\s+/);
  const initdb = identity.command(binaries.initdb, [
    ...[`--pgdata=${data}`, "--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"],
    ...given,
  ]);
  await promisify(execFile)(initdb.file, initdb.args, spawnOptions);
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const postgres = identity.command(binaries.postgres, ["-D", data, ...settings.flatMap((one) => ["-c", one])]);
  const child = spawn(postgres.file, postgres.args, { ...spawnOptions, stdio: "ignore" });
  const password = readFileSync(passwordFile, "utf8");
  const superuser = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  for (;;) {
    const client = new pg.Client({ connectionString: superuser });
    try {
      await client.connect();
      for (const statement of rolesFor(secrets)) await client.query(statement);
      return () => end(child);
    } catch (error) {
      if (child.exitCode !== null || (error instanceof pg.DatabaseError && !/starting up/.test(error.message)))
        throw error;
      await delay(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** deploy/roles.sql as psql reads it: a variable that is set by a program's output, and its use as a literal. */
function rolesFor(secrets: string): string[] {
  const set = /^\\set (\w+) `cat \/secrets\/([\w-]+)`$/;
  const lines = readFileSync(join(REPOSITORY, "deploy/roles.sql"), "utf8").split("\n");
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, name, file] = set.exec(line) ?? [];
    if (name && file) values.set(name, readFileSync(join(secrets, file), "utf8"));
  }
  return lines
    .filter((line) => line !== "" && !line.startsWith("--") && !set.test(line))
    .map((line) => line.replace(/:'(\w+)'/g, (_all, name: string) => pg.escapeLiteral(values.get(name) ?? "")));
}
