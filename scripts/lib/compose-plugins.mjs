import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, run } from "./process.mjs";

/** Debian's releases with the oldest Compose that the guide promises, and with a current one. */
const SUITES = ["trixie", "sid"];
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const PLUGIN = "usr/libexec/docker/cli-plugins/docker-compose";

/**
 * Docker Compose itself, which checks a file without an engine: the paths of the plugin in both versions, fetched once from
 * Debian's mirror into .tmp. Nothing is installed on the machine. @returns {Promise<string[]>}
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

/** With lists and a status of its own, apt neither reads nor changes what the machine has. */
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
    // A mirror may be a snapshot.
    ["Acquire::Check-Valid-Until", "false"],
    // Root's apt would become a user who may not write here.
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

/** The one that the machine itself uses. */
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
