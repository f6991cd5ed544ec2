import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface CopiedBuild {
  /** the server's entry */
  main: string;
  /**
   * Changes the console as another build does: a script gets another content and another name, and marks the page.
   * Returns the paths of the old and the new file.
   */
  update(): Promise<[oldPath: string, newPath: string]>;
  remove(): Promise<void>;
}

/** Copies what was built, with links to everything else, so that the copy can be changed while the tests run. */
export async function copyBuild(): Promise<CopiedBuild> {
  await mkdir(join(ROOT, ".tmp"), { recursive: true });
  const copy = await mkdtemp(join(ROOT, ".tmp/build-"));
  const link = (path: string): Promise<void> => symlink(join(ROOT, path), join(copy, path));
  const linkAll = async (folder: string, except: string[]): Promise<void> => {
    for (const name of await readdir(join(ROOT, folder))) if (!except.includes(name)) await link(join(folder, name));
  };
  await mkdir(join(copy, "apps/server"), { recursive: true });
  await mkdir(join(copy, "apps/web"));
  await linkAll("", ["apps", ".git", ".tmp", ".data"]);
  await linkAll("apps/server", ["dist"]);
  for (const app of ["server", "web"])
    await cp(join(ROOT, `apps/${app}/dist`), join(copy, `apps/${app}/dist`), { recursive: true });
  const web = join(copy, "apps/web/dist");
  return {
    main: join(copy, "apps/server/dist/main.js"),
    update: () => changeConsole(web),
    remove: () => rm(copy, { recursive: true, force: true }),
  };
}

async function changeConsole(web: string): Promise<[string, string]> {
  const assets = join(web, "assets");
  const names = await readdir(assets);
  // The compressed copies still have the old content.
  for (const name of names) if (/\.(br|gz)$/.test(name)) await rm(join(assets, name));
  const scripts = names.filter((name) => name.endsWith(".js"));
  const start = scripts.find((name) => name.startsWith("start-"));
  if (!start) throw new Error("The console has no file start-….js");
  // A script is named by its content, which contains the names of others.
  const renamed = new Map(scripts.map((name) => [name, name.replace(/\.js$/, "2.js")]));
  for (const path of [...scripts.map((name) => join(assets, name)), join(web, "index.html"), join(web, "pages.json")]) {
    const text = await readFile(path, "utf8");
    await writeFile(
      path,
      text.replace(/[\w.$-]+\.js/g, (name) => renamed.get(name) ?? name),
    );
  }
  for (const [name, next] of renamed) await rename(join(assets, name), join(assets, next));
  const next = renamed.get(start) ?? start;
  const mark = 'document.documentElement.dataset.build = "second";';
  await appendFile(join(assets, next), `\n${mark}\n`);
  return [`/assets/${start}`, `/assets/${next}`];
}
