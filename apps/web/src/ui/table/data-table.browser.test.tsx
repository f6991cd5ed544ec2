import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { t } from "@/lib/i18n.ts";
import { RestError } from "@/lib/rest.ts";
import { TooltipProvider } from "../primitives/tooltip.tsx";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import type { DataColumn, RowAction } from "./table-model.ts";

type Room = { id: number; name: string; floor: number | null; group: string };

const COLUMNS: DataColumn<Room>[] = [
  { id: "name", header: "Room", cell: (room) => room.name, value: (room) => room.name, sortable: true, fixed: true },
  { id: "floor", header: "Floor", cell: (room) => room.floor ?? "–", value: (room) => room.floor, sortable: true },
  { id: "group", header: "Group", cell: (room) => <a href="#group">{room.group}</a> },
];
const THREE: Room[] = [
  { id: 1, name: "20", floor: 2, group: "West" },
  { id: 2, name: "3", floor: null, group: "East" },
  { id: 3, name: "101", floor: 1, group: "West" },
];
const many = (count: number): Room[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `${index + 1}`, floor: 1, group: "West" }));

function RoomTable(props: Partial<DataTableProps<Room>>) {
  return (
    <TooltipProvider>
      <DataTable
        label="Rooms"
        columns={COLUMNS}
        rows={THREE}
        rowId={(room) => String(room.id)}
        empty={{ title: "No rooms yet" }}
        {...props}
      />
    </TooltipProvider>
  );
}

const table = page.getByRole("table", { name: "Rooms" });
const header = (name: string) => page.getByRole("columnheader", { name });
const row = (name: string) =>
  table.getByRole("row").filter({ has: page.getByRole("cell", { name, exact: true }).first() });
const shownNames = () => [...document.querySelectorAll("tbody tr")].map((one) => one.firstElementChild?.textContent);

beforeEach(async () => {
  await page.viewport(1440, 900);
});

describe("sorting", () => {
  it("sorts the rows by the pressed column, with numbers in names by value, and announces it to screen readers", async () => {
    await render(<RoomTable />);
    await expect.element(header("Room")).not.toHaveAttribute("aria-sort");
    await header("Room").getByRole("button").click();
    await expect.element(header("Room")).toHaveAttribute("aria-sort", "ascending");
    expect(shownNames()).toEqual(["3", "20", "101"]);
    await header("Room").getByRole("button").click();
    await expect.element(header("Room")).toHaveAttribute("aria-sort", "descending");
    expect(shownNames()).toEqual(["101", "20", "3"]);
  });

  it("puts rows without a value last, in either direction, and marks one column alone", async () => {
    await render(<RoomTable state={{ page: 1, pageSize: 20, sort: "floor" }} />);
    expect(shownNames()).toEqual(["101", "20", "3"]);
    await expect.element(header("Floor")).toHaveAttribute("aria-sort", "ascending");
    await expect.element(header("Room")).not.toHaveAttribute("aria-sort");
  });

  it("keeps rows without a value last when the direction is reversed", async () => {
    await render(<RoomTable state={{ page: 1, pageSize: 20, sort: "-floor" }} />);
    expect(shownNames()).toEqual(["20", "101", "3"]);
  });

  it("offers no button at a column that can't be sorted", async () => {
    await render(<RoomTable />);
    await expect.element(header("Group")).toBeVisible();
    await expect.element(header("Group").getByRole("button")).not.toBeInTheDocument();
  });

  it("asks the server from page 1 if the server sorts", async () => {
    const onStateChange = vi.fn();
    const state = { page: 3, pageSize: 20, sort: "name" };
    await render(<RoomTable total={300} state={state} onStateChange={onStateChange} />);
    expect(shownNames()).toEqual(["20", "3", "101"]);
    await header("Room").getByRole("button").click();
    await expect.poll(() => onStateChange.mock.calls).toEqual([[{ sort: "-name", page: 1 }]]);
  });
});

describe("pages", () => {
  const previous = page.getByRole("button", { name: t("common.previousPage") });
  const next = page.getByRole("button", { name: t("common.nextPage") });
  const range = (from: string, to: string, total: string) => page.getByText(t("common.rowRange", { from, to, total }));

  it("show their range, and end where the rows end", async () => {
    await render(<RoomTable rows={many(120)} />);
    await expect.element(range("1", "50", "120")).toBeVisible();
    await expect.element(previous).toBeDisabled();
    await next.click();
    await next.click();
    await expect.element(range("101", "120", "120")).toBeVisible();
    expect(shownNames()).toHaveLength(20);
    await expect.element(next).toBeDisabled();
    await previous.click();
    await expect.element(range("51", "100", "120")).toBeVisible();
  });

  it("start again at the first when their size or the sorting changes", async () => {
    await render(<RoomTable rows={many(120)} />);
    await next.click();
    await page.getByRole("combobox", { name: t("common.rowsPerPage") }).click();
    await page.getByRole("option", { name: "100" }).click();
    await expect.element(range("1", "100", "120")).toBeVisible();
    await next.click();
    await expect.element(range("101", "120", "120")).toBeVisible();
    await header("Room").getByRole("button").click();
    await expect.element(range("1", "100", "120")).toBeVisible();
  });

  it("are read from the server if it counts the rows", async () => {
    const onStateChange = vi.fn();
    const state = { page: 2, pageSize: 20 };
    await render(<RoomTable rows={many(20)} total={61} state={state} onStateChange={onStateChange} />);
    await expect.element(range("21", "40", "61")).toBeVisible();
    expect(shownNames()).toHaveLength(20);
    await next.click();
    await expect.poll(() => onStateChange.mock.calls).toEqual([[{ page: 3 }]]);
  });

  it("are not offered for a short list", async () => {
    await render(<RoomTable />);
    await expect.element(page.getByText(t("common.rowCount", { count: 3, formatted: "3" }))).toBeVisible();
    await expect.element(next).not.toBeInTheDocument();
  });

  it("are replaced by a button for more if the list has no count", async () => {
    const load = vi.fn();
    const { rerender } = await render(<RoomTable rows={many(70)} more={{ available: true, loading: false, load }} />);
    expect(shownNames()).toHaveLength(70);
    const more = page.getByRole("button", { name: t("common.loadMore") });
    await more.click();
    expect(load).toHaveBeenCalledTimes(1);
    await rerender(<RoomTable rows={many(90)} more={{ available: false, loading: false, load }} />);
    await expect.element(more).not.toBeInTheDocument();
    expect(shownNames()).toHaveLength(90);
  });
});

describe("without rows", () => {
  const section = page.getByRole("region", { name: "Rooms" });

  it("says that it loads", async () => {
    await render(<RoomTable rows={undefined} />);
    await expect.element(page.getByRole("status", { name: t("common.loading") })).toBeVisible();
    await expect.element(section).toHaveAttribute("aria-busy", "true");
    await expect.element(table).not.toBeInTheDocument();
  });

  it("says that there are no rows once it has loaded", async () => {
    await render(<RoomTable rows={[]} />);
    await expect.element(page.getByText("No rooms yet")).toBeVisible();
    await expect.element(section).not.toHaveAttribute("aria-busy", "true");
    await expect.element(table).not.toBeInTheDocument();
  });

  it("says why the rows can't be shown, and offers a retry", async () => {
    const onRetry = vi.fn();
    await render(<RoomTable rows={undefined} error={new RestError({ code: "internal" })} onRetry={onRetry} />);
    await expect.element(page.getByRole("alert")).toHaveTextContent(t("common.cannotShow"));
    await page.getByRole("button", { name: t("common.retry") }).click();
    expect(onRetry).toHaveBeenCalledTimes(1);
  });

  it("keeps its rows if a later read fails", async () => {
    await render(<RoomTable error={new RestError({ code: "internal" })} stale />);
    await expect.element(table).toBeVisible();
    await expect.element(section).toHaveAttribute("aria-busy", "true");
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  });
});

describe("opening a row", () => {
  it("works with the keyboard alone: one stop for Tab, arrows between rows, Enter to open", async () => {
    const onOpen = vi.fn();
    await render(<RoomTable onOpen={onOpen} />);
    await header("Floor").getByRole("button").click();
    await header("Room").getByRole("button").click();
    await userEvent.tab();
    await expect.element(header("Floor").getByRole("button")).toHaveFocus();
    await userEvent.tab();
    await expect.element(row("3")).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(row("20")).toHaveFocus();
    await userEvent.keyboard("{End}");
    await expect.element(row("101")).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(row("101")).toHaveFocus();
    await userEvent.keyboard("{Home}{ArrowDown}{Enter}");
    expect(onOpen.mock.calls).toEqual([[THREE[0]]]);
    await expect.element(row("20")).toHaveAttribute("tabindex", "0");
    await expect.element(row("3")).toHaveAttribute("tabindex", "-1");
  });

  it("works with a click on the row, but not on a link in it", async () => {
    const onOpen = vi.fn();
    await render(<RoomTable onOpen={onOpen} />);
    await row("101").getByRole("link").click();
    await userEvent.keyboard("{Enter}");
    expect(onOpen).not.toHaveBeenCalled();
    await row("101").getByRole("cell", { name: "1", exact: true }).click();
    expect(onOpen.mock.calls).toEqual([[THREE[2]]]);
  });

  it("does not happen when text in a row is selected", async () => {
    const onOpen = vi.fn();
    await render(<RoomTable onOpen={onOpen} />);
    await row("101")
      .getByRole("cell", { name: "101" })
      .dblClick({ position: { x: 26, y: 24 } });
    expect(getSelection()?.toString().trim()).toBe("101");
    // The first click of the two opens; the second, which marks the word, doesn't.
    expect(onOpen).toHaveBeenCalledTimes(1);
  });
});

describe("menus", () => {
  it("act on their own row and don't open it", async () => {
    const onOpen = vi.fn();
    const onSelect = vi.fn();
    const actions = (): RowAction<Room>[] => [{ label: "Delete", danger: true, onSelect }];
    await render(<RoomTable onOpen={onOpen} actions={actions} />);
    const button = row("3").getByRole("button", { name: t("common.actions") });
    await button.click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    expect(onSelect.mock.calls).toEqual([[THREE[1]]]);
    expect(onOpen).not.toHaveBeenCalled();
    await expect.element(button).toHaveFocus();
  });

  it("choose the columns that are shown, but not the fixed one", async () => {
    await render(<RoomTable />);
    await page.getByRole("button", { name: t("common.columns") }).click();
    await expect.element(page.getByRole("menuitemcheckbox", { name: "Room" })).not.toBeInTheDocument();
    await page.getByRole("menuitemcheckbox", { name: "Floor" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Floor", checked: false }).query();
    await userEvent.keyboard("{Escape}");
    await expect.element(header("Floor")).not.toBeInTheDocument();
    await expect.element(header("Group")).toBeVisible();
  });
});

describe("on a phone", () => {
  it("shows cards with the same rows, which open with a button", async () => {
    await page.viewport(390, 844);
    const onOpen = vi.fn();
    await render(<RoomTable onOpen={onOpen} />);
    await expect.element(table).not.toBeInTheDocument();
    await page.getByRole("listitem").getByRole("button", { name: "101" }).click();
    expect(onOpen.mock.calls).toEqual([[THREE[2]]]);
    await expect.element(page.getByRole("listitem").first()).toHaveTextContent(/Floor\s*2/);
  });
});
