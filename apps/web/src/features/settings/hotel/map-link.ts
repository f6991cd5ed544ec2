export type Coordinates = { latitude: number; longitude: number };

const NUMBER = String.raw`[-+]?\d{1,3}(?:\.\d+)?`;
const PAIR = new RegExp(`^\\s*(${NUMBER})\\s*[,; ]\\s*(${NUMBER})\\s*$`);
/** The pin of a Google Maps address; the place after `@` is only the middle of the map. */
const GOOGLE_PIN = new RegExp(`!3d(${NUMBER})!4d(${NUMBER})`);
const GOOGLE_VIEW = new RegExp(`/@(${NUMBER}),(${NUMBER})[,/]`);
const OPEN_STREET_MAP_VIEW = new RegExp(`^#map=\\d+(?:\\.\\d+)?/(${NUMBER})/(${NUMBER})`);
/** Parameters in which Google Maps and Apple Maps name a place, the pin before the middle of the map. */
const PAIR_PARAMETERS = ["query", "q", "daddr", "destination", "coordinate", "ll", "sll", "center"];
const DECIMALS = 5;

/**
 * Returns the coordinates in degrees that a pasted map link, a `geo:` address or a pair of numbers names, with five
 * decimals (about a metre); null if there are none. Sources: RFC 5870; Google "Maps URLs"; Apple "Map Links";
 * wiki.openstreetmap.org, "Browsing".
 */
export function coordinatesOf(text: string): Coordinates | null {
  const geo = /^geo:([^;?]+)/i.exec(text.trim());
  if (geo) return pairOf(geo[1]?.split(",").slice(0, 2).join(","));
  const plain = pairOf(text);
  if (plain) return plain;
  const url = urlOf(text);
  if (!url) return null;
  const pin = GOOGLE_PIN.exec(url.href);
  if (pin) return coordinatesAt(pin[1], pin[2]);
  const { searchParams } = url;
  const marker = coordinatesAt(searchParams.get("mlat") ?? undefined, searchParams.get("mlon") ?? undefined);
  if (marker) return marker;
  for (const name of PAIR_PARAMETERS) {
    const coordinates = pairOf(searchParams.get(name)?.replace(/^loc:/, ""));
    if (coordinates) return coordinates;
  }
  const view = GOOGLE_VIEW.exec(`${url.pathname}/`) ?? OPEN_STREET_MAP_VIEW.exec(url.hash);
  return view ? coordinatesAt(view[1], view[2]) : null;
}

function urlOf(text: string): URL | null {
  const [address = ""] = /(?:https?:\/\/|www\.)\S+/i.exec(text) ?? [];
  const full = address.replace(/^www\./i, "https://$&");
  return URL.canParse(full) ? new URL(full) : null;
}

function pairOf(text: string | undefined): Coordinates | null {
  const pair = PAIR.exec(text ?? "");
  return pair ? coordinatesAt(pair[1], pair[2]) : null;
}

/** Returns the rounded coordinates; null outside the globe, and for 0, 0, which means that there are none. */
export function coordinatesAt(latitudeText: string | undefined, longitudeText: string | undefined): Coordinates | null {
  const [latitude, longitude] = [latitudeText, longitudeText].map((text) =>
    Number(Number(text || Number.NaN).toFixed(DECIMALS)),
  );
  if (latitude === undefined || longitude === undefined) return null;
  const isOnGlobe = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0);
  return isOnGlobe ? { latitude, longitude } : null;
}
