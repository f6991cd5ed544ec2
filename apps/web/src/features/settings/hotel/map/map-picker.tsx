import { useQuery } from "@tanstack/react-query";
import { Globe, MapPin, Minus, Plus } from "lucide-react";
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useRef, useState } from "react";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useTheme } from "@/lib/theme.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { drawMap } from "./draw-map.ts";
import {
  bounded,
  type Coordinates,
  project,
  rounded,
  type Size,
  toScreen,
  toWorld,
  unproject,
  type View,
  zoomed,
} from "./projection.ts";
import { useMapPointers } from "./use-map-pointers.ts";
import { worldMap } from "./world-map.ts";

const STEP_PIXELS = 12;
const STEPS: Record<string, [number, number]> = {
  ArrowUp: [0, -STEP_PIXELS],
  ArrowDown: [0, STEP_PIXELS],
  ArrowLeft: [-STEP_PIXELS, 0],
  ArrowRight: [STEP_PIXELS, 0],
};
const ZOOM = 1.6;

type MapPickerProps = { value: Coordinates | null; onChange: (position: Coordinates) => void };

/** Chooses a place on a world map that ships with the console. */
export default function MapPicker({ value, onChange }: MapPickerProps) {
  const { t } = useTranslation();
  const hintId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { data: map, error, refetch } = useQuery({ queryKey: ["world-map"], queryFn: worldMap, staleTime: Infinity });
  const { size, view, setView } = useMapView(frame, value);
  const { dark } = useTheme();
  const { latitude, longitude } = value ?? {};

  const change = useCallback((next: (view: View) => View) => setView((old) => old && next(old)), [setView]);
  const pointers = useMapPointers({
    size,
    change,
    onTap: (at) => size && view && onChange(rounded(unproject(toWorld(at, view, size)), view.world)),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (!canvas.current || !map || !size || !view) return;
    const pin = latitude === undefined || longitude === undefined ? null : { latitude, longitude };
    drawMap(canvas.current, map, view, size, pin);
  }, [map, size, view, latitude, longitude, dark]);

  // We move the map when the pin is set outside the view, by its coordinates or by the device.
  useEffect(() => {
    if (latitude === undefined || longitude === undefined || !size) return;
    setView((old) => {
      if (!old) return old;
      const at = toScreen(project({ latitude, longitude }), old, size);
      const visible = at.x >= 0 && at.x <= size.width && at.y >= 0 && at.y <= size.height;
      return visible ? old : viewOf({ latitude, longitude }, size);
    });
  }, [latitude, longitude, size, setView]);

  useEffect(() => {
    const element = frame.current;
    if (!element || !size) return;
    // The wheel scrolls the page unless the map has the focus or Ctrl is pressed.
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && document.activeElement !== element) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const at = { x: event.clientX - box.left, y: event.clientY - box.top };
      setView((old) => old && zoomed(old, size, 2 ** (-event.deltaY / 300), at));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [size, setView]);

  function zoom(factor: number): void {
    if (!size) return;
    const pin = view && value ? toScreen(project(value), view, size) : null;
    const inside = pin && pin.x >= 0 && pin.x <= size.width && pin.y >= 0 && pin.y <= size.height;
    change((old) => zoomed(old, size, factor, inside ? pin : { x: size.width / 2, y: size.height / 2 }));
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!size || !view) return;
    const step = STEPS[event.key];
    if (step) {
      const from = value ? project(value) : view.center;
      const to = value ? { x: from.x + step[0] / view.world, y: from.y + step[1] / view.world } : from;
      onChange(rounded(unproject(to), view.world));
    } else if (event.key === "+" || event.key === "=") zoom(ZOOM);
    else if (event.key === "-") zoom(1 / ZOOM);
    else return;
    event.preventDefault();
  }

  const where = value
    ? t("map.at", { latitude: coordinate(value.latitude), longitude: coordinate(value.longitude) })
    : t("map.none");

  return (
    <div>
      <div className="relative h-80 overflow-hidden rounded-md border">
        <div
          ref={frame}
          role="application"
          aria-label={t("map.label", { where })}
          aria-describedby={hintId}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move the pin
          tabIndex={0}
          className="absolute inset-0 cursor-crosshair touch-none focus-visible:-outline-offset-2"
          onKeyDown={onKeyDown}
          {...pointers}
        >
          {map ? (
            <canvas ref={canvas} aria-hidden className="size-full" />
          ) : error ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton className="size-full rounded-none" />
          )}
        </div>
        <div className="absolute end-2 top-2 grid rounded-md border bg-popover shadow-card">
          <IconButton icon={Plus} size="iconSm" label={t("map.zoomIn")} onClick={() => zoom(ZOOM)} />
          <IconButton icon={Minus} size="iconSm" label={t("map.zoomOut")} onClick={() => zoom(1 / ZOOM)} />
          <IconButton
            icon={MapPin}
            size="iconSm"
            label={t("map.toPin")}
            disabled={!value}
            onClick={() => size && setView(viewOf(value, size))}
          />
          <IconButton
            icon={Globe}
            size="iconSm"
            label={t("map.whole")}
            onClick={() => size && setView(viewOf(null, size))}
          />
        </div>
      </div>
      <p id={hintId} className="mt-1.5 text-sm text-pretty text-muted-foreground">
        {t("map.hint")}
      </p>
      <p className="sr-only" aria-live="polite">
        {where}
      </p>
    </div>
  );
}

const coordinate = (degrees: number): string => formatNumber(degrees, { maximumFractionDigits: 5 });

const NEAR = 12_000;

/** Returns a view of the whole world, or of the surroundings of a place. */
function viewOf(place: Coordinates | null, size: Size): View {
  return bounded(
    place ? { center: project(place), world: NEAR } : { center: { x: 0.5, y: 0.4 }, world: size.width },
    size,
  );
}

/** Tracks the size of the map's window and the current view. A new size keeps the centre. */
function useMapView(frame: RefObject<HTMLElement | null>, start: Coordinates | null) {
  const [size, setSize] = useState<Size | null>(null);
  const [view, setView] = useState<View | null>(null);
  const first = useRef(start);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      if (width === 0 || height === 0) return;
      setSize({ width, height });
      setView((old) => (old ? bounded(old, { width, height }) : viewOf(first.current, { width, height })));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);

  return { size, view, setView };
}
