import { type ReactNode, useEffect } from "react";
import { createPortal } from "react-dom";

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
