import { useEffect } from "react";
import { keyboardWedge } from "@/readers/keyboard-wedge.ts";
import { desk } from "./desk-reader.ts";

/** Takes the numbers of a reader that is a keyboard, while nothing on the page is being typed into. */
export function useTypedNumbers(listening: boolean): void {
  useEffect(() => {
    if (!listening) return;
    const typed = keyboardWedge();
    function onKeyDown(event: KeyboardEvent): void {
      const { target } = event;
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const uid = typed({ key: event.key, at: event.timeStamp });
      if (!uid) return;
      // The Enter belongs to the number and presses no button.
      event.preventDefault();
      event.stopPropagation();
      desk.take(uid);
    }
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [listening]);
}
