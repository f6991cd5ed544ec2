import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { CardAction, CardDescription, CardHeader, CardTitle } from "./primitives/card.tsx";

type CardHeadingProps = { title: ReactNode; description?: ReactNode; actions?: ReactNode; className?: string };

/** The head of a card that is a section of its page. Its actions move below the title if there is no space. */
export function CardHeading({ title, description, actions, className }: CardHeadingProps) {
  return (
    <CardHeader className={cn("flex flex-wrap justify-between gap-x-4 gap-y-2", className)}>
      <div className="min-w-0 flex-1 basis-48">
        <CardTitle>
          <h2>{title}</h2>
        </CardTitle>
        {description && <CardDescription>{description}</CardDescription>}
      </div>
      {actions && <CardAction className="ms-auto flex shrink-0 items-center gap-2">{actions}</CardAction>}
    </CardHeader>
  );
}
