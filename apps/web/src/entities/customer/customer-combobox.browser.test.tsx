import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient } from "@/lib/query-client.ts";
import { trpc } from "@/lib/trpc.ts";
import { CustomerCombobox } from "./customer-combobox.tsx";

const TRAVEL = { id: 7, kind: "company", name: "Blue Travel", company: "Blue Travel", frozen: false };

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

it("lets a customer be chosen while the list is read again", async () => {
  const answers = [Response.json([{ result: { data: { rows: [TRAVEL], total: 1 } } }])];
  const fetch = vi.fn(async () => answers.pop() ?? new Promise<Response>(() => {}));
  vi.stubGlobal("fetch", fetch);
  const onChange = vi.fn();
  await render(
    <QueryClientProvider client={queryClient}>
      <label htmlFor="customer">Customer</label>
      <CustomerCombobox id="customer" name="customer" value={null} onChange={onChange} />
    </QueryClientProvider>,
  );
  await page.getByRole("combobox", { name: "Customer" }).click();
  const option = page.getByRole("option", { name: "Blue Travel" });
  await expect.element(option).toBeVisible();
  void queryClient.invalidateQueries(trpc.customers.list.pathFilter());
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
  await option.click();
  expect(onChange.mock.calls).toEqual([[7]]);
});
