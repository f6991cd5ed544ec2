import type { FileKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { GuestPictureKind } from "@innkey/shared/schemas/stays/pre-check-in";
import { FACE_CHECK_PX, type FaceCounter } from "../../adapters/faces/face-counter.ts";
import { HotelTurns } from "../../kernel/hotel-turns.ts";

/** A picture that we decoded and encoded again, so that nothing else in the upload survives. */
export interface Picture {
  bytes: Buffer;
  contentType: "image/webp" | "image/png";
  width: number;
  height: number;
}

const FORMATS: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif", "heif", "tiff"]);
/** Decoders of FORMATS. All others are blocked: a few kB of SVG keep its parser busy for minutes. */
const DECODERS = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"].map((name) => `VipsForeignLoad${name}`);
/** A stored file, or a picture that a guest sends, which is stored with their other data. */
type PictureKind = FileKind | GuestPictureKind;

/** Maximum size of a stored picture. Locks and avatars need no more detail. */
const MAX_SIDE_PX: Record<PictureKind, number> = {
  ...{ room: 1600, avatar: 512, face: 800, logo: 800 },
  ...{ document: 1600, signature: 800 },
};
/** Locks cannot recognise a face with fewer pixels. */
const MIN_FACE_PX = 160;
/**
 * More than any camera at a front desk delivers, and what 200 MB of memory can decode; the limit for avatars is lower.
 * The guest's page reduces its pictures before it sends them.
 */
const MAX_PIXELS: Record<PictureKind, number> = {
  room: 50_000_000,
  face: 50_000_000,
  avatar: 25_000_000,
  logo: 25_000_000,
  document: MAX_SIDE_PX.document ** 2,
  signature: MAX_SIDE_PX.signature ** 2,
};
/**
 * A progressive photo has 10 to 20. Each scan passes over the whole picture, also one of a few bytes, and the decoder can't be
 * interrupted meanwhile.
 */
const MAX_SCANS = 32;
const TIMEOUT_SECONDS = 20;

let isRestricted = false;

/** Loads the decoder, which takes 15 MB of memory, with the first picture, and restricts it to our formats. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  if (isRestricted) return sharp;
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: DECODERS });
  isRestricted = true;
  return sharp;
}

const uploads = new HotelTurns();
/** Queue for the small pictures that locks get, so that they never wait behind uploads. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Returns the picture upright, at most 1600 px a side (faces and logos 800, avatars 512), as WebP without metadata (place,
 * camera, thumbnail).
 * @throws file_not_image for anything that is not a complete picture, or has more than 50 million pixels (avatars and logos: 25) or 32
 * scans; invalid_input for the picture of a face with less than 160 px a side, without a face or with several; face_check_failed if the
 * faces can't be counted; too_many_attempts if too many pictures of this person are waiting
 */
export async function redraw(
  upload: Uint8Array,
  kind: FileKind,
  { hotelId, person, countFaces }: { hotelId: number; person: string; countFaces: FaceCounter },
): Promise<Picture> {
  return uploads.run(hotelId, person, async () => {
    const picture = await decode(upload, kind);
    if (kind === "face") await requireOneFace(picture, countFaces);
    return picture;
  });
}

/** @throws invalid_input, face_check_failed */
async function requireOneFace({ bytes, width, height }: Picture, countFaces: FaceCounter): Promise<void> {
  if (Math.min(width, height) < MIN_FACE_PX) throw wrongFile("validation.pictureTooSmall", { min: MIN_FACE_PX });
  const faces = await countFacesIn(bytes, countFaces).catch((cause: unknown) => {
    throw Object.assign(new DomainError("face_check_failed"), { cause });
  });
  if (faces === 0) throw wrongFile("validation.noFace");
  if (faces > 1) throw wrongFile("validation.severalFaces");
}

async function countFacesIn(picture: Uint8Array, countFaces: FaceCounter): Promise<number> {
  const sharp = await loadSharp();
  const size = { width: FACE_CHECK_PX, height: FACE_CHECK_PX };
  return countFaces(
    await sharp(picture)
      .flatten({ background: "gray" })
      .toColourspace("srgb")
      .resize({ ...size, fit: "contain", background: "gray" })
      .raw()
      .toBuffer(),
  );
}

const wrongFile = (key: string, params?: Record<string, number>): DomainError =>
  new DomainError("invalid_input", {}, { file: { key, ...(params && { params }) } });

const MAX_SMALL_PX = 320;
const MAX_SMALL_BYTES = 45_000;
const QUALITIES = [82, 65, 45, 25];

/** Returns a small JPEG of a stored picture for a lock: at most 320 px a side and 60 kB as base64. */
export function shrink(picture: Uint8Array): Promise<Buffer> {
  return enqueue(async () => {
    const sharp = await loadSharp();
    const small = sharp(picture).resize({
      width: MAX_SMALL_PX,
      height: MAX_SMALL_PX,
      fit: "inside",
      withoutEnlargement: true,
    });
    for (const quality of QUALITIES) {
      const bytes = await small.clone().jpeg({ quality }).toBuffer();
      if (bytes.length <= MAX_SMALL_BYTES) return bytes;
    }
    throw new Error("the picture does not get small enough");
  });
}

export interface Png {
  bytes: Buffer;
  width: number;
  height: number;
}

/** Returns a stored picture as PNG, for documents that can't contain WebP. */
export function toPng(picture: Uint8Array): Promise<Png> {
  return enqueue(async () => {
    const sharp = await loadSharp();
    const { data, info } = await sharp(picture).png().toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  });
}

function enqueue<T>(work: () => Promise<T>): Promise<T> {
  const result = queue.then(work);
  queue = result.catch(() => undefined);
  return result;
}

/**
 * Returns a guest's picture without metadata: the photo of a document as WebP, at most 1600 px a side, a signature as PNG,
 * at most 800. @throws file_not_image for anything that is not a complete picture or has too many pixels or scans;
 * too_many_attempts if too many pictures of this guest are waiting
 */
export async function redrawGuestPicture(
  upload: Uint8Array,
  kind: GuestPictureKind,
  { hotelId, stayGuestId }: { hotelId: number; stayGuestId: number },
): Promise<Buffer> {
  const bytes = Buffer.from(upload);
  if (!STARTS_FOR_GUESTS.some((start) => bytes.subarray(0, start.length).equals(start))) {
    throw new DomainError("file_not_image");
  }
  return uploads.run(hotelId, `guest:${stayGuestId}`, async () => (await decode(bytes, kind)).bytes);
}

/**
 * How JPEG and PNG files begin, the only ones that the guest's page sends. Anybody may be a guest, so nothing else reaches a
 * decoder.
 */
const STARTS_FOR_GUESTS = [Buffer.from("ffd8ff", "hex"), Buffer.from("89504e470d0a1a0a", "hex")];

async function decode(upload: Uint8Array, kind: PictureKind): Promise<Picture> {
  const side = MAX_SIDE_PX[kind];
  try {
    if (countScans(upload) > MAX_SCANS) throw new Error(`the picture has more than ${MAX_SCANS} scans`);
    const sharp = await loadSharp();
    const image = sharp(upload, { limitInputPixels: MAX_PIXELS[kind], failOn: "error", pages: 1 });
    const { format } = await image.metadata();
    if (!FORMATS.has(format)) throw new Error(`${format} is not accepted`);
    const upright = image
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
    // Lines stay sharp in PNG, and registration forms are printed with them.
    const isDrawn = kind === "signature";
    const encoded = isDrawn ? upright.png({ palette: true }) : upright.webp({ quality: 82 });
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    return {
      ...{ bytes: data, width: info.width, height: info.height },
      contentType: isDrawn ? "image/png" : "image/webp",
    };
  } catch (cause) {
    throw Object.assign(new DomainError("file_not_image"), { cause });
  }
}

const [START_OF_SCAN, END_OF_IMAGE] = [0xda, 0xd9];
/** Whether a segment with its length follows a marker of a JPEG. Others are part of a scan, or stand alone. */
const hasSegment = (marker: number): boolean => marker >= 0xc0 && (marker < 0xd0 || marker > 0xd8) && marker < 0xff;

/** Returns the scans of a JPEG up to the first end of an image, as its decoder finds them; 0 for other formats. */
function countScans(upload: Uint8Array): number {
  const bytes = Buffer.from(upload.buffer, upload.byteOffset, upload.length);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 0;
  let scans = 0;
  let position = bytes.indexOf(0xff, 2);
  while (position !== -1) {
    // A marker may have any number of ff before it.
    while (bytes[position] === 0xff) position++;
    const marker = bytes[position++] ?? END_OF_IMAGE;
    if (marker === END_OF_IMAGE) break;
    if (marker === START_OF_SCAN) scans++;
    // The content of a segment may look like a marker.
    if (hasSegment(marker)) position += position + 2 <= bytes.length ? Math.max(2, bytes.readUInt16BE(position)) : 2;
    position = position < bytes.length ? bytes.indexOf(0xff, position) : -1;
  }
  return scans;
}
