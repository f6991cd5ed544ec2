import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { t } from "@/lib/i18n.ts";
import { Combobox, type ComboboxOption } from "./combobox.tsx";

/** Room 101 comes last, and the id of room 7 is 101. */
const ROOMS: ComboboxOption<number>[] = [
  { value: 5, label: "110" },
  { value: 6, label: "1101" },
  { value: 101, label: "7" },
  { value: 8, label: "1010" },
  { value: 10, label: "101", keywords: ["West"] },
];

type ChooserProps = {
  options?: ComboboxOption<number>[];
  value?: number | null;
  onChange: (value: number | null) => void;
};

function RoomChooser({ options = ROOMS, value = null, onChange }: ChooserProps) {
  const [chosen, setChosen] = useState(value);
  return (
    <Combobox
      aria-label="Room"
      clearable
      options={options}
      value={chosen}
      onChange={(next) => {
        setChosen(next);
        onChange(next);
      }}
    />
  );
}

type Search = { options: ComboboxOption<number>[]; loading: boolean };

function GuestChooser(props: Search & { value?: number; onSearch?: (text: string) => void; onChange: () => void }) {
  return <Combobox aria-label="Guest" onSearch={vi.fn()} {...props} value={props.value ?? null} />;
}

const room = page.getByRole("combobox", { name: "Room" });
const search = page.getByRole("combobox", { name: t("common.search") });
const option = (name: string) => page.getByRole("option", { name });

describe("typing", () => {
  it("chooses the room of exactly that name, not one with a similar name or that id", async () => {
    const onChange = vi.fn();
    await render(<RoomChooser onChange={onChange} />);
    await room.click();
    await expect.element(search).toHaveFocus();
    await userEvent.keyboard("101{Enter}");
    expect(onChange.mock.calls).toEqual([[10]]);
    await expect.element(room).toHaveTextContent("101");
    await expect.element(search).not.toBeInTheDocument();
    await expect.element(room).toHaveFocus();
  });

  it("offers only rooms that contain the typed digits in their order", async () => {
    await render(<RoomChooser onChange={vi.fn()} />);
    await room.click();
    await userEvent.keyboard("101");
    await expect.element(option("101")).toHaveAttribute("aria-selected", "true");
    await expect.element(option("110")).not.toBeInTheDocument();
    await expect.element(option("7")).not.toBeInTheDocument();
  });

  it("finds options by their keywords", async () => {
    const onChange = vi.fn();
    await render(<RoomChooser onChange={onChange} />);
    await room.click();
    await userEvent.keyboard("wes{Enter}");
    expect(onChange.mock.calls).toEqual([[10]]);
  });

  it("chooses nothing if the exact match is disabled", async () => {
    const onChange = vi.fn();
    const options = ROOMS.map((one) => (one.value === 10 ? { ...one, unavailable: true, detail: "Occupied" } : one));
    await render(<RoomChooser options={options} onChange={onChange} />);
    await room.click();
    await userEvent.keyboard("101{Enter}");
    await expect.element(page.getByRole("option", { name: "101 Occupied" })).toHaveAccessibleDescription("Occupied");
    expect(onChange).not.toHaveBeenCalled();
  });

  it("says that nothing was found, and chooses nothing", async () => {
    const onChange = vi.fn();
    await render(<RoomChooser onChange={onChange} />);
    await room.click();
    await userEvent.keyboard("999{Enter}");
    await expect.element(page.getByText(t("common.nothingFound"))).toBeVisible();
    expect(onChange).not.toHaveBeenCalled();
  });
});

describe("the keyboard", () => {
  it("opens the list, wraps around at its end, and chooses", async () => {
    const onChange = vi.fn();
    await render(<RoomChooser onChange={onChange} />);
    await userEvent.tab();
    await expect.element(room).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect.element(option("110")).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(option("1101")).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{ArrowUp}{ArrowUp}");
    await expect.element(option("101")).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{Enter}");
    expect(onChange.mock.calls).toEqual([[10]]);
  });

  it("closes with Escape, changes nothing, and returns the focus to the control", async () => {
    const onChange = vi.fn();
    await render(<RoomChooser value={5} onChange={onChange} />);
    await room.click();
    await userEvent.keyboard("101{Escape}");
    await expect.element(search).not.toBeInTheDocument();
    await expect.element(room).toHaveFocus();
    await expect.element(room).toHaveTextContent("110");
    expect(onChange).not.toHaveBeenCalled();
  });
});

describe("clearing the choice", () => {
  it("works with the clear button, without opening the list", async () => {
    const onChange = vi.fn();
    await render(<RoomChooser value={5} onChange={onChange} />);
    await page.getByRole("button", { name: t("common.clear") }).click();
    expect(onChange.mock.calls).toEqual([[null]]);
    await expect.element(search).not.toBeInTheDocument();
    await expect.element(room).toHaveTextContent(t("common.choose"));
  });

  it("is the only option in an empty list", async () => {
    await render(<RoomChooser options={[]} onChange={vi.fn()} />);
    await room.click();
    await expect.element(page.getByText(t("common.nothingFound"))).toBeVisible();
  });
});

describe("a search at the server", () => {
  const ANNS: ComboboxOption<number>[] = [
    { value: 1, label: "Ann" },
    { value: 2, label: "Annabel" },
  ];

  const guest = page.getByRole("combobox", { name: "Guest" });

  it("receives what is typed, and its answer isn't filtered again", async () => {
    const onSearch = vi.fn();
    const onChange = vi.fn();
    await render(<GuestChooser options={ANNS} loading={false} onSearch={onSearch} onChange={onChange} />);
    await guest.click();
    await userEvent.keyboard("0171");
    await expect.poll(() => onSearch.mock.calls.at(-1)).toEqual(["0171"]);
    await expect.element(option("Annabel")).toBeVisible();
    await userEvent.keyboard("{ArrowDown}{Enter}");
    expect(onChange.mock.calls).toEqual([[2]]);
  });

  it("chooses nothing from an earlier search while a new one is pending", async () => {
    const onChange = vi.fn();
    const { rerender } = await render(<GuestChooser options={ANNS} loading={false} onChange={onChange} />);
    await guest.click();
    await rerender(<GuestChooser options={ANNS} loading onChange={onChange} />);
    await userEvent.keyboard("Bob{Enter}");
    await option("Annabel").click();
    await expect.element(page.getByRole("listbox")).toHaveAttribute("aria-busy", "true");
    expect(onChange).not.toHaveBeenCalled();
    await rerender(<GuestChooser options={[{ value: 9, label: "Bob" }]} loading={false} onChange={onChange} />);
    await expect.element(option("Bob")).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{Enter}");
    expect(onChange.mock.calls).toEqual([[9]]);
  });

  it("says that it is searching, then that nothing was found", async () => {
    const { rerender } = await render(<GuestChooser options={[]} loading onChange={vi.fn()} />);
    await guest.click();
    await expect.element(page.getByText(t("common.loading"))).toBeVisible();
    await rerender(<GuestChooser options={[]} loading={false} onChange={vi.fn()} />);
    await expect.element(page.getByText(t("common.nothingFound"))).toBeVisible();
  });

  it("chooses the exact match, also if another option was offered before it arrived", async () => {
    const onChange = vi.fn();
    const { rerender } = await render(<GuestChooser options={ANNS} loading={false} onChange={onChange} />);
    await guest.click();
    await expect.element(option("Ann")).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("Anna");
    const matches = [...ANNS, { value: 3, label: "Anna" }];
    await rerender(<GuestChooser options={matches} loading={false} onChange={onChange} />);
    await expect.element(option("Anna")).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{Enter}");
    expect(onChange.mock.calls).toEqual([[3]]);
  });

  it("chooses the exact match at any position, also while typing letter by letter", async () => {
    const onChange = vi.fn();
    const matches = [...ANNS, { value: 3, label: "Anna" }, { value: 4, label: "Anna Bell" }];
    const { rerender } = await render(<GuestChooser options={matches} loading={false} onChange={onChange} />);
    await guest.click();
    await userEvent.keyboard("Anna");
    await expect.element(option("Anna")).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard(" ");
    await rerender(<GuestChooser options={matches} loading onChange={onChange} />);
    await rerender(<GuestChooser options={matches} loading={false} onChange={onChange} />);
    await expect.element(option("Anna")).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(option("Anna Bell")).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{Enter}");
    expect(onChange.mock.calls).toEqual([[4]]);
  });

  it("chooses the result instead of the present choice, which is listed before it", async () => {
    const onChange = vi.fn();
    const bob = { value: 9, label: "Bob" };
    const { rerender } = await render(<GuestChooser value={9} options={[bob]} loading={false} onChange={onChange} />);
    await guest.click();
    await userEvent.keyboard("0171");
    await rerender(<GuestChooser value={9} options={[bob, ...ANNS]} loading={false} onChange={onChange} />);
    await expect.element(option("Ann")).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{Enter}");
    expect(onChange.mock.calls).toEqual([[1]]);
  });
});
