import { createContext } from "react";

/**
 * Tells the field around a control that what was typed there can't be read, so that the field says so instead of the
 * control; null once it can. Without a field, the control says it itself.
 */
export const UnreadableContext = createContext<((problem: string | null) => void) | null>(null);

/** Returns the first control of a form with text that can't be read. Its value is not what the person sees there. */
export function unreadableControl(form: HTMLFormElement): HTMLInputElement | undefined {
  return [...form.elements].find(
    (element): element is HTMLInputElement => element instanceof HTMLInputElement && element.validity.customError,
  );
}
