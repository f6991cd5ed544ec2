import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";

type DrawingProps = { className?: string };
export type Drawing = (props: DrawingProps) => ReactNode;

/**
 * The sheet that all drawings share: lines in the colour of the text, and in each of them one thing of brass. They look
 * the same in both writing directions.
 */
function Sheet({ className, children }: DrawingProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 120 80"
      aria-hidden="true"
      className={cn("overflow-visible", className)}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

/** A key rack with one key, for keys, codes and people who hold them. */
export function KeyOnHook(props: DrawingProps) {
  return (
    <Sheet {...props}>
      <rect x={14} y={10} width={92} height={11} rx={2.5} />
      <path d="M29 21v6a3 3 0 0 0 6 0M57 21v6a3 3 0 0 0 6 0M85 21v6a3 3 0 0 0 6 0" />
      <g className="stroke-brass" strokeWidth={2}>
        <circle cx={60} cy={36} r={8} />
        <path d="M60 44v26M60 62h7v6h-7" />
      </g>
      <path d="M17 76h86" strokeOpacity={0.35} />
    </Sheet>
  );
}

/** A corridor where nobody walks, for rooms and guests. */
export function EmptyCorridor(props: DrawingProps) {
  return (
    <Sheet {...props}>
      <path d="M12 6l36 19M108 6L72 25M12 74l36-21M108 74L72 53M48 25h24v28H48z" />
      <path d="M19 70V29l11 2.4V63.5M36 60V32.6l6 1.3v22.6M101 70V29l-11 2.4V63.5M84 60V32.6l-6 1.3v22.6" />
      <path d="M54 53L41 74M66 53l13 21" strokeOpacity={0.35} />
      <path d="M55 53V37a5 5 0 0 1 10 0v16" className="stroke-brass" strokeWidth={2} />
    </Sheet>
  );
}

/** A closed door, for openings and for what somebody may not see. */
export function ClosedDoor(props: DrawingProps) {
  return (
    <Sheet {...props}>
      <path d="M38 74V32a22 22 0 0 1 44 0v42M24 74h72" />
      <path d="M45 74V33a15 15 0 0 1 30 0v41" strokeOpacity={0.5} />
      <path d="M18 79h84" strokeOpacity={0.35} />
      <g className="stroke-brass" strokeWidth={2}>
        <circle cx={60} cy={45} r={3.5} />
        <path d="M58.5 48.5L57 57h6l-1.5-8.5" />
      </g>
    </Sheet>
  );
}

/** A card above a reader, for cards, readers and faces. */
export function CardOverReader(props: DrawingProps) {
  return (
    <Sheet {...props}>
      <g transform="rotate(-8 60 20)">
        <rect x={35} y={4} width={50} height={31} rx={4} />
        <path d="M35 13h50M42 28h12" />
      </g>
      <path d="M48 45q12 6 24 0M42 50q18 9 36 0" className="stroke-brass" strokeWidth={2} />
      <rect x={20} y={60} width={80} height={15} rx={5} />
      <path d="M29 67.5h22" strokeOpacity={0.5} />
      <circle cx={90} cy={67.5} r={1.75} className="fill-brass stroke-brass" />
    </Sheet>
  );
}

/** A bell that nobody rings, for messages. */
export function QuietBell(props: DrawingProps) {
  return (
    <Sheet {...props}>
      <path d="M32 60a28 28 0 0 1 56 0z" />
      <rect x={26} y={60} width={68} height={7} rx={3.5} />
      <path d="M42 54a18 18 0 0 1 9-11" strokeOpacity={0.5} />
      <path d="M16 74h88" strokeOpacity={0.35} />
      <path d="M60 32v-6M54 25h12" className="stroke-brass" strokeWidth={2} />
    </Sheet>
  );
}

/** An open book without an entry, for money, records and lists of what happened. */
export function EmptyLedger(props: DrawingProps) {
  return (
    <Sheet {...props}>
      <path d="M60 22c-9-7-24-9-42-7v50c18-2 33 0 42 7 9-7 24-9 42-7V15c-18-2-33 0-42 7zM60 22v50" />
      <path
        d="M27 27c9-.5 17 .6 24 3.5M27 37c9-.5 17 .6 24 3.5M27 47c9-.5 17 .6 24 3.5M69 40.5c7-2.9 15-4 24-3.5M69 50.5c7-2.9 15-4 24-3.5"
        strokeOpacity={0.35}
      />
      <path d="M82 15v15l4-4 4 4V14.5" className="stroke-brass" strokeWidth={2} />
    </Sheet>
  );
}
