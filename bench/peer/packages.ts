import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const PHP_PACKAGES = ["php-cli", "php-sqlite3", "php-xml"];
const INSTALLED = "/usr/share/hoteldruid";

export interface PeerPackage {
  /** the folder with its pages */
  folder: string;
  version: string;
  phpVersion: string;
}

/**
 * Finds HotelDruid and PHP, and installs PHP if it is missing. HotelDruid itself is only unpacked into `folder`, because
 * its package would install a web server too.
 * @throws Error that says why it can't be had here
 */
export async function findPeer(folder: string): Promise<PeerPackage> {
  if (!(await hasPhp())) await installPhp();
  const phpVersion = await phpVersionOf();
  if (existsSync(INSTALLED)) {
    const { stdout } = await run("dpkg-query", ["--show", "--showformat", "$" + "{Version}", "hoteldruid"]);
    return { folder: INSTALLED, version: stdout, phpVersion };
  }
  await need("apt-get");
  await run("apt-get", ["download", "-o", "APT::Sandbox::User=root", "hoteldruid"], { cwd: folder });
  const file = (await readdir(folder)).find((name) => name.startsWith("hoteldruid_"));
  if (!file) throw new Error("apt-get has no package hoteldruid");
  await run("dpkg-deb", ["--extract", file, "unpacked"], { cwd: folder });
  return { folder: join(folder, "unpacked", INSTALLED), version: file.split("_")[1] ?? "", phpVersion };
}

async function hasPhp(): Promise<boolean> {
  try {
    const { stdout } = await run("php", ["-m"]);
    return /^sqlite3$/im.test(stdout) && /^xml$/im.test(stdout);
  } catch {
    return false;
  }
}

async function installPhp(): Promise<void> {
  await need("apt-get");
  console.log(`Installing ${PHP_PACKAGES.join(", ")} …`);
  await run("apt-get", ["install", "-y", "--no-install-recommends", ...PHP_PACKAGES], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

async function need(command: string): Promise<void> {
  try {
    await run(command, ["--version"]);
  } catch {
    throw new Error(`there is no ${command}`);
  }
}

async function phpVersionOf(): Promise<string> {
  const { stdout } = await run("php", ["-r", "echo PHP_VERSION;"]);
  return stdout;
}
