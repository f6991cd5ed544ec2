import { MutationObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { queryClient } from "../query-client.ts";
import { markChangedRooms } from "./mark-changed.ts";

const marksOf = (id: string): number => document.querySelector(`#${id}`)?.getAnimations().length ?? 0;
const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

function drawRooms(): void {
  document.body.innerHTML = `
    <main>
      <ul><li id="card"><a data-room="1" href="#1">101</a></li><li id="other"><a data-room="2" href="#2">102</a></li></ul>
      <table><tbody><tr id="row" data-room="1"><td>101</td></tr></tbody></table>
    </main>`;
}

function preferMotion(reduced: boolean): void {
  vi.spyOn(window, "matchMedia").mockReturnValue({ matches: reduced } as MediaQueryList);
}

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
  document.body.innerHTML = "";
});

it("marks the card and the row of a changed room, and no other", async () => {
  drawRooms();
  preferMotion(false);
  markChangedRooms([1]);
  await frames();
  await frames();
  expect([marksOf("card"), marksOf("row"), marksOf("other")]).toEqual([1, 1, 0]);
});

it("marks nothing for a person who prefers less motion", async () => {
  drawRooms();
  preferMotion(true);
  markChangedRooms([1]);
  await frames();
  await frames();
  expect(marksOf("card")).toBe(0);
});

it("marks nothing right after a change of this tab", async () => {
  drawRooms();
  preferMotion(false);
  await new MutationObserver(queryClient, { mutationFn: () => Promise.resolve(true) }).mutate(undefined);
  markChangedRooms([1]);
  await frames();
  await frames();
  expect(marksOf("card")).toBe(0);
});
