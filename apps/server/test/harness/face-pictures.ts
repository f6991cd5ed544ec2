import type { FaceCounter } from "../../src/adapters/faces/face-counter.ts";

/** Finds one face in every picture, for tests of what happens to pictures of faces. */
export const oneFace: FaceCounter = async () => 1;
