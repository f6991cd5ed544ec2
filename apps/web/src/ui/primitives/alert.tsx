import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn.ts";

const tones = {
  danger: { icon: CircleAlert, box: "bg-danger-soft", mark: "text-danger" },
  warning: { icon: TriangleAlert, box: "bg-expired-soft", mark: "text-expired" },
  info: { icon: Info, box: "bg-checked-in-soft", mark: "text-checked-in" },
  success: { icon: CircleCheck, box: "bg-vacant-soft", mark: "text-vacant" },
};

type AlertProps = Omit<ComponentProps<"div">, "title"> & {
  tone: keyof typeof tones;
  title: ReactNode;
  actions?: ReactNode;
};

/** A message that stays on the page: what happened, what did not, and what to do. */
export function Alert({ tone, title, actions, className, children, ...props }: AlertProps) {
  const { icon: Icon, box, mark } = tones[tone];
  return (
    <div
      role={tone === "danger" ? "alert" : "status"}
      className={cn("flex gap-3 rounded-md px-3.5 py-3 outline-offset-2", box, className)}
      {...props}
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", mark)} />
      <div className="min-w-0 flex-1">
        <p className={cn("font-medium", mark)}>{title}</p>
        {children && <div className="text-foreground">{children}</div>}
        {actions && <div className="mt-2 flex gap-2">{actions}</div>}
      </div>
    </div>
  );
}
