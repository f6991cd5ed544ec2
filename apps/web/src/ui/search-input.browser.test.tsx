import { startTransition, useState } from "react";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { TooltipProvider } from "@/ui/primitives/tooltip.tsx";
import { SearchInput } from "./search-input.tsx";

const ROOMS = ["101", "102", "204"];

type RoomSearchProps = { isLate: boolean; onChosen: (room: string | null | undefined) => void };

/** `isLate` changes the text in a transition, as the router does with the page's address. */
function RoomSearch({ isLate, onChosen }: RoomSearchProps) {
  const [query, setQuery] = useState("");
  return (
    <TooltipProvider>
      <SearchInput
        label="Room"
        value={query}
        onChange={(text) => (isLate ? startTransition(() => setQuery(text)) : setQuery(text))}
        delayMilliseconds={60_000}
        onLeave={() => onChosen(document.querySelector("li")?.textContent)}
      />
      <ul>
        {ROOMS.filter((room) => room.includes(query)).map((room) => (
          <li key={room}>{room}</li>
        ))}
      </ul>
    </TooltipProvider>
  );
}

/** Types the text and presses Enter before the page can do anything in between. */
function typeAndEnter(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
}

it.each([false, true])(
  "goes on to what was typed, however fast Enter follows (in a transition: %s)",
  async (isLate) => {
    const onChosen = vi.fn();
    await render(<RoomSearch isLate={isLate} onChosen={onChosen} />);
    typeAndEnter(page.getByRole("searchbox", { name: "Room" }).element() as HTMLInputElement, "204");
    await expect.poll(() => onChosen.mock.calls).toEqual([["204"]]);
  },
);
