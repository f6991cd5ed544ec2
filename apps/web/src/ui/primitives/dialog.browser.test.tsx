import { useState } from "react";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Dialog, DialogContent, DialogTitle } from "./dialog.tsx";
import { TooltipProvider } from "./tooltip.tsx";

function Opener({ onBlur }: { onBlur: () => void }) {
  const [step, setStep] = useState<"closed" | "loading" | "loaded">("closed");
  return (
    <TooltipProvider>
      <button type="button" onClick={() => setStep("loading")}>
        Open
      </button>
      <Dialog open={step !== "closed"} onOpenChange={() => setStep("closed")}>
        {step === "loading" && (
          <DialogContent key="loading" aria-describedby={undefined}>
            <DialogTitle>Loading</DialogTitle>
            <button type="button" onClick={() => setStep("loaded")}>
              Load
            </button>
          </DialogContent>
        )}
        {step === "loaded" && (
          <DialogContent
            key="loaded"
            aria-describedby={undefined}
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              document.querySelector("input")?.focus();
            }}
          >
            <DialogTitle>Loaded</DialogTitle>
            <input aria-label="Text" onBlur={onBlur} />
          </DialogContent>
        )}
      </Dialog>
    </TooltipProvider>
  );
}

it("takes no focus from the content that follows in the same dialog, and returns it when the dialog closes", async () => {
  const onBlur = vi.fn();
  await render(<Opener onBlur={onBlur} />);
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("button", { name: "Load" }).click();
  await expect.element(page.getByLabelText("Text")).toHaveFocus();
  // The content before it is gone only now, and could take the focus.
  await expect.element(page.getByText("Loading")).not.toBeInTheDocument();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(onBlur).not.toHaveBeenCalled();
  await page.getByRole("button", { name: /close/i }).click();
  await expect.element(page.getByRole("button", { name: "Open" })).toHaveFocus();
});
