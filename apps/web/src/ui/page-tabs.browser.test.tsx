import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { PageTabs } from "./page-tabs.tsx";

const TABS = ["Guests", "Door codes", "Door log", "Settings", "Rates", "Status"].map((label) => ({
  value: label,
  label,
}));

it.each(["ltr", "rtl"])("shows the current tab, even if the row is longer than the page (%s)", async (dir) => {
  await render(
    <div dir={dir} style={{ width: 240 }}>
      <PageTabs tabs={TABS} value="Status" onChange={() => undefined} label="Room">
        {null}
      </PageTabs>
    </div>,
  );
  const row = page.getByRole("tablist").element().getBoundingClientRect();
  const tab = page.getByRole("tab", { name: "Status" }).element().getBoundingClientRect();
  expect(tab.left).toBeGreaterThanOrEqual(row.left - 1);
  expect(tab.right).toBeLessThanOrEqual(row.right + 1);
});
