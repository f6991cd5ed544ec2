import type { BoardMark } from "@innkey/shared/schemas/overview/board-marks";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, RouterContextProvider } from "@tanstack/react-router";
import { beforeAll, expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { t } from "@/lib/i18n.ts";
import { queryClient } from "@/lib/query-client.ts";
import { TooltipProvider } from "@/ui/primitives/tooltip.tsx";
import BoardTable from "./board-table.tsx";

const NOW = Date.parse("2026-11-18T12:00:00.000Z");
const clock = { now: NOW, endOfToday: Date.parse("2026-11-18T23:00:00.000Z") };

beforeAll(() => {
  queryClient.setQueryData(["session"], { session: { hotel: { timeZone: "Europe/Berlin", currency: "EUR" } } });
});

const root = createRootRoute();
const router = createRouter({
  routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: "/room/$roomId" })]),
});

type Stay = NonNullable<BoardRoom["current"]>;
const stay = (stayId: number, startsAt: string, endsAt: string): Stay => ({
  ...{ stayId, stayGuestId: stayId, guestCount: 1, breakfast: false, unit: "day" },
  ...{ guestName: `Guest ${stayId}`, startsAt, endsAt },
});
const room = (id: number, fields: Partial<BoardRoom>): BoardRoom => ({
  ...{ id, name: `10${id}`, remarkName: "", groupId: null, floor: 1, sort: id, condition: "clean", status: "vacant" },
  ...{ pictureUrl: null, usualMinor: null, lock: null, current: null, next: null, maintenance: null },
  cardsToRewrite: 0,
  ...fields,
});
const marksOf = (...marks: Omit<BoardMark, "roomId">[]) =>
  new Map(marks.map((mark) => [mark.stayId, { ...mark, roomId: mark.stayId }]));

it("shows what the stay in a room or of today's arrival owes, and a key that waits for its lock", async () => {
  const rooms = [
    room(1, { status: "checked_in", current: stay(11, "2026-11-17T14:00:00Z", "2026-11-20T10:00:00Z") }),
    room(2, { status: "reserved", next: stay(12, "2026-11-18T14:00:00Z", "2026-11-20T10:00:00Z") }),
    room(3, { status: "reserved", next: stay(13, "2026-11-19T14:00:00Z", "2026-11-20T10:00:00Z") }),
    room(4, { status: "checked_in", current: stay(14, "2026-11-17T14:00:00Z", "2026-11-20T10:00:00Z") }),
  ];
  const marks = marksOf(
    { stayId: 11, owedMinor: 7_800, key: "waiting" },
    { stayId: 12, owedMinor: 21_200, key: null },
    { stayId: 13, owedMinor: 9_900, key: null },
  );
  await render(
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <RouterContextProvider router={router as never}>
          <BoardTable
            board={{ version: "1", changesAt: null, groups: [], rooms }}
            rooms={rooms}
            clock={clock}
            actionsOf={() => ({ primary: undefined, stay: [], door: [], status: [] })}
            marks={marks}
            selection={null}
            onToggle={() => undefined}
          />
        </RouterContextProvider>
      </TooltipProvider>
    </QueryClientProvider>,
  );
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  const owes = (amount: string) => t("board.owes", { amount });
  await expect.element(row("101")).toHaveTextContent(owes("€78.00"));
  await expect.element(row("101")).toHaveTextContent(t("board.keyWaits"));
  await expect.element(row("102")).toHaveTextContent(owes("€212.00"));
  await expect.element(row("102")).not.toHaveTextContent(t("board.keyWaits"));
  // The stay of tomorrow is not the one that the row shows.
  await expect.element(row("103")).not.toHaveTextContent("€99");
  await expect.element(row("104")).not.toHaveTextContent("€");
});
