import { LocateFixed, Map as MapIcon, MapPinOff } from "lucide-react";
import { Suspense, useId, useState } from "react";
import type { TextKey } from "@/lib/i18n.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { lazyPart } from "@/lib/loading/app-lazy.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import type { Coordinates } from "./projection.ts";

const MapPicker = lazyPart(() => import("./map-picker.tsx"));

type PositionFieldProps = {
  latitude: number | null | undefined;
  longitude: number | null | undefined;
  onChange: (position: Coordinates | null) => void;
};

/** Sets the hotel's coordinates on the map or from the device, or clears them. */
export function PositionField({ latitude, longitude, onChange }: PositionFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  const { ask, asking, problem } = useOwnPosition((position) => {
    onChange(position);
    setOpen(true);
  });
  const inRange = (value: number | null | undefined, most: number): value is number =>
    typeof value === "number" && Math.abs(value) <= most;
  const value = inRange(latitude, 90) && inRange(longitude, 180) ? { latitude, longitude } : null;
  return (
    <div className="grid gap-3 sm:col-span-2">
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <MapIcon aria-hidden />
          {open ? t("map.close") : t("map.open")}
        </Button>
        <Button pending={asking} needsServer={false} onClick={ask}>
          <LocateFixed aria-hidden />
          {t("map.mine")}
        </Button>
        {(latitude ?? longitude ?? null) !== null && (
          <Button variant="ghost" onClick={() => onChange(null)}>
            <MapPinOff aria-hidden />
            {t("map.remove")}
          </Button>
        )}
      </div>
      {problem && (
        <p role="alert" className="text-sm font-medium text-danger">
          {t(problem)}
        </p>
      )}
      <div id={id} hidden={!open}>
        {open && (
          <Suspense fallback={<Skeleton className="h-80" />}>
            <MapPicker value={value} onChange={onChange} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

const PATIENCE_MILLISECONDS = 15_000;

/** Asks the device for its position; the browser first asks the user. `problem` is the reason if this fails. */
function useOwnPosition(onFound: (place: Coordinates) => void) {
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
