import { type ComponentType, lazy } from "react";
import { houseTexts } from "./i18n.ts";

/** As React's `lazy`, for what the board opens without having its texts: they are fetched together. */
export function houseLazy<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(async () => {
    const [module] = await Promise.all([load(), houseTexts()]);
    return module;
  });
}
