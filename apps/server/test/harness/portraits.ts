import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp, { type Region } from "sharp";

/** The package of the detector's model, which brings pictures of people under its licence (MIT). */
const PACKAGE = join(dirname(createRequire(import.meta.url).resolve("@vladmandic/human")), "..");
/** Screenshot with a row of photographs above it. */
const SAMPLES = join(PACKAGE, "assets/samples.jpg");

/** Photographs in the screenshot, in pixels. */
const PHOTOGRAPHS = {
  man: { left: 326, top: 0, width: 210, height: 157 },
  woman: { left: 642, top: 0, width: 146, height: 157 },
  blonde: { left: 166, top: 0, width: 149, height: 157 },
  three: { left: 1131, top: 0, width: 125, height: 157 },
  lamps: { left: 700, top: 215, width: 380, height: 170 },
  floor: { left: 300, top: 985, width: 420, height: 170 },
} satisfies Record<string, Region>;
export type Photograph = keyof typeof PHOTOGRAPHS;

/** Returns a photograph of a person, of three people, of lamps or of a floor, as JPEG with 480 px on its shorter side. */
export const photograph = (name: Photograph): Promise<Buffer> =>
  sharp(SAMPLES).extract(PHOTOGRAPHS[name]).resize({ width: 480, height: 480, fit: "outside" }).jpeg().toBuffer();

/** Returns a portrait that fills the picture, as JPEG of 256 × 256 px. */
export function portrait(): Buffer {
  const [, face = ""] =
    /export const face[^`]*`([^`]+)`/.exec(readFileSync(join(PACKAGE, "src/sample.ts"), "utf8")) ?? [];
  return Buffer.from(face, "base64");
}

/** Returns pictures side by side, each 480 px high, as JPEG. */
export async function sideBySide(...pictures: Buffer[]): Promise<Buffer> {
  const scaled = await Promise.all(
    pictures.map((picture) => sharp(picture).resize({ height: 480 }).toBuffer({ resolveWithObject: true })),
  );
  let left = 0;
  const placed = scaled.map(({ data, info }) => {
    const place = { input: data, top: 0, left };
    left += info.width;
    return place;
  });
  return sharp({ create: { width: left, height: 480, channels: 3, background: "white" } })
    .composite(placed)
    .jpeg()
    .toBuffer();
}
