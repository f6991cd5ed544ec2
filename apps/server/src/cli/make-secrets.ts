import { writeBrokerCertificate } from "../adapters/mqtt/broker-certificate.ts";
import { writeSecretFiles } from "./lib/secret-files.ts";

// Creates the secrets of a container installation in the given folder; existing ones stay.
const [, , root] = process.argv;
if (!root) {
  console.error("Say where: node apps/server/dist/cli/make-secrets.js <folder>");
  process.exit(2);
}
try {
  writeSecretFiles(root);
  await writeBrokerCertificate(root, { publicUrl: process.env.MQTT_PUBLIC_URL, address: process.env.LOCKS_ADDRESS });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
