import { type ComponentType, lazy, useEffect } from "react";
import { appTexts } from "../i18n.ts";
import { inPassing, untilLoaded } from "./missing-part.ts";

/** As React's `lazy`, for what the board opens without having its texts: they are fetched together. */
export function appLazy<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazyPart(async () => {
    const [module] = await Promise.all([load(), appTexts()]);
    return module;
  });
}

/**
 * As React's `lazy`, for a part that may be asked for while the server is away: it comes when the server is back, and takes
 * nothing of the page with it meanwhile.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => untilLoaded(load));
}

/** By then the page is at rest, and nobody has clicked through a menu yet. */
const WARM_MILLISECONDS = 3000;

/** Loads ahead what is opened from every page, so that it opens at once, and while the server is away. `load` stays the same. */
export function useWarmed(load: () => Promise<unknown>): void {
  useEffect(() => {
    // A page that is left in between needs nothing.
    const timer = setTimeout(() => inPassing(Promise.all([load(), appTexts()])), WARM_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [load]);
}
