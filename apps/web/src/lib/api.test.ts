import { afterEach, beforeEach, expect, it, vi } from "vitest";

const invalidateQueries = vi.fn();
vi.mock("./query-client.ts", () => ({ queryClient: { invalidateQueries } }));
vi.mock("./i18n.ts", () => ({ language: { header: "English" }, textOf: (key: string) => key }));
vi.mock("./login/failed-call.ts", () => ({ handleFailedCall: () => undefined }));
let answer: object;
vi.mock("./loading/connection.ts", () => ({
  sendNoted: async () => Response.json([answer]),
  onConnectionRestored: () => undefined,
}));

const { api } = await import("./api.ts");
async function send(): Promise<void> {
  const sent = api.stays.cancel.mutate({ stayId: 1, refundChannel: null }).catch(() => undefined);
  await vi.runAllTimersAsync();
  await sent;
  await vi.runAllTimersAsync();
}
const refusal = (code: string) => ({ error: { message: code, code: -32_000, data: { innkey: { code } } } });

beforeEach(() => {
  vi.useFakeTimers();
  invalidateQueries.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
});

it("a mutation refreshes what it changed, and after a refusal what another desk may have changed", async () => {
  const answers = [{ result: { data: {} } }, refusal("conflict"), refusal("not_found"), refusal("internal")];
  for (const [index, next] of answers.entries()) {
    answer = next;
    await send();
    await vi.waitFor(() => expect(invalidateQueries).toHaveBeenCalledTimes(index + 1));
  }
});

it("a mutation that is refused for its input or its caller refreshes nothing", async () => {
  for (const code of ["invalid_input", "no_permission"]) {
    answer = refusal(code);
    await send();
  }
  expect(invalidateQueries).not.toHaveBeenCalled();
});
