import type { SetStatusOutput } from "@innkey/shared/schemas/property/rooms";
import { expect, it, vi } from "vitest";

const messages = vi.hoisted(() => [] as [string, string][]);
const act = vi.hoisted(() => ({ onSuccess: async (_answer: object): Promise<void> => undefined }));
vi.mock("@tanstack/react-query", () => ({
  useMutation: (options: typeof act) => Object.assign(act, options),
}));
vi.mock("@/lib/format.ts", () => ({ formatList: (names: string[]) => names.join() }));
vi.mock("@/lib/trpc.ts", () => ({ trpc: { rooms: { setStatus: { mutationOptions: (options: object) => options } } } }));
vi.mock("@/lib/i18n.ts", () => {
  const t = (key: string, params?: { rooms?: string }) => [key, params?.rooms].filter(Boolean).join(" ");
  return { textOf: t, t };
});
vi.mock("@/lib/toast.ts", () => ({
  toast: {
    success: (text: string) => messages.push(["done", text]),
    error: (text: string, { description }: { description: string }) => messages.push([description, text]),
  },
}));

it("says which rooms' status was changed, and why the others' was not", async () => {
  const { useSetRoomStatus } = await import("./use-set-room-status.ts");
  useSetRoomStatus();
  const failed = ["102", "103"].map((roomName, roomId) => ({ roomId, roomName, code: "room_in_use" as const }));
  await act.onSuccess({ updated: [1], failed } satisfies SetStatusOutput);
  expect(messages).toEqual([
    ["done", "status.changed"],
    ["errors.room_in_use", "status.notChanged 102,103"],
  ]);
});
