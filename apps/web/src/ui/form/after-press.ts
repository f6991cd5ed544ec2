let pressed = false;

function note({ type }: PointerEvent): void {
  pressed = type === "pointerdown";
}

for (const type of ["pointerdown", "pointerup", "pointercancel"] as const)
  addEventListener(type, note, { capture: true });

/**
 * Runs what moves the page once the mouse is up. A press takes the focus from a field before it becomes a click; a message
 * that appears in between would push away what is being clicked, and the click would be lost.
 */
export function afterPress(act: () => void): void {
  if (pressed) addEventListener("pointerup", () => setTimeout(act), { once: true });
  else act();
}
