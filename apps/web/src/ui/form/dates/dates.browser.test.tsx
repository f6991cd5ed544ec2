import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { z } from "zod";
import { t } from "@/lib/i18n.ts";
import { queryClient } from "@/lib/query-client.ts";
import { rememberHourFormat } from "@/lib/time/hour-format.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Dialog, DialogContent, DialogTitle } from "@/ui/primitives/dialog.tsx";
import { TooltipProvider } from "@/ui/primitives/tooltip.tsx";
import { Field } from "../field.tsx";
import { Form, useZodForm } from "../form.tsx";
import { DateInput } from "./date-input.tsx";
import { HotelDateTimeInput } from "./hotel-date-time-input.tsx";
import { TimeInput } from "./time-input.tsx";

beforeAll(() => {
  const hotel = { timeZone: "Europe/Berlin", checkOutTime: "11:00" };
  queryClient.setQueryData(["session"], { session: { hotel } });
});

afterEach(() => rememberHourFormat("language"));

const Console = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <TooltipProvider>{children}</TooltipProvider>
  </QueryClientProvider>
);

type DayProps = { start?: string; min?: string; onChange: (date: string | null) => void };

function Day({ start, min, onChange }: DayProps) {
  const [value, setValue] = useState<string | null>(start ?? null);
  return (
    <Console>
      <DateInput
        aria-label="Day"
        value={value}
        min={min}
        onChange={(date) => {
          setValue(date);
          onChange(date);
        }}
      />
      <button type="button">Elsewhere</button>
    </Console>
  );
}

function Instant({ start, onChange }: { start?: string; onChange: (instant: string | null) => void }) {
  const [value, setValue] = useState<string | null>(start ?? null);
  return (
    <Console>
      <HotelDateTimeInput
        aria-label="Until"
        value={value}
        onChange={(instant) => {
          setValue(instant);
          onChange(instant);
        }}
      />
    </Console>
  );
}

const day = page.getByLabelText("Day");
const until = page.getByLabelText("Until");
const opener = (name: string) => page.getByRole("button", { name });
const dateButton = (name: string) => page.getByRole("button", { name });

describe("a date", () => {
  it("is typed in the order of the language or as ISO, and written in full when left", async () => {
    const onChange = vi.fn();
    await render(<Day onChange={onChange} />);
    await day.fill("25/11/2026");
    expect(onChange.mock.calls).toEqual([["2026-11-25"]]);
    await userEvent.keyboard("{Enter}");
    await expect.element(day).toHaveValue("25 Nov 2026");
    await day.fill("2026-12-01");
    await userEvent.tab();
    await expect.element(day).toHaveValue("1 Dec 2026");
    expect(onChange).toHaveBeenLastCalledWith("2026-12-01");
  });

  it("is not taken while its year is being typed", async () => {
    const onChange = vi.fn();
    await render(<Day onChange={onChange} />);
    await day.click();
    await userEvent.keyboard("25/11/20");
    expect(onChange).not.toHaveBeenCalled();
    await userEvent.keyboard("26");
    expect(onChange.mock.calls).toEqual([["2026-11-25"]]);
  });

  it("says what is wrong with other text once it is left, and forgets it with the next date", async () => {
    const onChange = vi.fn();
    await render(<Day start="2026-11-25" onChange={onChange} />);
    await day.fill("someday");
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
    await page.getByText("Elsewhere").click();
    const alert = page.getByRole("alert");
    await expect.element(alert).toHaveTextContent(/^This isn’t a date\. Enter it like /);
    await expect.element(day).toHaveAttribute("aria-invalid", "true");
    await expect.element(day).toHaveAccessibleDescription(/This isn’t a date/);
    await expect.element(day).toHaveValue("someday");
    expect(onChange).toHaveBeenLastCalledWith(null);
    await day.fill("2026-11-26");
    await expect.element(alert).not.toBeInTheDocument();
    await expect.element(day).not.toHaveAttribute("aria-invalid");
  });

  it("is picked in the calendar with the keyboard, and the focus returns", async () => {
    const onChange = vi.fn();
    await render(<Day start="2026-11-25" onChange={onChange} />);
    await day.click();
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(dateButton("Wednesday, 25 November 2026")).toHaveFocus();
    await userEvent.keyboard("{ArrowRight}{ArrowDown}");
    await expect.element(dateButton("Thursday, 3 December 2026")).toHaveFocus();
    await userEvent.keyboard("{PageUp}{Home}");
    await expect.element(dateButton("Monday, 2 November 2026")).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    expect(onChange.mock.calls).toEqual([["2026-11-02"]]);
    await expect.element(day).toHaveFocus();
    await expect.element(page.getByRole("table")).not.toBeInTheDocument();
  });

  it("stays as it was if the calendar is left with Escape", async () => {
    const onChange = vi.fn();
    await render(<Day start="2026-11-25" onChange={onChange} />);
    await opener(t("dates.choose")).click();
    await expect.element(page.getByRole("table")).toBeVisible();
    await userEvent.keyboard("{ArrowRight}{Escape}");
    await expect.element(page.getByRole("table")).not.toBeInTheDocument();
    await expect.element(day).toHaveFocus();
    expect(onChange).not.toHaveBeenCalled();
  });

  it("can't be picked before the first possible date", async () => {
    const onChange = vi.fn();
    await render(<Day start="2026-11-25" min="2026-11-20" onChange={onChange} />);
    await opener(t("dates.choose")).click();
    const early = dateButton("Thursday, 19 November 2026");
    await expect.element(early).toHaveAttribute("aria-disabled", "true");
    await early.click({ force: true });
    expect(onChange).not.toHaveBeenCalled();
    await dateButton("Friday, 20 November 2026").click();
    expect(onChange.mock.calls).toEqual([["2026-11-20"]]);
  });
});

it("in a dialog the calendar takes the focus, and Escape closes only the calendar", async () => {
  const onChange = vi.fn();
  await render(
    <Dialog open>
      <DialogContent aria-describedby={undefined}>
        <DialogTitle>Stay</DialogTitle>
        <Day start="2026-11-25" onChange={onChange} />
      </DialogContent>
    </Dialog>,
  );
  await day.click();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(dateButton("Wednesday, 25 November 2026")).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}{Escape}");
  await expect.element(page.getByRole("table")).not.toBeInTheDocument();
  await expect.element(day).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}{ArrowRight}{Enter}");
  expect(onChange.mock.calls).toEqual([["2026-11-26"]]);
});

describe("a date and time", () => {
  it("is one of the hotel's zone, with the check-out time unless another is typed", async () => {
    const onChange = vi.fn();
    await render(<Instant onChange={onChange} />);
    await until.fill("2026-11-25 14:30");
    expect(onChange).toHaveBeenLastCalledWith("2026-11-25T13:30:00.000Z");
    await until.fill("");
    await until.fill("26 Nov 2026");
    await userEvent.keyboard("{Enter}");
    expect(onChange).toHaveBeenLastCalledWith("2026-11-26T10:00:00.000Z");
    await expect.element(until).toHaveValue("26 Nov 2026, 11:00");
    await expect.element(until).toHaveAccessibleDescription(/^Thursday, 26 November 2026/);
  });

  it("is picked as a day and a time", async () => {
    const onChange = vi.fn();
    await render(<Instant start="2026-11-25T13:30:00.000Z" onChange={onChange} />);
    await opener(t("dates.chooseTime")).click();
    await dateButton("Friday, 27 November 2026").click();
    expect(onChange).toHaveBeenLastCalledWith("2026-11-27T13:30:00.000Z");
    await expect.element(page.getByLabelText(t("dates.time"))).toHaveFocus();
    await userEvent.keyboard("9:15 am{Enter}");
    expect(onChange).toHaveBeenLastCalledWith("2026-11-27T08:15:00.000Z");
    await expect.element(page.getByRole("table")).not.toBeInTheDocument();
    await expect.element(until).toHaveValue("27 Nov 2026, 09:15");
  });

  it("is written with the hotel's hours", async () => {
    rememberHourFormat("h12");
    await render(<Instant start="2026-11-25T13:30:00.000Z" onChange={vi.fn()} />);
    await expect.element(until).toHaveValue("25 Nov 2026, 2:30 pm");
  });
});

const shift = z.object({ from: z.string().regex(/^\d\d:\d\d$/, "validation.time"), on: z.iso.date().nullable() });

function ShiftForm({ onSubmit }: { onSubmit: (values: z.infer<typeof shift>) => void }) {
  const form = useZodForm(shift, { defaultValues: { from: "07:00", on: null } });
  return (
    <Console>
      <Form form={form} onSubmit={onSubmit}>
        <Field form={form} name="from" label="From" quiet>
          {(control) => <TimeInput {...control} />}
        </Field>
        <Field form={form} name="on" label="Day" quiet>
          {(control) => <DateInput {...control} />}
        </Field>
        <ActionButton type="submit">Save</ActionButton>
      </Form>
    </Console>
  );
}

describe("in a form", () => {
  it("text that can't be read is not submitted as nothing: its field says so and takes the focus", async () => {
    const onSubmit = vi.fn();
    await render(<ShiftForm onSubmit={onSubmit} />);
    await day.fill("whenever");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.element(page.getByText(/^This isn’t a date\./)).toBeVisible();
    await expect.element(day).toHaveFocus();
    expect(onSubmit).not.toHaveBeenCalled();
    await day.fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await vi.waitFor(() => expect(onSubmit.mock.calls[0]?.[0]).toEqual({ from: "07:00", on: null }));
  });

  it("a time is typed with few keys and submitted with Enter", async () => {
    const onSubmit = vi.fn();
    await render(<ShiftForm onSubmit={onSubmit} />);
    await page.getByLabelText("From").fill("630");
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() => expect(onSubmit.mock.calls[0]?.[0]).toEqual({ from: "06:30", on: null }));
    await expect.element(page.getByLabelText("From")).toHaveValue("06:30");
  });
});
