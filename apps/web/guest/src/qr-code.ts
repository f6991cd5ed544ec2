import { qrPath } from "../../src/ui/qr-path.ts";

const SVG = "http://www.w3.org/2000/svg";

/** Draws a QR code, dark on white in both themes, because phones read no other. */
export function qrCode(text: string, label: string): SVGSVGElement {
  const { size, path } = qrPath(text);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  svg.setAttribute("class", "qr");
  const cells = document.createElementNS(SVG, "path");
  cells.setAttribute("d", path);
  svg.append(cells);
  return svg;
}

/** Returns what a phone needs to join a network. Source: Wi-Fi Alliance, WPA3 Specification, section 7 (URI format). */
export function wifiCode({ name, password }: { name: string; password: string }): string {
  const escaped = (text: string): string => text.replace(/[\\;,":]/g, "\\$&");
  return password === ""
    ? `WIFI:T:nopass;S:${escaped(name)};;`
    : `WIFI:T:WPA;S:${escaped(name)};P:${escaped(password)};;`;
}
