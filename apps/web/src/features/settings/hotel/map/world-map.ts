import type { FeatureCollection, Geometry, MultiLineString, Position } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import worldUrl from "world-atlas/countries-50m.json?url";
import { language } from "@/lib/i18n.ts";
import { type Point, project } from "./projection.ts";

type NamedFeature = { name: string };
type World = Topology<{ countries: GeometryCollection<NamedFeature>; land: GeometryCollection }>;
type Ring = Position[];

export type MapLabel = Point & {
  text: string;
  /** Width of the country on the world square. Small countries are named only at a higher zoom. */
  span: number;
};

/** The world as canvas paths, in the coordinates of `project`. */
export type WorldMap = { land: Path2D; borders: Path2D; countries: MapLabel[] };

let loading: Promise<WorldMap> | undefined;

/**
 * Returns the coastlines and borders of Natural Earth at 1:50 million. The data ship with the console, so no map
 * service is used. They are loaded once.
 */
export function worldMap(): Promise<WorldMap> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<WorldMap> {
  const response = await fetch(worldUrl);
  if (!response.ok) throw new Error(`the map answered ${response.status}`);
  const world = (await response.json()) as World;
  const land = feature(world, world.objects.land);
  const countries = feature(world, world.objects.countries);
  return {
    land: pathOf(land.features.flatMap(({ geometry }) => ringsOf(geometry))),
    borders: pathOf(linesOf(mesh(world, world.objects.countries, (a, b) => a !== b))),
    countries: labelsOf(countries),
  };
}

function ringsOf(geometry: Geometry): Ring[] {
  if (geometry.type === "Polygon") return geometry.coordinates;
  return geometry.type === "MultiPolygon" ? geometry.coordinates.flat() : [];
}

const linesOf = ({ coordinates }: MultiLineString): Ring[] => coordinates;

const pointOf = ([longitude = 0, latitude = 0]: Position): Point => project({ latitude, longitude });

function pathOf(lines: readonly Ring[]): Path2D {
  const path = new Path2D();
  for (const line of lines) {
    for (const [index, position] of line.entries()) {
      const { x, y } = pointOf(position);
      if (index === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
  }
  return path;
}

/** Returns a label for each country in the user's language, at the centre of its largest part. */
function labelsOf({ features }: FeatureCollection<Geometry, NamedFeature>): MapLabel[] {
  const names = new Intl.DisplayNames(language.tag, { type: "region", fallback: "none" });
  return features.flatMap(({ id, geometry, properties }) => {
    const boxes = ringsOf(geometry).map(boxOf);
    const largest = boxes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
    if (!largest) return [];
    // The features have numeric ISO codes; Intl.Locale converts them to letters.
    const region = id === undefined ? undefined : new Intl.Locale(`und-${id}`).region;
    const text = (region && !/^\d/.test(region) && names.of(region)) || properties.name;
    return [{ text, x: largest.x, y: largest.y, span: largest.width }];
  });
}

function boxOf(ring: Ring): Point & { width: number; height: number } {
  const points = ring.map(pointOf);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [west, east, north, south] = [least(xs), -least(xs.map((x) => -x)), least(ys), -least(ys.map((y) => -y))];
  return { x: (west + east) / 2, y: (north + south) / 2, width: east - west, height: south - north };
}

const least = (values: readonly number[]): number => values.reduce((low, value) => Math.min(low, value), Infinity);
