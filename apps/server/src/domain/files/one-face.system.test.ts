import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { photograph, portrait, sideBySide } from "../../../test/harness/portraits.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "innkey-one-face-"));
});
afterAll(() => rm(folder, { recursive: true }));

const fileUrl = (path: string): string => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);

/**
 * Redraws pictures of faces with the detector in its own process, and returns for each "one face" or why it is refused. `counter`
 * is the expression of the counter.
 */
async function outcomes(
  pictures: Record<string, Buffer>,
  counter = "countFacesApart(script)",
): Promise<Record<string, string>> {
  for (const [name, picture] of Object.entries(pictures)) await writeFile(join(folder, name), picture);
  const script = join(folder, "redraw.mts");
  await writeFile(
    script,
    `import { readFile } from "node:fs/promises";
     import { countFacesApart } from ${fileUrl("../../adapters/faces/face-counter.ts")};
     import { redraw } from ${fileUrl("picture.ts")};
     const script = new URL(${fileUrl("../../count-faces.ts")});
     const outcomes: Record<string, string> = {};
     for (const name of ${JSON.stringify(Object.keys(pictures))}) {
       const picture = await readFile(${JSON.stringify(`${folder}/`)} + name);
       outcomes[name] = await redraw(picture, "face", { hotelId: 1, person: "1", countFaces: ${counter} }).then(
         () => "one face",
         (error) => error.fields?.file.key ?? error.code + ": " + error.cause,
       );
     }
     process.stdout.write(JSON.stringify(outcomes));`,
  );
  const child = spawn(process.execPath, ["--import", "tsx", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [output, [code]] = await Promise.all([buffer(child.stdout), once(child, "close")]);
  expect(code).toBe(0);
  return JSON.parse(output.toString());
}

it("accepts pictures with one face, and refuses those with none or several", async () => {
  const [man, woman, blonde] = await Promise.all([photograph("man"), photograph("woman"), photograph("blonde")]);
  expect(
    await outcomes({
      portrait: portrait(),
      man,
      woman,
      blonde,
      twoPortraits: await sideBySide(man, portrait()),
      twoPeople: await sideBySide(woman, blonde),
      three: await photograph("three"),
      lamps: await photograph("lamps"),
      floor: await photograph("floor"),
    }),
  ).toEqual({
    ...{ portrait: "one face", man: "one face", woman: "one face", blonde: "one face" },
    ...{ twoPortraits: "validation.severalFaces", twoPeople: "validation.severalFaces" },
    ...{ three: "validation.severalFaces", lamps: "validation.noFace", floor: "validation.noFace" },
  });
});

it("refuses a picture while the check doesn't end in time or crashes", async () => {
  expect(await outcomes({ late: portrait() }, "countFacesApart(script, 1)")).toEqual({
    late: expect.stringMatching(/^face_check_failed: .*abort/i),
  });
  const damaged = "(pixels) => countFacesApart(script)(pixels.subarray(1))";
  expect(await outcomes({ damaged: portrait() }, damaged)).toEqual({
    damaged: expect.stringMatching(/^face_check_failed: /),
  });
});
