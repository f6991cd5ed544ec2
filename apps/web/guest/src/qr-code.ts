import { encode } from "uqr";

const SVG = "http://www.w3.org/2000/svg";

/** Draws a QR code, dark on white in both themes, because phones read no other. */
export function qrCode(text: string, label: string): SVGSVGElement {
  const { data, size } = encode(text, { border: 2 });
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  svg.setAttribute("class", "qr");
  const path = document.createElementNS(SVG, "path");
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  path.setAttribute("d", squares.join(""));
  svg.append(path);
  return svg;
}

/** Returns what a phone needs to join a network. Source: Wi-Fi Alliance, WPA3 Specification, section 7 (URI format). */
export function wifiCode({ name, password }: { name: string; password: string }): string {
  const escaped = (text: string): string => text.replace(/[\\;,":]/g, "\\$&");
  return password === ""
    ? `WIFI:T:nopass;S:${escaped(name)};;`
    : `WIFI:T:WPA;S:${escaped(name)};P:${escaped(password)};;`;
}
