import { randomInt } from "node:crypto";

type Point = readonly [number, number];
/** Line through points, on a field 10 wide and 14 high. */
type Stroke = readonly Point[];

const arc = (cx: number, cy: number, rx: number, ry: number, from: number, to: number): Stroke =>
  Array.from({ length: 9 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / 8) * Math.PI) / 180;
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)] as const;
  });

/** Letters and digits that can't be confused with each other; without 0 O Q D, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V. */
const GLYPHS: Readonly<Record<string, readonly Stroke[]>> = {
  A: [
    [
      [0, 14],
      [5, 0],
      [10, 14],
    ],
    [
      [2, 9],
      [8, 9],
    ],
  ],
  C: [arc(6, 7, 5.5, 7, -50, -310)],
  E: [
    [
      [9, 0],
      [1, 0],
      [1, 14],
      [9, 14],
    ],
    [
      [1, 7],
      [7, 7],
    ],
  ],
  F: [
    [
      [9, 0],
      [1, 0],
      [1, 14],
    ],
    [
      [1, 7],
      [7, 7],
    ],
  ],
  H: [
    [
      [1, 0],
      [1, 14],
    ],
    [
      [9, 0],
      [9, 14],
    ],
    [
      [1, 7],
      [9, 7],
    ],
  ],
  J: [
    [
      [3, 0],
      [9, 0],
    ],
    [
      [7, 0],
      [7, 10],
    ],
    arc(4, 10, 3, 4, 0, 160),
  ],
  K: [
    [
      [1, 0],
      [1, 14],
    ],
    [
      [9, 0],
      [1, 8],
    ],
    [
      [4, 6],
      [10, 14],
    ],
  ],
  M: [
    [
      [0, 14],
      [1, 0],
      [5, 9],
      [9, 0],
      [10, 14],
    ],
  ],
  N: [
    [
      [1, 14],
      [1, 0],
      [9, 14],
      [9, 0],
    ],
  ],
  P: [
    [
      [1, 14],
      [1, 0],
      [5, 0],
    ],
    arc(5, 3.8, 4, 3.8, -90, 90),
    [
      [5, 7.6],
      [1, 7.6],
    ],
  ],
  R: [
    [
      [1, 14],
      [1, 0],
      [5, 0],
    ],
    arc(5, 3.8, 4, 3.8, -90, 90),
    [
      [5, 7.6],
      [1, 7.6],
    ],
    [
      [5, 7.6],
      [10, 14],
    ],
  ],
  T: [
    [
      [0, 0],
      [10, 0],
    ],
    [
      [5, 0],
      [5, 14],
    ],
  ],
  W: [
    [
      [0, 0],
      [2.5, 14],
      [5, 4],
      [7.5, 14],
      [10, 0],
    ],
  ],
  X: [
    [
      [0, 0],
      [10, 14],
    ],
    [
      [10, 0],
      [0, 14],
    ],
  ],
  Y: [
    [
      [0, 0],
      [5, 7],
      [10, 0],
    ],
    [
      [5, 7],
      [5, 14],
    ],
  ],
  "3": [arc(4.5, 3.6, 4, 3.6, -150, 85), arc(4.5, 10.6, 4.8, 3.5, -85, 150)],
  "4": [
    [
      [7, 14],
      [7, 0],
      [0, 10],
      [10, 10],
    ],
  ],
  "7": [
    [
      [0, 0],
      [10, 0],
      [3, 14],
    ],
  ],
  "9": [
    arc(5, 4.2, 4.4, 4.2, 0, 360),
    [
      [9.4, 4.2],
      [6, 14],
    ],
  ],
};

export const CAPTCHA_ALPHABET = Object.keys(GLYPHS).join("");
const WIDTH = 144;
const HEIGHT = 48;
const INK_COLOURS = ["#3d3a34", "#5b4a2f", "#2f4858", "#54433a"];

/** Returns a random integer in the range, including both ends. */
const between = (from: number, to: number): number => randomInt(from, to + 1);

function glyphPath(letter: string, offset: number): string {
  const angle = (between(-22, 22) * Math.PI) / 180;
  const skew = between(-20, 20) / 100;
  const scale = between(185, 225) / 100;
  const centre: Point = [20 + offset * 34 + between(-3, 3), HEIGHT / 2 + between(-4, 4)];
  const at = ([x, y]: Point): string => {
    const [dx, dy] = [(x - 5 + skew * (7 - y)) * scale, (y - 7) * scale];
    const across = centre[0] + dx * Math.cos(angle) - dy * Math.sin(angle) + between(-6, 6) / 10;
    const down = centre[1] + dx * Math.sin(angle) + dy * Math.cos(angle) + between(-6, 6) / 10;
    return `${across.toFixed(1)} ${down.toFixed(1)}`;
  };
  return (GLYPHS[letter] ?? []).map((stroke) => `M${stroke.map(at).join("L")}`).join("");
}

function noisePath(): string {
  const y = (): number => between(4, HEIGHT - 4);
  return `M${between(-4, 8)} ${y()}C${between(30, 50)} ${y()} ${between(80, 110)} ${y()} ${between(WIDTH - 8, WIDTH + 4)} ${y()}`;
}

const strokePath = (d: string, width: number, opacity: number): string =>
  `<path d="${d}" stroke="${INK_COLOURS[between(0, INK_COLOURS.length - 1)]}" stroke-width="${width}" opacity="${opacity}"/>`;

/** Returns four random characters of the alphabet. */
export function randomCaptchaText(): string {
  return Array.from({ length: 4 }, () => CAPTCHA_ALPHABET[randomInt(CAPTCHA_ALPHABET.length)]).join("");
}

/**
 * Draws the text as an SVG that contains only paths, in random order, so that a program can't read it from the source.
 */
export function drawCaptcha(text: string): string {
  const paths = [
    ...Array.from(text, (letter, index) => strokePath(glyphPath(letter, index), between(24, 32) / 10, 1)),
    ...Array.from({ length: 5 }, () => strokePath(noisePath(), between(8, 14) / 10, 0.6)),
  ];
  for (let last = paths.length - 1; last > 0; last -= 1) {
    const other = between(0, last);
    [paths[last], paths[other]] = [paths[other] ?? "", paths[last] ?? ""];
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#f4efe6"/>` +
    `<g fill="none" stroke-linecap="round" stroke-linejoin="round">${paths.join("")}</g></svg>`
  );
}
