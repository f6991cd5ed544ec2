import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

const PAPER = "print";

/** Returns whether the page is being printed. Virtualised parts must then be drawn completely. */
export function usePaper(): boolean {
  const [paper, setPaper] = useState(() => matchMedia(PAPER).matches);
  useEffect(() => {
    const media = matchMedia(PAPER);
    // The browser lays out the print as soon as this handler returns.
    const change = (): void => flushSync(() => setPaper(media.matches));
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, []);
  return paper;
}
