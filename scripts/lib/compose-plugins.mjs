import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, run } from "./process.mjs";

/** Debian releases: one with the oldest Compose that the guide supports, one with a current version. */
const SUITES = ["trixie", "sid"];
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const PLUGIN = "usr/libexec/docker/cli-plugins/docker-compose";

/**
 * Returns the paths of the Docker Compose plugin in both versions, which can check a file without an engine. They are
 * downloaded once from Debian's mirror into .tmp; nothing is installed on the machine. @returns {Promise<string[]>}
 */
export async function composePlugins() {
  const paths = [];
  for (const suite of SUITES) {
    const folder = join(root, ".tmp/compose", suite);
    if (!existsSync(join(folder, PLUGIN))) await fetchPlugin(suite, folder);
    paths.push(join(folder, PLUGIN));
  }
  return paths;
}

/**
 * Downloads a plugin. It uses separate apt lists and a separate status file, so it neither reads nor changes the
 * machine's.
 */
async function fetchPlugin(suite, folder) {
  if (!existsSync(KEYRING)) {
    throw new Error("Checking docker-compose.yml fetches Docker Compose from Debian, which needs apt-get on Debian.");
  }
  const work = `${folder}.work`;
  rmSync(work, { recursive: true, force: true });
  for (const path of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(work, path), { recursive: true });
  writeFileSync(join(work, "status"), "");
  writeFileSync(join(work, "sources.list"), `deb [signed-by=${KEYRING}] ${mirror()} ${suite} main\n`);
  const settings = [
    ["Dir::Etc::SourceList", join(work, "sources.list")],
    ["Dir::Etc::SourceParts", "/dev/null"],
    ["Dir::State", work],
    ["Dir::State::Lists", join(work, "lists")],
    ["Dir::State::status", join(work, "status")],
    ["Dir::Cache", join(work, "cache")],
    ["Acquire::Languages", "none"],
    // The mirror may be a snapshot with an expired date.
    ["Acquire::Check-Valid-Until", "false"],
    // As root, apt would switch to a user without write access to this folder.
    ["APT::Sandbox::User", ""],
  ].flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  const options = { cwd: work };
  await run("apt-get", [...settings, "-qq", "update"], options);
  await run("apt-get", [...settings, "-qq", "download", "docker-compose"], options);
  const archive = readdirSync(work).find((name) => name.endsWith(".deb"));
  await run("dpkg", ["-x", archive, "unpacked"], options);
  rmSync(folder, { recursive: true, force: true });
  renameSync(join(work, "unpacked"), folder);
  rmSync(work, { recursive: true });
}

/** Returns the mirror that the machine uses. */
function mirror() {
  const folders = ["/etc/apt/sources.list.d"];
  const files = folders.flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [],
  );
  const text = ["/etc/apt/sources.list", ...files]
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, "utf8"));
  return /https?:\/\/\S+\/debian(?=\/?\s)/.exec(text.join("\n"))?.[0] ?? "http://deb.debian.org/debian";
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log((await composePlugins()).join("\n"));
