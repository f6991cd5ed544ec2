import { type ReactNode, useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { z } from "zod";
import { t } from "@/lib/i18n.ts";
import { ActionMenuItem } from "../action/action-menu-item.tsx";
import { ConfirmHost } from "../dialog/confirm-host.tsx";
import { DialogPanel } from "../dialog/panel.tsx";
import { Button } from "../primitives/button.tsx";
import { Dialog } from "../primitives/dialog.tsx";
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from "../primitives/dropdown-menu.tsx";
import { Input } from "../primitives/input.tsx";
import { Field } from "./field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "./form.tsx";

const noteInput = z.object({ title: z.string(), note: z.string() });
type NoteDialogProps = { startAt?: "note" | "submit"; onClose: () => void; onSubmit?: () => unknown };

function NoteDialog({ startAt, onClose, onSubmit = vi.fn() }: NoteDialogProps) {
  const form = useZodForm(noteInput, { defaultValues: { title: "", note: "" } });
  const close = useGuardedClose(form, onClose);
  return (
    <FormDialog form={form} title="New note" submitLabel="Save" startAt={startAt} onClose={close} onSubmit={onSubmit}>
      <Field form={form} name="title" label="Title" required>
        {(control) => <Input {...control} />}
      </Field>
      <Field form={form} name="note" label="Note" required>
        {(control) => <Input {...control} />}
      </Field>
    </FormDialog>
  );
}

/** A page with a button and a menu that open the same dialog. */
function Page({ dialog }: { dialog: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <main id="main" tabIndex={-1}>
      <Button variant="outline" onClick={() => setOpen(true)}>
        Open
      </Button>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="outline">More</Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <ActionMenuItem onSelect={() => setOpen(true)}>New note</ActionMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {open && dialog(() => setOpen(false))}
      <ConfirmHost />
    </main>
  );
}

/** A row whose button goes with it. */
function VanishingRow() {
  const [step, setStep] = useState<"closed" | "open" | "done">("closed");
  return (
    <main id="main" tabIndex={-1}>
      {step !== "done" && (
        <Button variant="outline" onClick={() => setStep("open")}>
          Delete
        </Button>
      )}
      <Dialog open={step === "open"} onOpenChange={() => setStep("done")}>
        <DialogPanel title="Delete the row?">It is deleted.</DialogPanel>
      </Dialog>
    </main>
  );
}

const dialog = page.getByRole("dialog", { name: "New note" });
const title = dialog.getByLabelText("Title");
const note = dialog.getByLabelText("Note");
const opener = page.getByRole("button", { name: "Open" });

describe("a dialog with a form", () => {
  it("focuses its first field", async () => {
    await render(<Page dialog={(close) => <NoteDialog onClose={close} />} />);
    await opener.click();
    await expect.element(title).toHaveFocus();
  });

  it("focuses another field if one is named", async () => {
    await render(<Page dialog={(close) => <NoteDialog startAt="note" onClose={close} />} />);
    await opener.click();
    await expect.element(note).toHaveFocus();
  });

  it("is the act itself where Enter does what comes next", async () => {
    await render(<Page dialog={(close) => <NoteDialog startAt="submit" onClose={close} />} />);
    await page.getByRole("button", { name: "Open" }).click();
    await expect.element(page.getByRole("button", { name: "Save" })).toHaveFocus();
  });

  it("starts at its first field, past other buttons, where the form is a part of it", async () => {
    await render(
      <Page
        dialog={(close) => (
          <Dialog open onOpenChange={close}>
            <DialogPanel title="New note" startsAtField>
              <Button variant="outline">Several at once</Button>
              <Input aria-label="Title" />
            </DialogPanel>
          </Dialog>
        )}
      />,
    );
    await opener.click();
    await expect.element(title).toHaveFocus();
  });

  it("keeps Tab inside, in both directions", async () => {
    await render(<Page dialog={(close) => <NoteDialog onClose={close} />} />);
    await opener.click();
    await expect.element(title).toHaveFocus();
    const stops = new Set<Element | null>();
    for (let press = 0; press < 6; press++) {
      await userEvent.tab();
      stops.add(document.activeElement);
    }
    expect(stops.size).toBe(5);
    for (const stop of stops) expect(dialog.element().contains(stop)).toBe(true);
    await dialog
      .getByRole("button", { name: t("common.close") })
      .element()
      .focus();
    await userEvent.tab({ shift: true });
    await expect.element(dialog.getByRole("button", { name: "Save" })).toHaveFocus();
  });

  it("closes with Escape and returns the focus to its button", async () => {
    await render(<Page dialog={(close) => <NoteDialog onClose={close} />} />);
    await opener.click();
    await expect.element(dialog).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(opener).toHaveFocus();
  });

  it("returns the focus to the menu's button if a menu item opened it", async () => {
    await render(<Page dialog={(close) => <NoteDialog onClose={close} />} />);
    const more = page.getByRole("button", { name: "More" });
    await more.click();
    await page.getByRole("menuitem", { name: "New note" }).click();
    await dialog.getByRole("button", { name: t("common.cancel") }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(more).toHaveFocus();
  });

  it("moves the focus to the page if its button is gone", async () => {
    await render(<VanishingRow />);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: t("common.close") }).click();
    await expect.element(page.getByRole("main")).toHaveFocus();
  });
});

describe("typed values", () => {
  const question = page.getByRole("alertdialog", { name: t("stay.discardTitle") });

  it("are not discarded without a question", async () => {
    await render(<Page dialog={(close) => <NoteDialog onClose={close} />} />);
    await opener.click();
    await note.fill("Late arrival");
    await userEvent.keyboard("{Escape}");
    await expect.element(question).toBeVisible();
    await question.getByRole("button", { name: t("stay.keepEditing") }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(note).toHaveValue("Late arrival");
    await expect.element(note).toHaveFocus();
    await dialog.getByRole("button", { name: t("common.close") }).click();
    await question.getByRole("button", { name: t("stay.discard") }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(opener).toHaveFocus();
  });

  it("are preserved while they are being sent, whatever is pressed", async () => {
    let answer = (): void => {};
    const onSubmit = () => new Promise<void>((resolve) => (answer = resolve));
    await render(<Page dialog={(close) => <NoteDialog onClose={close} onSubmit={onSubmit} />} />);
    await opener.click();
    await note.fill("Late arrival");
    await userEvent.keyboard("{Enter}");
    await expect.element(dialog.getByRole("button", { name: "Save" })).toHaveAttribute("aria-busy", "true");
    await userEvent.keyboard("{Escape}");
    await dialog.getByRole("button", { name: t("common.cancel") }).click();
    await expect.element(dialog).toBeVisible();
    await expect.element(question).not.toBeInTheDocument();
    answer();
    await expect.element(dialog.getByRole("button", { name: "Save" })).not.toHaveAttribute("aria-busy");
  });
});
