import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { z } from "zod";
import { textOf } from "@/lib/i18n.ts";
import { RestError } from "@/lib/rest.ts";
import { ActionButton } from "../action/action-button.tsx";
import { Input } from "../primitives/input.tsx";
import { Segmented, SwitchInput } from "./choice-input.tsx";
import { Combobox } from "./combobox.tsx";
import { Field } from "./field.tsx";
import { Form, FormActions, useZodForm } from "./form.tsx";
import { NumberInput } from "./text-input.tsx";

const guestInput = z.object({
  name: z.string().min(1, "validation.required"),
  email: z.email("validation.email"),
  room: z.number("validation.required"),
  floor: z.number().nullable(),
  vip: z.boolean(),
});
type Guest = z.infer<typeof guestInput>;

const ROOMS = [
  { value: 1, label: "101" },
  { value: 2, label: "110" },
];
const ANN: Guest = { name: "Ann", email: "ann@example.org", room: 1, floor: null, vip: false };

function GuestForm({ guest, onSubmit }: { guest?: Guest; onSubmit: (guest: Guest) => unknown }) {
  const form = useZodForm(guestInput, { defaultValues: guest ?? { name: "", email: "", floor: null, vip: false } });
  return (
    <Form form={form} onSubmit={onSubmit}>
      <Field form={form} name="name" label="Name" required>
        {(control) => <Input {...control} />}
      </Field>
      <Field form={form} name="email" label="E-mail" hint="For the invoice" required>
        {(control) => <Input {...control} />}
      </Field>
      <Field form={form} name="room" label="Room" required>
        {(control) => <Combobox {...control} options={ROOMS} />}
      </Field>
      <Field form={form} name="floor" label="Floor">
        {(control) => <NumberInput {...control} />}
      </Field>
      <Field form={form} name="vip" label="Important" layout="inline">
        {(control) => <SwitchInput {...control} />}
      </Field>
      <FormActions>
        <ActionButton type="submit" pending={form.formState.isSubmitting}>
          Save
        </ActionButton>
      </FormActions>
    </Form>
  );
}

const stayInput = z.object({ unit: z.enum(["night", "month"]) });
const UNITS = [
  { value: "night", label: "Night" },
  { value: "month", label: "Month" },
] as const;

function StayForm({ onSubmit }: { onSubmit: (stay: z.infer<typeof stayInput>) => unknown }) {
  const form = useZodForm(stayInput, { defaultValues: {} });
  return (
    <Form form={form} onSubmit={onSubmit}>
      <Field form={form} name="unit" label="Unit" required layout="group">
        {(control) => <Segmented {...control} options={UNITS} />}
      </Field>
    </Form>
  );
}

const name = page.getByLabelText("Name");
const email = page.getByLabelText("E-mail");
const room = page.getByRole("combobox", { name: "Room" });
const floor = page.getByLabelText(/^Floor/);
const save = page.getByRole("button", { name: "Save" });

/** Returns a submit handler whose answer the test gives. */
function serverThatWaits() {
  const answers: ((error?: RestError) => void)[] = [];
  const onSubmit = vi.fn(
    () => new Promise<void>((resolve, reject) => answers.push((error) => (error ? reject(error) : resolve()))),
  );
  return { onSubmit, answer: (error?: RestError) => answers.shift()?.(error) };
}

describe("labels", () => {
  it("name every control, and a click on a label reaches its control", async () => {
    await render(<GuestForm onSubmit={vi.fn()} />);
    await page.getByText("Name").click();
    await expect.element(name).toHaveFocus();
    await expect.element(room).toBeVisible();
    const important = page.getByRole("switch", { name: "Important" });
    await page.getByText("Important").click();
    await expect.element(important).toBeChecked();
  });

  it("say what is required and what is optional, and hints are linked to their controls", async () => {
    await render(<GuestForm onSubmit={vi.fn()} />);
    await expect.element(name).toBeRequired();
    await expect.element(email).toHaveAccessibleDescription("For the invoice");
    await expect.element(floor).not.toBeRequired();
    await expect.element(page.getByText(/^Floor/)).toHaveTextContent(textOf("common.optional"));
    await expect.element(page.getByText("Name")).not.toHaveTextContent(textOf("common.optional"));
  });
});

describe("options side by side", () => {
  it("are chosen with Space or Enter, and Enter on the chosen one submits the form", async () => {
    const onSubmit = vi.fn();
    await render(<StayForm onSubmit={onSubmit} />);
    await page.getByRole("radio", { name: "Night" }).click();
    const month = page.getByRole("radio", { name: "Month" });
    await userEvent.keyboard("{ArrowRight}");
    await expect.element(month).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect.element(month).toBeChecked();
    expect(onSubmit).not.toHaveBeenCalled();
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => onSubmit.mock.calls).toEqual([[{ unit: "month" }]]);
  });
});

describe("wrong input", () => {
  it("is shown at every field, and the first one takes the focus", async () => {
    const onSubmit = vi.fn();
    await render(<GuestForm guest={{ ...ANN, email: "ann@", name: "" }} onSubmit={onSubmit} />);
    await save.click();
    await expect.element(name).toHaveFocus();
    await expect.element(name).toHaveAttribute("aria-invalid", "true");
    await expect.element(name).toHaveAccessibleDescription(textOf("validation.required"));
    await expect.element(email).toHaveAccessibleDescription(textOf("validation.email"));
    await expect.element(room).not.toHaveAttribute("aria-invalid");
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it("also focuses a control that isn't a text field", async () => {
    await render(<GuestForm guest={{ ...ANN, room: undefined as never }} onSubmit={vi.fn()} />);
    await save.click();
    await expect.element(room).toHaveFocus();
    await expect.element(room).toHaveAccessibleDescription(textOf("validation.required"));
  });

  it("shows an error when the field is left, and removes it when the value is right", async () => {
    await render(<GuestForm onSubmit={vi.fn()} />);
    await email.click();
    await userEvent.keyboard("ann@");
    await expect.element(email).not.toHaveAttribute("aria-invalid");
    await userEvent.tab();
    await expect.element(email).toHaveAccessibleDescription(textOf("validation.email"));
    await email.click();
    await userEvent.keyboard("{End}example.org");
    await expect.element(email).not.toHaveAttribute("aria-invalid");
    await expect.element(email).toHaveAccessibleDescription("For the invoice");
  });

  it("stays as typed in a number field", async () => {
    const onSubmit = vi.fn();
    await render(<GuestForm guest={ANN} onSubmit={onSubmit} />);
    await floor.fill("ground");
    await save.click();
    await expect.element(floor).toHaveFocus();
    await expect.element(floor).toHaveValue("ground");
    await expect.element(floor).toHaveAttribute("aria-invalid", "true");
    expect(onSubmit).not.toHaveBeenCalled();
    await floor.fill("-1,5");
    await save.click();
    await expect.poll(() => onSubmit.mock.calls).toEqual([[{ ...ANN, floor: -1.5 }]]);
  });
});

describe("the server's refusal", () => {
  it("is shown at the fields that it names, focuses the first, and keeps the typed values", async () => {
    const server = serverThatWaits();
    await render(<GuestForm onSubmit={server.onSubmit} />);
    await name.fill("Ann");
    await email.fill("ann@example.org");
    await room.click();
    await page.getByRole("option", { name: "110" }).click();
    await page.getByRole("switch").click();
    await save.click();
    await expect.poll(() => server.onSubmit.mock.calls.length).toBe(1);
    // The server lists fields in the order of its own schema.
    const fields = { room: { key: "validation.choice" }, email: { key: "validation.email" } };
    server.answer(new RestError({ code: "invalid_input", fields }));
    await expect.element(email).toHaveAccessibleDescription(textOf("validation.email"));
    await expect.element(room).toHaveAccessibleDescription(textOf("validation.choice"));
    await expect.element(email).toHaveFocus();
    await expect.element(name).toHaveValue("Ann");
    await expect.element(email).toHaveValue("ann@example.org");
    await expect.element(room).toHaveTextContent("110");
    await expect.element(page.getByRole("switch")).toBeChecked();
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  });

  it("is shown above the fields if it names none, takes the focus, and disappears with the next try", async () => {
    const server = serverThatWaits();
    await render(<GuestForm guest={ANN} onSubmit={server.onSubmit} />);
    await save.click();
    await expect.poll(() => server.onSubmit.mock.calls.length).toBe(1);
    server.answer(new RestError({ code: "name_taken" }));
    const alert = page.getByRole("alert");
    await expect.element(alert).toHaveTextContent(textOf("errors.name_taken"));
    await expect.element(alert).toHaveFocus();
    await expect.element(name).toHaveValue("Ann");
    await save.click();
    await expect.poll(() => server.onSubmit.mock.calls.length).toBe(2);
    server.answer();
    await expect.element(alert).not.toBeInTheDocument();
  });

  it("is shown above the fields if it names only fields that the form doesn't show", async () => {
    const server = serverThatWaits();
    await render(<GuestForm guest={ANN} onSubmit={server.onSubmit} />);
    await save.click();
    await expect.poll(() => server.onSubmit.mock.calls.length).toBe(1);
    server.answer(new RestError({ code: "invalid_input", fields: { hotelId: { key: "validation.choice" } } }));
    await expect.element(page.getByRole("alert")).toHaveTextContent(textOf("errors.invalid_input"));
    await expect.element(page.getByRole("alert")).toHaveFocus();
  });
});

const pictureInput = z.object({ name: z.string(), pictureId: z.uuid() });

function PictureForm() {
  const form = useZodForm(pictureInput, { defaultValues: { name: "Ann", pictureId: "" } });
  return (
    <Form form={form} onSubmit={vi.fn()}>
      <Field form={form} name="name" label="Name" required>
        {(control) => <Input {...control} />}
      </Field>
      <ActionButton type="submit">Save</ActionButton>
    </Form>
  );
}

describe("a value without a field that is invalid", () => {
  it("is reported above the fields, instead of a press that does nothing", async () => {
    await render(<PictureForm />);
    await save.click();
    await expect.element(page.getByRole("alert")).toHaveTextContent(textOf("errors.invalid_input"));
  });
});

describe("a second press", () => {
  it("sends nothing while the first is pending", async () => {
    const server = serverThatWaits();
    await render(<GuestForm guest={ANN} onSubmit={server.onSubmit} />);
    await save.dblClick();
    await name.click();
    await userEvent.keyboard("{Enter}{Enter}");
    await expect.element(save).toHaveAttribute("aria-busy", "true");
    expect(server.onSubmit).toHaveBeenCalledTimes(1);
    server.answer();
    await expect.element(save).not.toHaveAttribute("aria-busy");
    await save.click();
    await expect.poll(() => server.onSubmit.mock.calls.length).toBe(2);
    server.answer();
    await expect.element(save).not.toHaveAttribute("aria-busy");
  });
});
