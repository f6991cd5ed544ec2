import type { CustomerDetail } from "@innkey/shared/schemas/stays/customers";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { CustomerFacts } from "./customer-facts.tsx";

vi.mock("@/lib/i18n.ts", () => ({ language: { tag: "en" }, t: (key: string) => key }));
vi.mock("@/lib/session.ts", () => ({ useHotel: () => ({ timeZone: "UTC" }) }));

it("a phone number and an e-mail address are links that dial and write", () => {
  const customer = {
    kind: "person",
    ...{ id: 1, name: "Ada", mobile: "+491715550100", email: "ada@example.com", company: "", note: "" },
    ...{ frozen: false, stayCount: 0, openStays: 0, inHouse: false, createdAt: "2026-11-18T12:00:00.000Z" },
    ...{ balanceMinor: null, cards: null, readers: null },
  } satisfies CustomerDetail;
  const page = renderToStaticMarkup(createElement(CustomerFacts, { customer }));
  expect(page).toContain('href="tel:+491715550100"');
  expect(page).toContain('href="mailto:ada@example.com"');
});
