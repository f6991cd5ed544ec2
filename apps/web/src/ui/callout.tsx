import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Alert, AlertDescription, AlertTitle } from "./primitives/alert.tsx";

const tones = {
  danger: { icon: CircleAlert, variant: "destructive" },
  warning: { icon: TriangleAlert, variant: "warning" },
  info: { icon: Info, variant: "info" },
  success: { icon: CircleCheck, variant: "success" },
} as const;

type CalloutProps = Omit<ComponentProps<typeof Alert>, "title" | "variant"> & {
  tone: keyof typeof tones;
  title: ReactNode;
  actions?: ReactNode;
};

/** A message that stays on the page: what happened, what did not, and what to do. */
export function Callout({ tone, title, actions, children, ...props }: CalloutProps) {
  const { icon: Icon, variant } = tones[tone];
  return (
    <Alert role={tone === "danger" ? "alert" : "status"} variant={variant} {...props}>
      <Icon aria-hidden />
      <AlertTitle>{title}</AlertTitle>
      {children && <AlertDescription>{children}</AlertDescription>}
      {actions && <div className="col-start-2 mt-2 flex gap-2 text-foreground">{actions}</div>}
    </Alert>
  );
}
