import { expect, it } from "vitest";
import { coordinatesOf } from "./map-link.ts";

const VIENNA = { latitude: 48.20849, longitude: 16.37208 };

it.each([
  ["a pair of numbers", "48.20849, 16.37208"],
  ["a geo: address", "geo:48.20849,16.37208;u=35"],
  ["a geo: address with a height", "geo:48.20849,16.37208,171"],
  [
    "a place in Google Maps",
    "https://www.google.com/maps/place/Wien/@48.2205998,16.2399773,11z/data=!3m1!4b1!4m6!3m5!1s0x476d:0x9!8m2!3d48.20849!4d16.37208!16zL20",
  ],
  ["the middle of Google's map", "https://www.google.com/maps/@48.2084900,16.3720800,15z"],
  ["the middle of Google's map without a zoom", "https://www.google.de/maps/@48.20849,16.37208"],
  ["a search in Google Maps", "https://www.google.com/maps/search/?api=1&query=48.20849%2C16.37208"],
  ["an old Google link", "http://maps.google.com/?q=loc:48.20849,16.37208"],
  ["Apple Maps", "https://maps.apple.com/?ll=48.20849,16.37208&q=Hotel&t=m"],
  ["a place in Apple Maps", "https://maps.apple.com/place?coordinate=48.20849,16.37208&name=Hotel"],
  ["OpenStreetMap with a marker", "https://www.openstreetmap.org/?mlat=48.20849&mlon=16.37208#map=15/48.2/16.3"],
  ["the middle of OpenStreetMap", "https://www.openstreetmap.org/#map=15/48.20849/16.37208"],
  ["a link amid a message", "We are here: https://www.openstreetmap.org/#map=15/48.20849/16.37208 – see you"],
  ["a link without its scheme", "www.openstreetmap.org/#map=15/48.20849/16.37208"],
])("reads %s", (_name, text) => {
  expect(coordinatesOf(text)).toEqual(VIENNA);
});

it("reads coordinates south of the equator and west of Greenwich", () => {
  expect(coordinatesOf("-33.8688 -151.2093")).toEqual({ latitude: -33.8688, longitude: -151.2093 });
});

it.each([
  ["nothing", ""],
  ["a short link", "https://maps.app.goo.gl/abcDEF123"],
  ["an address in words", "https://www.google.com/maps/search/?api=1&query=Hotel+Sacher"],
  ["a place outside the globe", "91.5, 16.2"],
  ["one number", "48.2"],
  ["three numbers", "48.2, 16.3, 12"],
  ["the empty place", "0,0"],
  ["what is no link", "https://[::"],
  ["a long text", "9".repeat(100_000)],
])("finds no coordinates in %s", (_name, text) => {
  expect(coordinatesOf(text)).toBeNull();
});
