import { useRouter } from "@tanstack/react-router";
import type { ComponentProps, MouseEvent } from "react";

type RoomLinkProps = Omit<ComponentProps<"a">, "href" | "onClick"> & {
  roomId: number;
  /** What a plain click does instead of opening the room's page. It must be stable on the board. */
  onOpen?: ((roomId: number) => void) | undefined;
};

/**
 * A link to a room. The router's own Link reacts to every change of the address, which is too slow on a board of
 * hundreds of rooms.
 */
export function RoomLink({ roomId, onOpen, children, ...props }: RoomLinkProps) {
  const router = useRouter();
  const target = { to: "/room/$roomId", params: { roomId } } as const;

  function open(event: MouseEvent): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (onOpen) onOpen(roomId);
    else void router.navigate(target);
  }

  return (
    <a href={router.buildLocation(target).href} onClick={open} {...props}>
      {children}
    </a>
  );
}
