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

/** Prints once the sheet is rendered, then calls back. */
export function usePrinting(isRequested: boolean, onPrinted: () => void): void {
  useEffect(() => {
    if (!isRequested) return;
    const frame = requestAnimationFrame(() => {
      window.print();
      onPrinted();
    });
    return () => cancelAnimationFrame(frame);
  }, [isRequested, onPrinted]);
}

const PRINT_MEDIA = "print";

/** Returns whether the page is being printed. Virtualised lists must then be rendered completely. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(() => matchMedia(PRINT_MEDIA).matches);
  useEffect(() => {
    const media = matchMedia(PRINT_MEDIA);
    // The browser lays out the print as soon as this handler returns.
    const change = (): void => flushSync(() => setPrinting(media.matches));
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, []);
  return isPrinting;
}
