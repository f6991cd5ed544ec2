import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Building2, ChevronsUpDown } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { rememberSession, useMe } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { useItemAway } from "@/ui/action/server-away.ts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";

/** Shows the current hotel; a menu for operators who work in several. */
export function HotelSwitcher() {
  const { t } = useTranslation();
  const { hotel, hotels } = useMe();
  const router = useRouter();
  const away = useItemAway(true);
  const change = useMutation(
    trpc.auth.switchHotel.mutationOptions({
      onSuccess: async (me) => {
        rememberSession(me);
        await router.navigate({ to: "/" });
        await router.invalidate();
      },
    }),
  );

  if (hotels.length < 2)
    return <span className="hidden max-w-48 truncate px-2 text-muted-foreground xl:inline">{hotel.name}</span>;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <ActionButton
          variant="ghost"
          size="sm"
          pending={change.isPending}
          needsServer={false}
          aria-label={t("shell.hotelIs", { name: hotel.name })}
          className="max-sm:w-8 max-sm:px-0"
        >
          <Building2 aria-hidden />
          <span className="max-w-40 truncate max-sm:hidden">{hotel.name}</span>
          <ChevronsUpDown aria-hidden className="size-3.5! max-sm:hidden" />
        </ActionButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuLabel>{t("shell.switchHotel")}</DropdownMenuLabel>
        <DropdownMenuRadioGroup value={String(hotel.id)} onValueChange={(id) => change.mutate({ hotelId: Number(id) })}>
          {hotels.map(({ id, name }) => (
            <DropdownMenuRadioItem key={id} value={String(id)} {...away}>
              {name}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
