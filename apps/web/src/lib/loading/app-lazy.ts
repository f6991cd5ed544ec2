import { type ComponentType, lazy, useEffect } from "react";
import { appTexts } from "../i18n.ts";
import { ignoreFailure, loadWhenReachable } from "./missing-part.ts";

/**
 * Like React's `lazy`, for parts that open on the board and whose texts the board doesn't have: code and texts load
 * together.
 */
export function appLazy<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazyPart(async () => {
    const [module] = await Promise.all([load(), appTexts()]);
    return module;
  });
}

/**
 * Like React's `lazy`, for parts that may be opened while the server is unreachable: they appear once it is reachable,
 * and the page around them stays.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => loadWhenReachable(load));
}

/** Delay of preloading: the page is complete by then, and hardly anybody has clicked through a menu. */
const PRELOAD_DELAY_MS = 3000;

/**
 * Preloads a part that people open often, so that it opens at once, even while the server is unreachable. `load`
 * must be stable.
 */
export function useWarmed(load: () => Promise<unknown>): void {
  useEffect(() => {
    // If the page is left before that, nothing is preloaded.
    const timer = setTimeout(() => ignoreFailure(Promise.all([load(), appTexts()])), PRELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, [load]);
}
