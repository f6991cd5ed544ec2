let pressed = false;
addEventListener("pointerdown", () => (pressed = true), { capture: true });
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (pressed = false), { capture: true });

/**
 * Runs what moves the page once the mouse is up. A press takes the focus from a field before it becomes a click; a message
 * that appears in between would push away what is being clicked, and the click would be lost.
 */
export function afterPress(act: () => void): void {
  if (!pressed) return act();
  addEventListener("pointerup", () => setTimeout(act), { once: true });
}
