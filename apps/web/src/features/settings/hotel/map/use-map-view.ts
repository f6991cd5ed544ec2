import { type RefObject, useEffect, useRef, useState } from "react";
import { bounded, type Coordinates, project, type Size, type View } from "./projection.ts";

const NEAR = 12_000;

/** The whole world, or what lies around a place. */
export function viewOf(place: Coordinates | null, size: Size): View {
  return bounded(
    place ? { center: project(place), world: NEAR } : { center: { x: 0.5, y: 0.4 }, world: size.width },
    size,
  );
}

/** The size of the window onto the map and what is seen through it; a new size keeps the middle. */
export function useMapView(frame: RefObject<HTMLElement | null>, start: Coordinates | null) {
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
