import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({
  extend: { classGroups: { shadow: [{ shadow: ["card", "float", "dialog"] }] } },
});

/** Joins class names; of two that set the same property the later wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
