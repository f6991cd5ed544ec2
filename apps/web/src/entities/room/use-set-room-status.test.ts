import type { SetStatusOutput } from "@innkey/shared/schemas/property/rooms";
import { expect, it, vi } from "vitest";

const messages = vi.hoisted(() => [] as [string, string][]);
const act = vi.hoisted(() => ({ onSuccess: async (_answer: object, _input: object): Promise<void> => undefined }));
const restored = vi.hoisted(() => [] as object[]);
const undo = vi.hoisted(() => ({ run: async (): Promise<string | null> => null }));
vi.mock("@tanstack/react-query", () => ({
  useMutation: (options: typeof act) => Object.assign(act, options),
}));
vi.mock("@/lib/format.ts", () => ({ formatList: (names: string[]) => names.join() }));
vi.mock("@/lib/trpc.ts", () => ({ trpc: { rooms: { setStatus: { mutationOptions: (options: object) => options } } } }));
vi.mock("@/lib/i18n.ts", () => {
  const t = (key: string, params?: { rooms?: string }) => [key, params?.rooms].filter(Boolean).join(" ");
  return { textOf: t, t };
});
vi.mock("@/lib/api.ts", () => ({
  api: {
    rooms: {
      restoreStatus: {
        mutate: async (input: object) => {
          restored.push(input);
          return { updated: [1], failed: [] };
        },
      },
    },
  },
}));
vi.mock("@/lib/undo-toast.ts", () => ({
  toastWithUndo: (text: string, run: typeof undo.run) => {
    messages.push(["done, can be undone", text]);
    undo.run = run;
  },
}));
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
  await act.onSuccess({ updated: [1], failed, changed: [] } satisfies SetStatusOutput, { status: "dirty" });
  expect(messages).toEqual([
    ["done", "status.changed"],
    ["errors.room_in_use", "status.notChanged 102,103"],
  ]);
});

it("offers to undo what was changed, and restores exactly those rooms", async () => {
  const { useSetRoomStatus } = await import("./use-set-room-status.ts");
  useSetRoomStatus();
  messages.length = 0;
  const before = { condition: "dirty", maintenance: null } as const;
  const changed = [{ roomId: 1, roomName: "101", ...before }];
  await act.onSuccess({ updated: [1, 2], failed: [], changed } satisfies SetStatusOutput, { status: "vacant" });
  expect(messages).toEqual([["done, can be undone", "status.is.vacant"]]);
  expect(await undo.run()).toBe("status.restored");
  expect(restored).toEqual([{ status: "vacant", rooms: [{ roomId: 1, ...before }] }]);
});
