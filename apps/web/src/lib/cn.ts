import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

/** Our own tokens (styles/tokens.css) under names that tailwind-merge would take for colours. */
const merge = extendTailwindMerge({ extend: { theme: { shadow: ["card", "float", "dialog"] } } });

/** Joins class names. Of two that set the same property, the later wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
