import { expect, it, vi } from "vitest";

const calls = vi.hoisted(() => ({
  toasts: [] as string[],
  openedStays: [] as unknown[][],
  guests: [] as object[],
  reportCard: (_card: { uid: string }): Promise<void> => Promise.resolve(),
}));
vi.mock("react", () => ({ useEffect: (run: () => void) => run() }));
vi.mock("@/entities/card-reader/card-reader.ts", () => ({
  cardReader: { onCard: (listener: typeof calls.reportCard) => Object.assign(calls, { reportCard: listener }) },
}));
vi.mock("@/entities/card-reader/card-reader-presence.ts", () => ({ usedReaderNumber: () => undefined }));
vi.mock("@/lib/rest.ts", () => ({ failureOf: () => ({}), failureText: () => "errors" }));
vi.mock("@/lib/i18n.ts", () => ({ t: (key: string) => key }));
vi.mock("@/lib/query-client.ts", () => ({ queryClient: { fetchQuery: async () => calls.guests } }));
vi.mock("@/lib/session.ts", () => ({ useCan: () => () => true }));
vi.mock("@/lib/toast.ts", () => ({ toast: { info: (text: string) => calls.toasts.push(text) } }));
vi.mock("@/lib/trpc.ts", () => ({ trpc: { cards: { lookUp: { queryOptions: (input: object) => input } } } }));
vi.mock("@/entities/stay/stay-actions.tsx", () => ({
  useStayActions: () => ({ openStay: (...args: unknown[]) => calls.openedStays.push(args) }),
}));

it("a known card shows its guest and the guest's facts, and an unknown card is reported as such", async () => {
  const { useCardLookUp } = await import("./use-card-look-up.ts");
  useCardLookUp();
  await calls.reportCard({ uid: "4A8C21F3" });
  expect(calls).toMatchObject({ toasts: ["card.noGuest"], openedStays: [] });
  calls.guests = [
    { stayGuestId: 7, otherInformation: "two pillows" },
    { stayGuestId: 8, otherInformation: "" },
  ];
  await calls.reportCard({ uid: "4A8C21F3" });
  expect(calls).toMatchObject({ toasts: ["card.noGuest"], openedStays: [[7, "two pillows"]] });
});
