import { type ComponentType, lazy } from "react";
import { appTexts } from "./i18n.ts";
import { untilLoaded } from "./missing-part.ts";

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
