import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { BarChart } from "./bar-chart.tsx";

const DAYS = [
  { key: 1, tick: "1", when: "Sunday", values: [40, -10], figures: ["40 in", "10 out"], text: "40 in, 10 out" },
  { key: 2, tick: "", when: "Monday", values: [0, 0], figures: ["0 in", "0 out"], text: "0 in, 0 out" },
  { key: 3, tick: "3", when: "Tuesday", values: [20, -0.5], figures: ["20 in", "1 out"], text: "20 in, 1 out" },
];
const SERIES = [
  { label: "In", fill: "bg-vacant" },
  { label: "Out", fill: "bg-danger" },
];

function Chart(props: Partial<React.ComponentProps<typeof BarChart>>) {
  return (
    <BarChart
      title="Cash"
      unit="Day"
      series={SERIES}
      bars={DAYS}
      summary="60 in, 11 out"
      formatMark={(value) => `${value} €`}
      {...props}
    />
  );
}

const bar = (name: string) => page.getByRole("button", { name });
const line = page.getByRole("paragraph");
const boxOf = (name: string) => bar(name).element().getBoundingClientRect();
const partsOf = (name: string) =>
  [...bar(name).element().children].map((part) => Math.round(part.getBoundingClientRect().height));

describe("figures", () => {
  it("shows those of the hovered bar, and of all bars afterwards", async () => {
    await render(<Chart />);
    await expect.element(line).toHaveTextContent("60 in, 11 out");
    await userEvent.hover(bar("Tuesday: 20 in, 1 out"));
    await expect.element(line).toHaveTextContent("Tuesday · 20 in, 1 out");
    await userEvent.unhover(bar("Tuesday: 20 in, 1 out"));
    await expect.element(line).toHaveTextContent("60 in, 11 out");
  });

  it("are in a table for screen readers, one column per series", async () => {
    await render(<Chart />);
    const table = page.getByRole("table", { name: "Cash" });
    await expect.element(table.getByRole("columnheader", { name: "Out" })).toBeInTheDocument();
    const row = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Sunday" }) });
    await expect.element(row.getByRole("cell", { name: "10 out" })).toBeInTheDocument();
  });
});

describe("keyboard", () => {
  it("has one stop for Tab, the current period, and arrow keys and Home and End move on", async () => {
    await render(<Chart bars={DAYS.map((day) => ({ ...day, isCurrent: day.key === 2 }))} />);
    await userEvent.keyboard("{Tab}");
    await expect.element(line).toHaveTextContent("Monday · 0 in, 0 out");
    await userEvent.keyboard("{ArrowRight}");
    await expect.element(line).toHaveTextContent("Tuesday · 20 in, 1 out");
    await userEvent.keyboard("{Home}");
    await expect.element(line).toHaveTextContent("Sunday · 40 in, 10 out");
    await userEvent.keyboard("{Tab}");
    await expect.element(line).toHaveTextContent("60 in, 11 out");
  });

  it("chooses the focused bar with Enter", async () => {
    const onChoose = vi.fn();
    await render(<Chart onChoose={onChoose} bars={DAYS.map((day) => ({ ...day, isSelected: day.key === 3 }))} />);
    await expect.element(bar("Tuesday: 20 in, 1 out")).toHaveAttribute("aria-pressed", "true");
    await userEvent.keyboard("{Tab}{ArrowRight}{Enter}");
    expect(onChoose.mock.calls).toEqual([[1]]);
  });

  it("follows the direction of the page: in Arabic the first bar is at the right, and the left arrow leads to the next", async () => {
    await render(
      <div dir="rtl">
        <Chart />
      </div>,
    );
    expect(boxOf("Sunday: 40 in, 10 out").left).toBeGreaterThan(boxOf("Tuesday: 20 in, 1 out").left);
    await userEvent.keyboard("{Tab}{ArrowLeft}");
    await expect.element(line).toHaveTextContent("Monday · 0 in, 0 out");
  });
});

describe("scale", () => {
  it("ends at a round value, has lines at its half and at 0, and draws negative values below 0", async () => {
    await render(<Chart />);
    await expect.element(page.getByText("40 €", { exact: true })).toBeInTheDocument();
    await expect.element(page.getByText("20 €", { exact: true })).toBeInTheDocument();
    await expect.element(page.getByText("0 €", { exact: true })).toBeInTheDocument();
    const { height } = boxOf("Sunday: 40 in, 10 out");
    const [above = 0, below = 0] = partsOf("Sunday: 40 in, 10 out");
    expect(above + below).toBe(Math.round(height));
    expect(above / below).toBeCloseTo(4, 0);
  });

  it("shows a value that is too small to see as a thin line, and nothing for 0", async () => {
    await render(<Chart />);
    expect(partsOf("Tuesday: 20 in, 1 out")[1]).toBe(2);
    expect(partsOf("Monday: 0 in, 0 out")).toEqual([]);
  });

  it("has a base line only, if all values are 0", async () => {
    await render(<Chart bars={DAYS.map((day) => ({ ...day, values: [0, 0] }))} />);
    await expect.element(page.getByText("0 €", { exact: true })).toBeInTheDocument();
    expect(page.getByText(/€$/).elements()).toHaveLength(1);
  });

  it("ends at the value of a full bar, if there is one", async () => {
    await render(<Chart full={58} bars={DAYS.map((day) => ({ ...day, values: [29, 0] }))} />);
    await expect.element(page.getByText("58 €", { exact: true })).toBeInTheDocument();
    expect(partsOf("Monday: 0 in, 0 out")[0]).toBe(Math.round(boxOf("Monday: 0 in, 0 out").height / 2));
  });
});
