import { startSimulators } from "./simulators.ts";

// The desk's devices until somebody presses Ctrl-C; they must not be running beside the real services.
try {
  const { urls, stop } = await startSimulators();
  const lines = [
    `Put cards on the simulated reader:  ${urls.control}`,
    `  reader type 1  ${urls.http}`,
    `  reader type 2  ${urls.hid}`,
    `  reader type 3  ${urls.socket}`,
    `  fingerprint    ${urls.fingerprint}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      void stop().then(() => process.exit(0));
    });
} catch (error) {
  const { code, port } = Object(error) as { code?: string; port?: number };
  if (code !== "EADDRINUSE") throw error;
  process.stderr.write(`Port ${port} is taken: close the reader software or the other simulators first.\n`);
  process.exitCode = 1;
}
