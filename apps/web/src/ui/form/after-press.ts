let pressed = false;

function note({ type }: PointerEvent): void {
  pressed = type === "pointerdown";
}

for (const type of ["pointerdown", "pointerup", "pointercancel"] as const)
  addEventListener(type, note, { capture: true });

/**
 * Runs an action that moves the page after the mouse button is released. A press takes the focus from a field before it
 * becomes a click. A message that appears in between would move the click's target, and the click would be lost.
 */
export function afterPress(act: () => void): void {
  if (pressed) addEventListener("pointerup", () => setTimeout(act), { once: true });
  else act();
}
