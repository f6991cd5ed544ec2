// What other domains may use of this one; they import nothing else of it.
export { type FileStore, faceContext, fileUrl } from "./files.service.ts";
export { type Png, redrawGuestPicture, shrink, toPng } from "./picture.ts";
export type { Uploads } from "./uploads/uploads.service.ts";
