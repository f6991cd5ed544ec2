import { expect, it, vi } from "vitest";

const readAfterWrite = vi.fn();
vi.mock("./events/topics.ts", () => ({ readAfterWrite }));
vi.mock("./i18n.ts", () => ({ language: { header: "English" }, textOf: (key: string) => key }));
vi.mock("./login/session-end.ts", () => ({ report: () => undefined }));
let answer: object;
vi.mock("./loading/connection.ts", () => ({ sendNoted: async () => Response.json([answer]) }));

const { api } = await import("./api.ts");
const send = () => api.auth.logout.mutate().catch(() => undefined);
const refusal = (code: string) => ({ error: { message: code, code: -32_000, data: { innkey: { code } } } });

it("a mutation refreshes what it changed, and after a refusal what another desk may have changed", async () => {
  const answers = [{ result: { data: {} } }, refusal("conflict"), refusal("not_found"), refusal("internal")];
  for (const [index, next] of answers.entries()) {
    answer = next;
    await send();
    expect(readAfterWrite).toHaveBeenCalledTimes(index + 1);
  }
});

it("a mutation that is refused for its input or its caller refreshes nothing", async () => {
  readAfterWrite.mockClear();
  for (const code of ["invalid_input", "no_permission"]) {
    answer = refusal(code);
    await send();
  }
  expect(readAfterWrite).not.toHaveBeenCalled();
});
