import { guestInput } from "@innkey/shared/schemas/stays/stays";
import { QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient } from "@/lib/query-client.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Form, FormActions, useZodForm } from "@/ui/form/form.tsx";
import { GuestFields, NO_GUEST } from "./guest-fields.tsx";

beforeEach(() => {
  localStorage.clear();
  queryClient.setQueryData(["session"], { session: { hotel: { timeZone: "Europe/Berlin", currency: "EUR" } } });
});

function GuestForm({ onSubmit }: { onSubmit: (guest: unknown) => void }) {
  const form = useZodForm(guestInput, { defaultValues: { ...NO_GUEST, name: "Ann Lee" } });
  return (
    <Form form={form} onSubmit={onSubmit}>
      <GuestFields form={form} at={(name) => name} />
      <FormActions>
        <ActionButton type="submit">Save</ActionButton>
      </FormActions>
    </Form>
  );
}

async function openForm() {
  const onSubmit = vi.fn();
  const { unmount } = await render(
    <QueryClientProvider client={queryClient}>
      <GuestForm onSubmit={onSubmit} />
    </QueryClientProvider>,
  );
  const typeNumber = async (number: string): Promise<void> => {
    await page.getByLabelText("Document number").fill(number);
  };
  const save = async (): Promise<unknown> => {
    await page.getByRole("button", { name: "Save" }).click();
    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalled());
    return onSubmit.mock.lastCall?.[0];
  };
  return { unmount, typeNumber, save };
}
const type = () => page.getByRole("combobox", { name: "Document", exact: true });

it("gives a number the type that was chosen last on this computer, and none as long as there is no number", async () => {
  const first = await openForm();
  await expect.element(type()).toHaveTextContent("None");
  await first.typeNumber("-");
  await expect.element(type()).toHaveTextContent("None");
  await first.typeNumber("C01X00T47");
  await expect.element(type()).toHaveTextContent("Passport");
  await first.typeNumber("");
  await expect.element(type()).toHaveTextContent("None");
  await first.typeNumber("C01X00T47");
  await type().click();
  await page.getByRole("option", { name: "ID card" }).click();
  await first.typeNumber("L22");
  expect(await first.save()).toMatchObject({ documentType: "id_card", documentNumber: "L22" });
  await first.unmount();
  const second = await openForm();
  await second.typeNumber("X9");
  expect(await second.save()).toMatchObject({ documentType: "id_card", documentNumber: "X9" });
});

it("changes no type that was chosen", async () => {
  const form = await openForm();
  await type().click();
  await page.getByRole("option", { name: "Other document" }).click();
  await form.typeNumber("A1");
  await form.typeNumber("");
  await userEvent.tab();
  expect(await form.save()).toMatchObject({ documentType: "other", documentNumber: "" });
});
