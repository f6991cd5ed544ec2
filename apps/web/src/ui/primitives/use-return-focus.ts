import { useRef } from "react";

/** How long a list takes at most to show what was done. */
const SETTLED_MILLISECONDS = 3000;

/** What had the focus; of a menu that is about to close, the button it hangs from. */
function focused(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest("[role='menu']")?.getAttribute("aria-labelledby");
  const origin = menu ? document.getElementById(menu) : active;
  return origin instanceof HTMLElement ? origin : null;
}

/** The box that is still open in front of the page, or else the page. */
function focusPage(): void {
  const boxes = document.querySelectorAll<HTMLElement>("[role='dialog'][data-state='open']");
  const target = boxes[boxes.length - 1] ?? document.getElementById("main");
  target?.focus({ preventScroll: true });
}

/** A row that was removed takes its button along a moment later: the focus goes to the page, not to nowhere. */
function focusWhileThere(origin: HTMLElement): void {
  origin.focus({ preventScroll: true });
  const watch = new MutationObserver(() => {
    if (origin.isConnected) return;
    watch.disconnect();
    if (document.activeElement === document.body) focusPage();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), SETTLED_MILLISECONDS);
}

/**
 * Gives the focus back when a box closes. Radix returns it to a box's trigger only, and boxes opened from a menu, a key or
 * another act have none. Spread into the box's content.
 */
export function useReturnFocus() {
  const origin = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      origin.current = focused();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (origin.current?.isConnected) focusWhileThere(origin.current);
      else focusPage();
    },
  };
}
