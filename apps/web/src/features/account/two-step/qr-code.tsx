import { useMemo } from "react";
import { encode } from "uqr";

/** Light cells around the code, without which cameras don't find it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A QR code, dark on white also where the page is dark: many cameras read no other. */
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
