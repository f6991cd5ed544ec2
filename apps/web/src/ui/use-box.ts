import { type RefObject, useLayoutEffect, useState } from "react";

/** Returns the width of an element and its distance from the top of the page, in whole pixels. */
export function useBox(ref: RefObject<HTMLElement | null>): { width: number; top: number } {
  const [box, setBox] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = (): void => {
      const { width, top } = element.getBoundingClientRect();
      const next = { width: Math.round(width), top: Math.round(top + window.scrollY) };
      setBox((old) => (old.width === next.width && old.top === next.top ? old : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [ref]);
  return box;
}
