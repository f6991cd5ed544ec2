import { countFaces } from "./adapters/faces/detect-faces.ts";
import { serveTask } from "./adapters/process/child-process.ts";

serveTask(({ pixels }: { pixels: Uint8Array }) => countFaces(pixels));
