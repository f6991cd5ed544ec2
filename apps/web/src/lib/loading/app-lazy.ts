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
 * Like React's `lazy`, for parts that may be opened while the server is unreachable: they appear once it is back, and the page
 * around them stays.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => loadWhenReachable(load));
}

/** Delay after which the page is at rest, but before anybody has clicked through a menu. */
const WARM_MILLISECONDS = 3000;

/**
 * Preloads a part that opens from every page, so that it opens at once and while the server is unreachable. `load` must stay
 * the same.
 */
export function useWarmed(load: () => Promise<unknown>): void {
  useEffect(() => {
    // If the page is left before that, nothing is preloaded.
    const timer = setTimeout(() => ignoreFailure(Promise.all([load(), appTexts()])), WARM_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [load]);
}
