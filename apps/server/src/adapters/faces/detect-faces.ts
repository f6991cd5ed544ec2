import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setThreadsCount, setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { type GraphModel, loadGraphModel } from "@tensorflow/tfjs-converter";
import { image, setBackend, type Tensor, tensor1d, tensor2d, tensor4d } from "@tensorflow/tfjs-core";
import { FACE_CHECK_PX } from "./face-counter.ts";

/** From this probability on, a place counts as a face. Patterned floors and clothes reach 0.6. */
const MIN_SCORE = 0.65;
/** Boxes that share more of their area than this are the same face. */
const MAX_OVERLAP = 0.3;
/** Enough to tell one face from several. */
const MAX_FACES = 10;

/**
 * The grids on which the model (BlazeFace, for cameras that see several people) looks for faces: the distance of their points in
 * pixels, and the candidates at each point.
 */
const GRIDS = [
  { distance: 16, candidates: 2 },
  { distance: 32, candidates: 6 },
];
/** Numbers per candidate: the box and six points of the face. */
const NUMBERS = 16;

const require = createRequire(import.meta.url);

/**
 * Counts the faces in a picture, see `FaceCounter`. It takes about 100 MB of memory, which is given back only when the process
 * ends.
 */
export async function countFaces(pixels: Uint8Array): Promise<number> {
  await offerToBeKilledFirst();
  setWasmPaths(join(dirname(require.resolve("@tensorflow/tfjs-backend-wasm")), "/"));
  setThreadsCount(1);
  if (!(await setBackend("wasm"))) throw new Error("WebAssembly doesn't start");
  const model = await loadModel();
  const input = tensor4d(
    Float32Array.from(pixels, (value) => value / 127.5 - 1),
    [1, FACE_CHECK_PX, FACE_CHECK_PX, 3],
  );
  const outputs = model.execute(input) as Tensor[];
  const boxes: number[][] = [];
  const scores: number[] = [];
  for (const { distance, candidates } of GRIDS) {
    const points = FACE_CHECK_PX / distance;
    const count = points * points * candidates;
    const [position, score] = await Promise.all([read(outputs, count, NUMBERS), read(outputs, count, 1)]);
    for (let candidate = 0; candidate < count; candidate++) {
      const point = Math.floor(candidate / candidates);
      const [dx, dy, width, height] = position.subarray(candidate * NUMBERS) as unknown as [
        number,
        number,
        number,
        number,
      ];
      const x = ((point % points) + 0.5) * distance + dx;
      const y = (Math.floor(point / points) + 0.5) * distance + dy;
      boxes.push([y - height / 2, x - width / 2, y + height / 2, x + width / 2]);
      scores.push(1 / (1 + Math.exp(-(score[candidate] ?? 0))));
    }
  }
  const faces = await image.nonMaxSuppressionAsync(
    tensor2d(boxes),
    tensor1d(scores),
    MAX_FACES,
    MAX_OVERLAP,
    MIN_SCORE,
  );
  return faces.size;
}

/** Loads BlazeFace as the package `@vladmandic/human` brings it. */
async function loadModel(): Promise<GraphModel> {
  const folder = join(dirname(require.resolve("@vladmandic/human")), "../models");
  const { weightsManifest, ...model } = JSON.parse(await readFile(join(folder, "blazeface.json"), "utf8"));
  const weightData = new Uint8Array(await readFile(join(folder, "blazeface.bin"))).buffer;
  return loadGraphModel({ load: async () => ({ ...model, weightSpecs: weightsManifest[0].weights, weightData }) });
}

/** @throws Error if the model has no output of this shape */
async function read(outputs: Tensor[], candidates: number, numbers: number): Promise<Float32Array> {
  const output = outputs.find(({ shape }) => shape[1] === candidates && shape[2] === numbers);
  if (!output) throw new Error(`the model has no output of ${candidates} × ${numbers}`);
  return output.data<"float32">();
}

/** Where Linux runs out of memory, this process is to be ended before the server. */
async function offerToBeKilledFirst(): Promise<void> {
  await writeFile("/proc/self/oom_score_adj", "1000").catch(() => undefined);
}
