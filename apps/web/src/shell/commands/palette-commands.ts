import { LANGUAGES } from "@innkey/shared/languages";
import type { SearchResult } from "@innkey/shared/schemas/overview/search";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  BedDouble,
  CalendarSearch,
  CircleQuestionMark,
  Contact,
  CreditCard,
  Hash,
  IdCard,
  Keyboard,
  KeyRound,
  Languages,
  LogOut,
  Monitor,
  Moon,
  ReceiptText,
  Sun,
} from "lucide-react";
import { useMemo } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { useRoomActions } from "@/entities/room/room-actions.ts";
import { type StayActions, useStayActions } from "@/entities/stay/stay-actions.tsx";
import { useSignOut } from "@/features/account/login/sign-out.tsx";
import { setTheme, useTheme } from "@/lib/browser/theme.ts";
import { type PaletteCommand, setShortcutHelpOpen } from "@/lib/commands/commands.ts";
import { formatList, formatMoney } from "@/lib/format.ts";
import { changeLanguage, language, t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { useDebounced } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { useNav } from "@/shell/sidebar.tsx";

/** Opens a dialog of the board that asks until when and why. */
const askNothing = (): void => undefined;

/**
 * Returns commands for rooms, for what can be done in each room now, and for guests by name, from the board as last
 * read.
 */
export function useRoomCommands(): PaletteCommand[] {
  const can = useCan();
  const navigate = useNavigate();
  const stays = useStayActions();
  const actionsOf = useRoomActions(askNothing);
  const { data: board } = useQuery({ ...boardQuery, enabled: can("rooms.view") });
  const books = can("stays.manage");
  const seesGuests = can("stays.view");
  const seesLocks = can("locks.view");
  const issuesCodes = can("passcodes.issue") && can("rooms.view");

  return useMemo(() => {
    const roomLabel = (room: BoardRoom): string => t("board.roomNamed", { name: room.name });
    const rooms = (board?.rooms ?? []).map(
      (room): PaletteCommand => ({
        id: `room:${room.id}`,
        label: roomLabel(room),
        group: t("board.title"),
        icon: BedDouble,
        detail: room.current?.guestName ?? t(`status.${room.status}`),
        keywords: [room.remarkName, room.next?.guestName ?? ""],
        whenTyped: true,
        run: () => void navigate({ to: "/room/$roomId", params: { roomId: room.id } }),
      }),
    );
    const acts = (board?.rooms ?? []).flatMap((room) => {
      const { stay, door, status } = actionsOf(room);
      return [...stay, ...door, ...status]
        .filter(({ id }) => id !== "guest" && id !== "maintenance")
        .map(
          (action): PaletteCommand => ({
            id: `act:${room.id}:${action.id}`,
            label: t("board.actionInRoom", { action: action.label, room: room.name }),
            group: t("nav.desk"),
            icon: action.icon,
            detail: room.current?.guestName,
            whenTyped: true,
            needsServer: true,
            run: action.onSelect,
          }),
        );
    });
    const guests = (board?.rooms ?? []).flatMap((room) =>
      [room.current, room.next].flatMap((stay): PaletteCommand[] =>
        stay && seesGuests
          ? [
              {
                id: `guest:${stay.stayId}`,
                label: stay.guestName,
                group: t("nav.guests"),
                icon: Contact,
                detail: roomLabel(room),
                whenTyped: true,
                run: () => stays.openStay(stay.stayGuestId),
              },
            ]
          : [],
      ),
    );
    const anyRoom: PaletteCommand[] = books
      ? [
          {
            id: "find-room",
            label: t("board.findRoom"),
            group: t("nav.desk"),
            icon: CalendarSearch,
            needsServer: true,
            run: stays.findRoom,
          },
        ]
      : [];
    const anyKey: PaletteCommand[] = seesLocks
      ? [
          {
            id: "check-key",
            label: t("nav.keyCheck"),
            group: t("nav.desk"),
            icon: CircleQuestionMark,
            needsServer: true,
            run: () => stays.checkKey(null),
          },
        ]
      : [];
    const anyCode: PaletteCommand[] = issuesCodes
      ? [
          {
            id: "new-code",
            label: t("board.newCode"),
            group: t("nav.desk"),
            icon: Hash,
            needsServer: true,
            run: () => stays.createPasscode({ roomIds: [] }),
          },
        ]
      : [];
    return [...anyRoom, ...anyKey, ...anyCode, ...rooms, ...acts, ...guests];
  }, [board, actionsOf, navigate, books, seesGuests, seesLocks, issuesCodes, stays]);
}

/** Pause in typing after which we search. */
const REST_MILLISECONDS = 150;
const CACHE_MILLISECONDS = 10_000;
const LONGEST = 100;

interface Ways {
  stays: StayActions;
  currency: string;
  masterCards: boolean;
  navigate: ReturnType<typeof useNavigate>;
}

/**
 * Returns commands for whatever in the hotel has the typed name or number and is not on the page: guests of other days,
 * customers, cards and so on.
 */
export function useSearchCommands(typed: string): { commands: PaletteCommand[]; looking: boolean } {
  const { currency } = useHotel();
  const masterCards = useCan()("cards.master");
  const navigate = useNavigate();
  const stays = useStayActions();
  const query = typed.trim().slice(0, LONGEST);
  const rested = useDebounced(query, REST_MILLISECONDS);
  const { data, isLoading } = useQuery(
    trpc.search.find.queryOptions({ query: rested }, { enabled: rested !== "", staleTime: CACHE_MILLISECONDS }),
  );
  const commands = useMemo(
    () => (data ? commandsOf(data, { stays, currency, masterCards, navigate }) : []),
    [data, stays, currency, masterCards, navigate],
  );
  // Results for an earlier text are not offered.
  const current = rested === query && query !== "";
  return { commands: current ? commands : [], looking: query !== "" && (isLoading || !current) };
}

function commandsOf(results: SearchResult, { stays, currency, masterCards, navigate }: Ways): PaletteCommand[] {
  const listed = (parts: (string | null)[]): string =>
    formatList(parts.filter((part): part is string => Boolean(part)));
  return [
    ...results.rooms.map(({ roomId, name, remarkName }) => ({
      id: `room:${roomId}`,
      label: t("board.roomNamed", { name }),
      group: t("board.title"),
      icon: BedDouble,
      detail: remarkName,
      run: () => void navigate({ to: "/room/$roomId", params: { roomId } }),
    })),
    ...results.guests.map(({ stayId, stayGuestId, name, roomName, state }) => ({
      id: `guest:${stayId}`,
      label: name,
      group: t("nav.guests"),
      icon: Contact,
      detail: listed([t("board.roomNamed", { name: roomName }), t(STATES[state])]),
      run: () => stays.openStay(stayGuestId),
    })),
    ...results.customers.map(({ customerId, name, company }) => ({
      id: `customer:${customerId}`,
      label: name,
      group: t("nav.customers"),
      icon: IdCard,
      detail: company === name ? "" : company,
      run: () => void navigate({ to: "/customer/customer", search: { q: name } }),
    })),
    ...results.cards.map(({ cardId, uid, note, kind, stayGuestId, guestName }) => ({
      id: `card:${cardId}`,
      label: uid,
      group: t("nav.roomCards"),
      icon: CreditCard,
      detail: listed([guestName, note]),
      run: () => {
        if (stayGuestId !== null) stays.openStay(stayGuestId);
        else if (kind !== "guest" && masterCards)
          void navigate({ to: "/center/cardList", search: { q: uid, show: "all" } });
        else stays.checkKey({ number: uid });
      },
    })),
    ...results.entries.map(({ entryId, type, amountMinor, stayGuestId, guestName }) => ({
      id: `entry:${entryId}`,
      label: t("palette.entry", { number: entryId }),
      group: t("nav.folio"),
      icon: ReceiptText,
      detail: listed([t(`folio.typeOf.${type}`), formatMoney(amountMinor, currency), guestName]),
      run: () => (stayGuestId === null ? void navigate({ to: "/orders" }) : stays.openStay(stayGuestId)),
    })),
    ...results.passcodes.map(({ passcodeId, person, roomName, ended }) => ({
      id: `passcode:${passcodeId}`,
      label: person,
      group: t("nav.passcodes"),
      icon: Hash,
      detail: t("board.roomNamed", { name: roomName }),
      run: () => void navigate({ to: "/passcodes", search: { q: person, tab: ended ? "ended" : "live" } }),
    })),
  ];
}

const STATES = {
  reserved: "room.state.reserved",
  checked_in: "room.state.in",
  checked_out: "room.state.out",
  cancelled: "room.state.cancelled",
  no_show: "room.state.no_show",
} as const;

/** Returns commands for every screen and for the console itself. */
export function useShellCommands(): PaletteCommand[] {
  const screens = useNav().flatMap(({ entries }) => entries);
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { theme, dark } = useTheme();
  const you = { group: t("shell.you") };
  const look = { ...you, keywords: [t("shell.theme")] };
  return [
    ...screens.map(({ path, labelKey, icon }) => ({
      id: `go:${path}`,
      label: t(labelKey),
      group: t("shell.goTo"),
      icon,
      run: () => void navigate({ to: path }),
    })),
    {
      ...look,
      id: "theme",
      label: dark ? t("shell.toLight") : t("shell.toDark"),
      icon: dark ? Sun : Moon,
      run: () => setTheme(dark ? "light" : "dark"),
    },
    ...(theme === "system"
      ? []
      : [
          {
            ...look,
            id: "theme-system",
            label: t("shell.themeSystem"),
            icon: Monitor,
            detail: t("shell.theme"),
            run: () => setTheme("system"),
          },
        ]),
    ...LANGUAGES.filter(({ code }) => code !== language.code).map(({ code, tag, nativeName }) => ({
      ...you,
      id: `language:${code}`,
      label: nativeName,
      icon: Languages,
      detail: t("shell.language"),
      // We add "Language" in English, because somebody who can't read the current script recognises that word.
      keywords: ["language", tag, code],
      whenTyped: true,
      needsServer: true,
      run: () => changeLanguage(code),
    })),
    {
      ...you,
      id: "shortcuts",
      label: t("shell.shortcuts"),
      icon: Keyboard,
      detail: "?",
      run: () => setShortcutHelpOpen(true),
    },
    {
      ...you,
      id: "password",
      label: t("shell.changePassword"),
      icon: KeyRound,
      run: () => void navigate({ to: "/user/changePsw" }),
    },
    { ...you, id: "sign-out", label: t("shell.signOut"), icon: LogOut, run: () => void signOut() },
  ];
}
