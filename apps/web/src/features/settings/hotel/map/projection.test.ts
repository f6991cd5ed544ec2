import { expect, it } from "vitest";
import { bounded, panned, project, rounded, toScreen, toWorld, unproject, zoomed } from "./projection.ts";

const size = { width: 800, height: 320 };
const berlin = { latitude: 52.52, longitude: 13.405 };

it("comes back to the place it came from", () => {
  for (const position of [berlin, { latitude: -33.87, longitude: 151.21 }, { latitude: 0, longitude: -180 }]) {
    const { latitude, longitude } = unproject(project(position));
    expect(latitude).toBeCloseTo(position.latitude, 9);
    expect(longitude).toBeCloseTo(position.longitude, 9);
  }
});

it("keeps the poles on the edge", () => {
  expect(project({ latitude: 90, longitude: 0 }).y).toBeCloseTo(0, 5);
  expect(project({ latitude: -90, longitude: 0 }).y).toBeCloseTo(1, 5);
});

it("never shows beyond the world's edges", () => {
  expect(bounded({ center: { x: 0, y: 0 }, world: 1 }, size)).toEqual({ world: 800, center: { x: 0.5, y: 0.2 } });
});

it("zooms on the point under the pointer and pans by pixels", () => {
  const view = bounded({ center: project(berlin), world: 4000 }, size);
  const at = { x: 120, y: 60 };
  const before = toWorld(at, view, size);
  const nearer = zoomed(view, size, 2, at);
  expect(nearer.world).toBe(8000);
  const after = toWorld(at, nearer, size);
  expect([after.x, after.y]).toEqual([expect.closeTo(before.x, 9), expect.closeTo(before.y, 9)]);
  const moved = toScreen(before, panned(nearer, size, { x: 30, y: -10 }), size);
  expect([moved.x, moved.y]).toEqual([expect.closeTo(150, 6), expect.closeTo(50, 6)]);
});

it("rounds to what can be seen", () => {
  expect(rounded(berlin, 800)).toEqual({ latitude: 52.5, longitude: 13.4 });
  expect(rounded({ latitude: 52.520_008_1, longitude: 13.404_954_2 }, 2 ** 26)).toEqual({
    latitude: 52.520_01,
    longitude: 13.404_95,
  });
});
