import type { SearchResult } from "@innkey/shared/schemas/overview/search";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BedDouble, Contact, CreditCard, Hash, IdCard, ReceiptText } from "lucide-react";
import { useMemo } from "react";
import { type StayActions, useStayActions } from "@/entities/stay/stay-actions.tsx";
import type { PaletteCommand } from "@/lib/commands/commands.ts";
import { formatList, formatMoney } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { useDebounced } from "@/ui/use-debounced.ts";

/** Pause in typing after which we search. */
const REST_MILLISECONDS = 150;
const CACHE_MILLISECONDS = 10_000;
const LONGEST = 100;

interface Ways {
  t: Translate;
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
  const { t } = useTranslation();
  const { currency } = useHotel();
  const masterCards = useCan()("cards.master");
  const navigate = useNavigate();
  const stays = useStayActions();
  const query = typed.trim().slice(0, LONGEST);
  const rested = useDebounced(query, REST_MILLISECONDS);
  const { data, isFetching } = useQuery(
    trpc.search.find.queryOptions({ query: rested }, { enabled: rested !== "", staleTime: CACHE_MILLISECONDS }),
  );
  const commands = useMemo(
    () => (data ? commandsOf(data, { t, stays, currency, masterCards, navigate }) : []),
    [data, t, stays, currency, masterCards, navigate],
  );
  // Results for an earlier text are not offered.
  const current = rested === query && query !== "";
  return { commands: current ? commands : [], looking: query !== "" && (isFetching || !current) };
}

function commandsOf(results: SearchResult, { t, stays, currency, masterCards, navigate }: Ways): PaletteCommand[] {
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
} as const;
