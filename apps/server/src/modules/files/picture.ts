import type { FileKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import sharp from "sharp";
import { PictureTurns } from "./picture-turns.ts";

/** A picture of our own making: what came in is decoded and drawn anew, so nothing else in it survives. */
export interface Picture {
  bytes: Buffer;
  contentType: "image/webp";
  width: number;
  height: number;
}

const FORMATS: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif", "heif", "tiff"]);
/** How large a picture is kept: more of a face than a lock compares, or an avatar shows, would be kept for nothing. */
const MAX_SIDE_PX: Record<FileKind, number> = { room: 1600, avatar: 512, face: 800 };
/** On fewer pixels no lock knows anybody. */
const MIN_FACE_PX = 160;
/** Beyond any camera at a front desk, and what 200 MB of memory decode; of a person's own avatar less is taken. */
const MAX_PIXELS: Record<FileKind, number> = { room: 50_000_000, face: 50_000_000, avatar: 25_000_000 };
const SECONDS = 20;

sharp.cache(false);
sharp.concurrency(1);

const uploads = new PictureTurns();
/** Our own small pictures, for locks: they never wait behind what somebody brings in. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Upright, at most 1600 px a side (faces 800, avatars 512), WebP, without metadata (place, camera, thumbnail).
 * @throws file_not_image for anything that is not a whole picture, or one of more than 50 million pixels (avatars: 25);
 * invalid_input for a face of less than 160 px a side; too_many_attempts where too many of the person's wait
 */
export async function redraw(
  upload: Uint8Array,
  kind: FileKind,
  { hotelId, person }: { hotelId: number; person: string },
): Promise<Picture> {
  const picture = await uploads.run(hotelId, person, () => decode(upload, kind));
  if (kind === "face" && Math.min(picture.width, picture.height) < MIN_FACE_PX) {
    const file = { key: "validation.pictureTooSmall", params: { min: MIN_FACE_PX } };
    throw new DomainError("invalid_input", {}, { file });
  }
  return picture;
}

const SMALL_PX = 320;
const SMALL_BYTES = 45_000;
const QUALITIES = [82, 65, 45, 25];

/** A small JPEG of one of our own pictures, for a lock: at most 320 px a side and 60 kB once it is base64. */
export function shrink(picture: Uint8Array): Promise<Buffer> {
  return inTurn(async () => {
    const small = sharp(picture).resize({ width: SMALL_PX, height: SMALL_PX, fit: "inside", withoutEnlargement: true });
    for (const quality of QUALITIES) {
      const bytes = await small.clone().jpeg({ quality }).toBuffer();
      if (bytes.length <= SMALL_BYTES) return bytes;
    }
    throw new Error("the picture does not get small enough");
  });
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = queue.then(work);
  queue = turn.catch(() => undefined);
  return turn;
}

async function decode(upload: Uint8Array, kind: FileKind): Promise<Picture> {
  const side = MAX_SIDE_PX[kind];
  try {
    const image = sharp(upload, { limitInputPixels: MAX_PIXELS[kind], failOn: "error", pages: 1 });
    const { format } = await image.metadata();
    if (!FORMATS.has(format)) throw new Error(`${format} is not taken`);
    const { data, info } = await image
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, contentType: "image/webp", width: info.width, height: info.height };
  } catch (cause) {
    throw Object.assign(new DomainError("file_not_image"), { cause });
  }
}
