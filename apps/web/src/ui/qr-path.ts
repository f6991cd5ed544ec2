import { encode } from "uqr";

/** Width of the light border around the QR code, in cells. Cameras need it to find the code (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Returns the dark cells of a QR code as the path of an SVG, and its width in cells with the border. */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: QUIET_ZONE, ecc: "M" });
  const cells = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: cells.join("") };
}
