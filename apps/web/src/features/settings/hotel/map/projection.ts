/** Degrees: latitude from −90 to 90, longitude from −180 to 180. */
export type Coordinates = { latitude: number; longitude: number };
/** Point on the world square; both axes run from 0 to 1, starting in the north-west. */
export type Point = { x: number; y: number };
/** Visible part of the world: its centre, and the width of the whole world in pixels. */
export type View = { center: Point; world: number };
export type Size = { width: number; height: number };

/** Latitude at which Web Mercator ends, so that its world is a square. */
const NORTHMOST = 85.051_128;
/**
 * Maximum width of the world in pixels. Beyond it, at about 20 metres per pixel, the coastlines have no more detail.
 */
const WIDEST_WORLD = 2 ** 13 * 256;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Projects coordinates to Web Mercator. Latitudes beyond its limits are moved to the edge. */
export function project({ latitude, longitude }: Coordinates): Point {
  const sine = Math.sin((clamp(latitude, -NORTHMOST, NORTHMOST) * Math.PI) / 180);
  return {
    x: clamp(longitude, -180, 180) / 360 + 0.5,
    y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI),
  };
}

export function unproject({ x, y }: Point): Coordinates {
  return {
    latitude: (Math.atan(Math.sinh(Math.PI * (1 - 2 * clamp(y, 0, 1)))) * 180) / Math.PI,
    longitude: (clamp(x, 0, 1) - 0.5) * 360,
  };
}

/** Limits a view so that the world covers the window and its edges stay outside. */
export function bounded({ center, world }: View, { width, height }: Size): View {
  const wide = clamp(world, Math.max(width, height), WIDEST_WORLD);
  const [half, tall] = [width / 2 / wide, height / 2 / wide];
  return {
    world: wide,
    center: { x: clamp(center.x, half, 1 - half), y: clamp(center.y, tall, 1 - tall) },
  };
}

export function toScreen(point: Point, { center, world }: View, { width, height }: Size): Point {
  return { x: width / 2 + (point.x - center.x) * world, y: height / 2 + (point.y - center.y) * world };
}

export function toWorld(at: Point, { center, world }: View, { width, height }: Size): Point {
  return { x: center.x + (at.x - width / 2) / world, y: center.y + (at.y - height / 2) / world };
}

/** Zooms by a factor and keeps the point under `at` in place. */
export function zoomed(view: View, size: Size, factor: number, at: Point): View {
  const fixed = toWorld(at, view, size);
  const { world } = bounded({ ...view, world: view.world * factor }, size);
  const center = {
    x: fixed.x - (at.x - size.width / 2) / world,
    y: fixed.y - (at.y - size.height / 2) / world,
  };
  return bounded({ center, world }, size);
}

export function panned(view: View, size: Size, by: Point): View {
  const center = { x: view.center.x - by.x / view.world, y: view.center.y - by.y / view.world };
  return bounded({ ...view, center }, size);
}

/** Rounds to the precision of one pixel in this view, with at most five decimals (about a metre). */
export function rounded({ latitude, longitude }: Coordinates, world: number): Coordinates {
  const decimals = clamp(Math.ceil(Math.log10(world / 360)), 0, 5);
  const round = (value: number): number => Number(value.toFixed(decimals));
  return { latitude: round(latitude), longitude: round(longitude) };
}
