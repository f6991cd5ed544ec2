import { CITIES } from "./cities.ts";
import { type Coordinates, type Point, project, type Size, toScreen, type View } from "./projection.ts";
import type { WorldMap } from "./world-map.ts";

/** Minimum width of the world, in pixels, at which cities are drawn; the window then shows about a continent. */
const CITIES_FROM = 2_600;
/** Minimum width of a country relative to its name for the name to be drawn. */
const ROOM_FOR_NAME = 0.8;

type Box = { x: number; y: number; width: number };

/** Draws the visible part of the world in the page's colours, and the pin if it is in view. */
export function drawMap(
  canvas: HTMLCanvasElement,
  map: WorldMap,
  view: View,
  size: Size,
  pin: Coordinates | null,
): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const dots = window.devicePixelRatio || 1;
  canvas.width = Math.round(size.width * dots);
  canvas.height = Math.round(size.height * dots);
  const styles = getComputedStyle(canvas);
  const colour = (name: string): string => styles.getPropertyValue(`--${name}`).trim();

  context.setTransform(dots, 0, 0, dots, 0, 0);
  context.fillStyle = colour("checked-in-soft");
  context.fillRect(0, 0, size.width, size.height);

  const origin = toScreen({ x: 0, y: 0 }, view, size);
  const scale = dots * view.world;
  context.setTransform(scale, 0, 0, scale, origin.x * dots, origin.y * dots);
  context.lineJoin = "round";
  context.fillStyle = colour("card");
  context.strokeStyle = colour("control");
  context.lineWidth = 1 / view.world;
  context.fill(map.land, "evenodd");
  context.stroke(map.land);
  context.strokeStyle = colour("border");
  context.stroke(map.borders);

  context.setTransform(dots, 0, 0, dots, 0, 0);
  context.direction = "ltr";
  context.textBaseline = "middle";
  const occupied: Box[] = [];
  const label = nameWriter(context, occupied, size);
  if (view.world >= CITIES_FROM) {
    context.font = `500 12px ${styles.fontFamily}`;
    for (const [name, latitude, longitude] of CITIES) {
      const at = toScreen(project({ latitude, longitude }), view, size);
      context.fillStyle = colour("foreground");
      if (label(name, { x: at.x + 7, y: at.y }, "left", colour("card"))) {
        context.beginPath();
        context.arc(at.x, at.y, 2.5, 0, 2 * Math.PI);
        context.fill();
      }
    }
  }
  context.font = `12px ${styles.fontFamily}`;
  for (const { text, span, ...point } of map.countries.toSorted((a, b) => b.span - a.span)) {
    if (context.measureText(text).width * ROOM_FOR_NAME > span * view.world) continue;
    context.fillStyle = colour("muted-foreground");
    label(text, toScreen(point, view, size), "center", colour("card"));
  }
  if (pin) drawPin(context, toScreen(project(pin), view, size), colour("danger-solid"), colour("card"));
}

const LINE = 16;

/**
 * Returns a function that draws a name unless it would overlap another or leave the window. It returns whether the name
 * was drawn.
 */
function nameWriter(context: CanvasRenderingContext2D, occupied: Box[], size: Size) {
  return (text: string, at: Point, align: "left" | "center", halo: string): boolean => {
    const { width } = context.measureText(text);
    const x = align === "left" ? at.x : at.x - width / 2;
    const outside = x < 0 || x + width > size.width || at.y < LINE / 2 || at.y > size.height - LINE / 2;
    const covered = occupied.some(
      (box) => x < box.x + box.width + 8 && box.x < x + width + 8 && Math.abs(box.y - at.y) < LINE,
    );
    if (outside || covered) return false;
    occupied.push({ x, y: at.y, width });
    context.textAlign = "left";
    context.lineWidth = 3;
    context.strokeStyle = halo;
    context.strokeText(text, x, at.y);
    context.fillText(text, x, at.y);
    return true;
  };
}

const PIN = 13;

/** Draws the pin with its tip at the given point. */
function drawPin(context: CanvasRenderingContext2D, { x, y }: Point, colour: string, hole: string): void {
  context.beginPath();
  context.arc(x, y - 1.9 * PIN, PIN * 0.78, Math.PI * 0.83, Math.PI * 0.17);
  context.lineTo(x, y);
  context.closePath();
  context.fillStyle = colour;
  context.strokeStyle = hole;
  context.lineWidth = 2;
  context.stroke();
  context.fill();
  context.beginPath();
  context.arc(x, y - 1.9 * PIN, PIN * 0.3, 0, 2 * Math.PI);
  context.fillStyle = hole;
  context.fill();
}
