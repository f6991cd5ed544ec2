import { writeSecretFiles } from "./lib/secret-files.ts";

// Makes the secrets of an installation by containers below the given folder; what is there stays.
const [, , root] = process.argv;
if (!root) {
  console.error("Say where: node apps/server/dist/cli/make-secrets.js <folder>");
  process.exit(2);
}
try {
  writeSecretFiles(root);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
