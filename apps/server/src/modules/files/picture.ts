import { DomainError } from "@innkey/shared/errors";
import sharp from "sharp";

/** A picture of our own making: what came in is decoded and drawn anew, so nothing else in it survives. */
export interface Picture {
  bytes: Buffer;
  contentType: "image/webp";
  width: number;
  height: number;
}

const FORMATS: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif", "heif", "tiff"]);
const LONGEST_SIDE_PX = 1600;
/** Beyond any camera at a front desk, and what 200 MB of memory decode. */
const MOST_PIXELS = 50_000_000;
const SECONDS = 20;

sharp.cache(false);
sharp.concurrency(1);

/** Pictures are decoded one after the other: a dozen uploads at once must not take the desk's memory. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Upright, at most 1600 px a side, WebP, without metadata (place, camera, thumbnail).
 * @throws file_not_image for anything that is not a whole picture, or one of more than 50 million pixels
 */
export function redraw(upload: Uint8Array): Promise<Picture> {
  const turn = queue.then(() => decode(upload));
  queue = turn.catch(() => undefined);
  return turn;
}

async function decode(upload: Uint8Array): Promise<Picture> {
  try {
    const image = sharp(upload, { limitInputPixels: MOST_PIXELS, failOn: "error", pages: 1 });
    const { format } = await image.metadata();
    if (!FORMATS.has(format)) throw new Error(`${format} is not taken`);
    const { data, info } = await image
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize({ width: LONGEST_SIDE_PX, height: LONGEST_SIDE_PX, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, contentType: "image/webp", width: info.width, height: info.height };
  } catch (cause) {
    throw Object.assign(new DomainError("file_not_image"), { cause });
  }
}
