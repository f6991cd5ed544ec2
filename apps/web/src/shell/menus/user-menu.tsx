import { useNavigate } from "@tanstack/react-router";
import { Home, KeyRound, LogOut, UserRound } from "lucide-react";
import { useSignOut } from "@/features/account/login/use-sign-out.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useMe } from "@/lib/session.ts";
import { ActionMenuItem } from "@/ui/action/action-menu-item.tsx";
import { PersonAvatar } from "@/ui/person-avatar.tsx";
import { Badge } from "@/ui/primitives/badge.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/ui/primitives/dropdown-menu.tsx";

export function UserMenu() {
  const { t } = useTranslation();
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
          {t("center.title")}
        </ActionMenuItem>
        <ActionMenuItem needsServer={false} icon={KeyRound} onSelect={() => void navigate({ to: "/user/changePsw" })}>
          {t("shell.changePassword")}
        </ActionMenuItem>
        <DropdownMenuSeparator />
        <ActionMenuItem needsServer={false} icon={LogOut} onSelect={() => void signOut()}>
          {t("shell.signOut")}
        </ActionMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
