import { useMemo } from "react";
import { encode } from "uqr";

/** Width of the light border around the QR code, in cells. Cameras need it to find the code (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** QR code, always dark on white, even in the dark theme: many cameras can't read inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { border: QUIET_ZONE, ecc: "M" });
    const cells = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size, path: cells.join("") };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 justify-self-center rounded-lg border bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
