import { useMemo } from "react";
import { qrPath } from "./qr-path.ts";

/** QR code, always dark on white, even in the dark theme: many cameras can't read inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text]);
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
