import { useState } from "react";
import type { TextKey } from "@/lib/i18n.ts";
import type { Coordinates } from "./projection.ts";

const PATIENCE_MILLISECONDS = 15_000;

/** Asks the device where it is; the browser asks the person first. `problem` says why there is no answer. */
export function useOwnPosition(onFound: (place: Coordinates) => void) {
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<TextKey | null>(null);

  function ask(): void {
    setProblem(null);
    if (!("geolocation" in navigator) || !window.isSecureContext) {
      setProblem("map.unavailable");
      return;
    }
    setAsking(true);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setAsking(false);
        onFound({ latitude: Number(coords.latitude.toFixed(5)), longitude: Number(coords.longitude.toFixed(5)) });
      },
      ({ code, PERMISSION_DENIED }) => {
        setAsking(false);
        setProblem(code === PERMISSION_DENIED ? "map.denied" : "map.unavailable");
      },
      { enableHighAccuracy: true, timeout: PATIENCE_MILLISECONDS },
    );
  }

  return { ask, asking, problem };
}
