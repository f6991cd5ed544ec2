import { runInChildProcess } from "../process/child-process.ts";

/** Side of the square picture in which faces are counted, in pixels: what the model reads. */
export const FACE_CHECK_PX = 256;

/**
 * Counts the faces in a picture of FACE_CHECK_PX × FACE_CHECK_PX pixels: three bytes per pixel, red, green and blue, row by
 * row.
 * @throws Error if the faces can't be counted
 */
export type FaceCounter = (pixels: Uint8Array) => Promise<number>;

/** Far more than it takes on a busy machine. */
const TIMEOUT_MS = 30_000;

/**
 * Returns a counter that starts a process for each picture, so that a detector that crashes or fills the memory takes nothing
 * with it and keeps no memory. The process gets no setting of the server. `script` is the file count-faces.
 */
export function countFacesApart(script: URL, timeoutMs = TIMEOUT_MS): FaceCounter {
  return (pixels) =>
    runInChildProcess<number>(
      script,
      { pixels },
      { purpose: "looks for faces", env: {}, signal: AbortSignal.timeout(timeoutMs) },
    );
}
