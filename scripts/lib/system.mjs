import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, step } from "./process.mjs";

/** Programs that tests need: any of `commands` on the path, or else these Debian packages. */
const deps = {
  mosquitto: { commands: ["mosquitto"], packages: ["mosquitto"] },
  promtool: { commands: ["promtool"], packages: ["prometheus"] },
  redis: { commands: ["redis-server"], packages: ["redis-server"] },
  chromium: {
    commands: ["chromium-headless-shell"],
    packages: ["chromium-headless-shell", "fonts-noto-cjk", "fonts-noto-core"],
  },
};

/** Installs a missing program on Debian as root; elsewhere throws an error of one line that says what to install. */
export async function provide(name) {
  const { commands, packages } = deps[name];
  if (name === "chromium" && process.env.CHROMIUM_PATH) return;
  if (commands.some(isOnPath)) return;
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) {
    throw new Error(
      `Please install ${commands.join(" or ")} (on Debian: apt-get install ${packages.join(" ")}) and run this again.`,
    );
  }
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await step(`Installing ${packages.join(", ")}`, async () => {
    await run("apt-get", ["update", "-qq"], { env });
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { env });
  });
}

function isOnPath(command) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
