import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

const PAPER = "print";

/** Whether the page is being printed now: what is drawn only near the screen has to be there whole on paper. */
export function usePaper(): boolean {
  const [paper, setPaper] = useState(() => matchMedia(PAPER).matches);
  useEffect(() => {
    const media = matchMedia(PAPER);
    // The browser lays the paper out as soon as this returns.
    const change = (): void => flushSync(() => setPaper(media.matches));
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, []);
  return paper;
}
