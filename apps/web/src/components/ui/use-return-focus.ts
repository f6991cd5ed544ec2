import { useRef } from "react";

/** What had the focus; of a menu that is about to close, the button it hangs from. */
function focused(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest("[role='menu']")?.getAttribute("aria-labelledby");
  const origin = menu ? document.getElementById(menu) : active;
  return origin instanceof HTMLElement ? origin : null;
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
      const target = origin.current?.isConnected ? origin.current : document.getElementById("main");
      target?.focus({ preventScroll: true });
    },
  };
}
