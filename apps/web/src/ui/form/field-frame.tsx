import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { Label } from "@/ui/primitives/label.tsx";

export type FieldLook = {
  label: ReactNode;
  hint?: ReactNode;
  /** Whether the label is marked as required. Other fields are labelled "optional" unless `quiet`. */
  required?: boolean;
  quiet?: boolean;
  /**
   * `inline`: the control is before its label, for checkboxes and switches. `group`: the control is a group of
   * controls.
   */
  layout?: "stacked" | "inline" | "group";
  /** Something small at the end of the label's line. */
  aside?: ReactNode;
  className?: string;
};

type FieldMarks = { message: string | undefined; hint?: ReactNode; required?: boolean };

/** Props that connect a control with its label and its message. */
export function fieldMarks(id: string, { message, hint, required }: FieldMarks) {
  const describedBy = message ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return {
    id,
    ...(required && { required }),
    ...(message && { "aria-invalid": true as const }),
    ...(describedBy && { "aria-describedby": describedBy }),
  };
}

type FieldFrameProps = FieldLook & { id: string; message: string | undefined; children: ReactNode };

/** Label, control, hint and message of a field. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, message, label, hint, required, quiet, layout = "stacked", aside, className, children } = props;
  const inline = layout === "inline";

  const caption = (
    <Label
      htmlFor={layout === "group" ? undefined : id}
      id={`${id}-label`}
      className={inline ? "text-base font-normal" : "flex flex-wrap gap-x-1.5"}
    >
      {label}
      {!required && !quiet && !inline && (
        <span className="font-normal text-faint-foreground">{t("common.optional")}</span>
      )}
    </Label>
  );

  return (
    <div className={cn("min-w-0", className)}>
      {inline ? (
        <div className="flex min-h-6 items-center gap-2.5">
          {children}
          {caption}
        </div>
      ) : (
        <>
          <div className="mb-1.5 flex min-h-5 items-baseline justify-between gap-3">
            {caption}
            {aside && <div className="text-sm">{aside}</div>}
          </div>
          {children}
        </>
      )}
      {hint && !message && (
        <p id={`${id}-hint`} className={cn("mt-1.5 text-sm text-muted-foreground", inline && "ms-7 mt-0.5")}>
          {hint}
        </p>
      )}
      {message && (
        <p id={`${id}-error`} className={cn("mt-1.5 text-sm font-medium text-danger", inline && "ms-7")}>
          {message}
        </p>
      )}
    </div>
  );
}

let isPressed = false;

function trackPress({ type }: PointerEvent): void {
  isPressed = type === "pointerdown";
}

for (const type of ["pointerdown", "pointerup", "pointercancel"] as const)
  addEventListener(type, trackPress, { capture: true });

/**
 * Runs an action that shifts the layout, after the mouse button is released. A press takes the focus from a field
 * before it becomes a click; a message that appears in between would move the click's target, and the click would be
 * lost.
 */
export function afterPress(act: () => void): void {
  if (isPressed) addEventListener("pointerup", () => setTimeout(act), { once: true });
  else act();
}
