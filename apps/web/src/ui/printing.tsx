import { type ReactNode, useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";

/** Content that is printed in place of the page (styles/print.css). */
export function PrintSheet({ children }: { children: ReactNode }) {
  return createPortal(
    <div data-print-sheet className="hidden bg-white p-0 text-black print:block">
      {children}
    </div>,
    document.body,
  );
}

/** Prints once the sheet is drawn, then calls back. */
export function usePrinting(printing: boolean, onPrinted: () => void): void {
  useEffect(() => {
    if (!printing) return;
    const frame = requestAnimationFrame(() => {
      window.print();
      onPrinted();
    });
    return () => cancelAnimationFrame(frame);
  }, [printing, onPrinted]);
}

const PAPER = "print";

/** Returns whether the page is being printed. Virtualised parts must then be drawn completely. */
export function useIsPrinting(): boolean {
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
