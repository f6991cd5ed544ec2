import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useRouter } from "@tanstack/react-router";
import {
  Building2,
  ChevronRight,
  ChevronsUpDown,
  Home,
  Keyboard,
  KeyRound,
  LogOut,
  Nfc,
  PanelLeft,
  Search,
  UserRound,
} from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { useSignOut } from "@/features/account/login/sign-out.tsx";
import { HandOverButton } from "@/features/hand-over/hand-over-button.tsx";
import { AlertBell } from "@/features/messaging/alerts/alert-bell.tsx";
import { paletteShortcut, setPaletteOpen, setShortcutHelpOpen, useCommands } from "@/lib/commands/commands.ts";
import { t } from "@/lib/i18n.ts";
import { appLazy } from "@/lib/loading/app-lazy.ts";
import { useCrumbs } from "@/lib/page-title.ts";
import { rememberSession, useCan, useMe } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { LanguageMenu, ThemeMenu } from "@/shell/menus/preference-menus.tsx";
import { ActionButton, useUnreachableItemProps } from "@/ui/action/action-button.tsx";
import { ActionMenuItem } from "@/ui/action/action-menu-item.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Can } from "@/ui/can.tsx";
import { PersonAvatar } from "@/ui/person-avatar.tsx";
import { Badge } from "@/ui/primitives/badge.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";
import { Kbd } from "@/ui/primitives/kbd.tsx";
import { toggleSidebar, useSidebar } from "./sidebar.tsx";

/** Shows the current hotel; a menu for operators who work in several. */
function HotelSwitcher() {
  const { hotel, hotels } = useMe();
  const router = useRouter();
  const away = useUnreachableItemProps(true);
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

function UserMenu() {
  const me = useMe();
  const navigate = useNavigate();
  const can = useCan();
  const signOut = useSignOut();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        aria-label={t("shell.userMenu", { name: me.name })}
        className="ms-1 rounded-full outline-offset-2 transition-shadow hover:shadow-[0_0_0_3px_var(--hover)]"
      >
        <PersonAvatar name={me.name} src={me.avatarUrl} />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-60">
        <div className="px-2 pt-1.5 pb-2">
          <div className="flex items-center justify-between gap-2">
            <p className="truncate font-medium">{me.name}</p>
            <Badge>{t(`shell.role.${me.role}`)}</Badge>
          </div>
          <p className="truncate text-sm text-muted-foreground">
            <bdi>{me.mobile ?? me.email}</bdi>
          </p>
        </div>
        <DropdownMenuSeparator />
        <ActionMenuItem
          needsServer={false}
          icon={Home}
          onSelect={() => void navigate({ to: can("rooms.view") ? "/home" : "/" })}
        >
          {t("shell.home")}
        </ActionMenuItem>
        <ActionMenuItem
          needsServer={false}
          icon={UserRound}
          onSelect={() => void navigate({ to: "/center/personalCenter" })}
        >
          {t("nav.personalCenter")}
        </ActionMenuItem>
        <ActionMenuItem needsServer={false} icon={KeyRound} onSelect={() => void navigate({ to: "/user/changePsw" })}>
          {t("shell.changePassword")}
        </ActionMenuItem>
        <ActionMenuItem
          needsServer={false}
          icon={Keyboard}
          onSelect={() => setShortcutHelpOpen(true)}
          aria-keyshortcuts="?"
        >
          <span className="min-w-0 flex-1 truncate">{t("shell.shortcuts")}</span>
          <span aria-hidden className="ms-4 pointer-coarse:hidden">
            <Kbd>?</Kbd>
          </span>
        </ActionMenuItem>
        <DropdownMenuSeparator />
        <ActionMenuItem needsServer={false} icon={LogOut} onSelect={() => void signOut()}>
          {t("shell.signOut")}
        </ActionMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

export function Navbar() {
  const { expanded, drawerOpen, wide } = useSidebar();
  return (
    <header className="sticky top-(--connection-bar) z-30 flex h-14 items-center gap-2 border-b bg-background/92 px-3 backdrop-blur-sm lg:px-5">
      <IconButton
        icon={PanelLeft}
        flip
        label={(wide ? expanded : drawerOpen) ? t("shell.closeMenu") : t("shell.openMenu")}
        aria-expanded={wide ? expanded : drawerOpen}
        className="-ms-1 aria-expanded:bg-transparent"
        onClick={toggleSidebar}
      />
      <Breadcrumb />
      <div className="ms-auto flex items-center gap-0.5">
        <button
          type="button"
          onClick={() => setPaletteOpen(true)}
          aria-keyshortcuts="Control+K Meta+K"
          className="me-1 hidden h-8 w-48 items-center gap-2 rounded-md border bg-card px-2.5 text-sm text-muted-foreground hover:border-input md:flex xl:w-68"
        >
          <Search aria-hidden className="size-4" />
          <span className="flex-1 truncate text-start">{t("shell.searchOrGo")}</span>
          <Kbd>{paletteShortcut}</Kbd>
        </button>
        <IconButton
          icon={Search}
          label={t("shell.searchOrGo")}
          className="md:hidden"
          onClick={() => setPaletteOpen(true)}
        />
        <ReaderButton />
        <Can capability="rooms.view">
          <HandOverButton />
        </Can>
        <Can capability="alerts.view">
          <AlertBell />
        </Can>
        <HotelSwitcher />
        <LanguageMenu />
        <div className="max-sm:hidden">
          <ThemeMenu />
        </div>
        <UserMenu />
      </div>
    </header>
  );
}

const ReaderSheet = appLazy(() => import("@/features/card-readers/card-reader-sheet.tsx"));

/** Opens the card reader beside the current work, from every screen. */
function ReaderButton() {
  const [open, setOpen] = useState(false);
  const commands = useMemo(
    () => [{ id: "read-card", label: t("shell.readCard"), group: t("nav.desk"), icon: Nfc, run: () => setOpen(true) }],
    [],
  );
  useCommands(commands);
  return (
    <>
      <IconButton icon={Nfc} label={t("nav.cardReader")} aria-expanded={open} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <ReaderSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function Breadcrumb() {
  const crumbs = useCrumbs();
  return (
    <nav aria-label={t("shell.breadcrumb")} className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5">
        {crumbs.map((crumb, index) => (
          <li
            key={`${crumb.to ?? ""}${crumb.label}`}
            className="flex min-w-0 items-center gap-1.5 not-last:max-sm:hidden"
          >
            {index > 0 && (
              <ChevronRight aria-hidden className="flip-rtl size-3.5 shrink-0 text-faint-foreground max-sm:hidden" />
            )}
            {crumb.to ? (
              <Link
                to={crumb.to}
                className="truncate rounded-sm text-muted-foreground hover:text-foreground hover:underline"
              >
                {crumb.label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate font-medium">
                {crumb.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
