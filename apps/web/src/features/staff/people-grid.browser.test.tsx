import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { t } from "@/lib/i18n.ts";
import type { OperatorRow } from "./operator-form.ts";
import { PeopleGrid } from "./people-grid.tsx";

const person = (operatorId: number): OperatorRow => ({
  operatorId,
  name: `Person ${operatorId}`,
  avatarUrl: null,
  gender: null,
  nationality: null,
  birthDate: null,
  mobile: null,
  email: null,
  role: "staff",
  apiKeyAuth: false,
  capabilities: [],
  roomIds: [],
  grants: [],
  allRooms: false,
  frozen: false,
  twoStep: false,
  lastSeenAt: null,
  registeredAt: "2026-01-01T00:00:00.000Z",
});
const PEOPLE = [1, 2, 3, 4, 5].map(person);

async function show(rowCount: number) {
  const onToggle = vi.fn();
  const rows = Array.from({ length: rowCount }, (_, index) => ({ id: String(index), label: `Room ${index}` }));
  await render(
    <PeopleGrid
      label="Rooms"
      corner="Room"
      people={PEOPLE}
      sections={[{ id: "all", label: "Group", rows }]}
      disabled={false}
      boxOf={(_, id) => ({ checked: false, subject: `Room ${id}` })}
      onToggle={(operator, id) => onToggle(operator.operatorId, id)}
      rowName={(id) => `Room ${id}`}
      isChecked={() => false}
      onToggleMany={(people, ids) => onToggle(people.length, ids.length)}
    />,
  );
  return onToggle;
}

const grid = page.getByRole("table", { name: "Rooms" });
const box = (name: string, room: number) =>
  page.getByRole("checkbox", { name: t("staff.cell", { name, what: `Room ${room}` }) });
const drawnRows = () => document.querySelectorAll("tbody tr:not([aria-hidden])").length;
const scrollBox = () => document.querySelector("section") as HTMLElement;

beforeEach(async () => {
  await page.viewport(1440, 900);
});

it("draws only the rooms near those in view, says how many there are, and draws others when it is scrolled", async () => {
  const onToggle = await show(500);
  await expect.element(box("Person 1", 0)).toBeVisible();
  expect(drawnRows()).toBeLessThan(60);
  await expect.element(grid).toHaveAttribute("aria-rowcount", "502");
  scrollBox().scrollTop = scrollBox().scrollHeight;
  const last = box("Person 5", 499);
  await expect.element(last).toBeVisible();
  expect(drawnRows()).toBeLessThan(60);
  expect(last.element().closest("tr")?.getAttribute("aria-rowindex")).toBe("502");
  await last.click();
  expect(onToggle).toHaveBeenCalledWith(5, "499");
});

it("keeps the focus when its room is scrolled out of view, and the keyboard continues from there", async () => {
  const onToggle = await show(500);
  await box("Person 5", 3).click();
  scrollBox().scrollTop = scrollBox().scrollHeight;
  await expect.element(box("Person 1", 499)).toBeVisible();
  expect(document.activeElement).toBe(box("Person 5", 3).element());
  await userEvent.keyboard(" ");
  expect(onToggle.mock.calls).toEqual([
    [5, "3"],
    [5, "3"],
  ]);
  await userEvent.tab({ shift: true });
  expect(document.activeElement).toBe(box("Person 4", 3).element());
});

it("draws all rooms of a small hotel", async () => {
  await show(60);
  await expect.element(box("Person 1", 0)).toBeVisible();
  expect(drawnRows()).toBe(61);
});

it("sets a whole row or column with one box", async () => {
  const onToggle = await show(500);
  await page.getByRole("checkbox", { name: t("staff.columnAll", { name: "Person 2" }) }).click();
  await page.getByRole("checkbox", { name: t("staff.rowAll", { what: "Room 1" }), exact: true }).click();
  expect(onToggle.mock.calls).toEqual([
    [1, 500],
    [5, 1],
  ]);
});
