import { expect, it, vi } from "vitest";

const calls = vi.hoisted(() => ({
  told: [] as string[],
  opened: [] as unknown[][],
  found: [] as object[],
  read: (_card: { uid: string }): Promise<void> => Promise.resolve(),
}));
vi.mock("react", () => ({ useEffect: (run: () => void) => run() }));
vi.mock("@/entities/card-reader/card-reader.ts", () => ({
  desk: { onCard: (listener: typeof calls.read) => Object.assign(calls, { read: listener }) },
}));
vi.mock("@/lib/rest.ts", () => ({ failureOf: () => ({}), failureText: () => "errors" }));
vi.mock("@/lib/i18n.ts", () => ({ t: (key: string) => key }));
vi.mock("@/lib/query-client.ts", () => ({ queryClient: { fetchQuery: async () => calls.found } }));
vi.mock("@/lib/session.ts", () => ({ useCan: () => () => true }));
vi.mock("@/lib/toast.ts", () => ({ toast: { info: (text: string) => calls.told.push(text) } }));
vi.mock("@/lib/trpc.ts", () => ({ trpc: { cards: { lookUp: { queryOptions: (input: object) => input } } } }));
vi.mock("@/entities/stay/stay-actions.tsx", () => ({
  useStayActions: () => ({ openStay: (...args: unknown[]) => calls.opened.push(args) }),
}));

it("a known card shows its guest and the guest's facts, and an unknown card is reported as such", async () => {
  const { useCardLookUp } = await import("./use-card-look-up.ts");
  useCardLookUp();
  await calls.read({ uid: "4A8C21F3" });
  expect(calls).toMatchObject({ told: ["card.noGuest"], opened: [] });
  calls.found = [
    { stayGuestId: 7, otherInformation: "two pillows" },
    { stayGuestId: 8, otherInformation: "" },
  ];
  await calls.read({ uid: "4A8C21F3" });
  expect(calls).toMatchObject({ told: ["card.noGuest"], opened: [[7, "two pillows"]] });
});
