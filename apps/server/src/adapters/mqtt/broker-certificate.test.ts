import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { selfSigned } from "../../../test/processes/foreign-servers.ts";
import { writeBrokerCertificate } from "./broker-certificate.ts";

const YEAR_MS = 365 * 86_400_000;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "innkey-certificate-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const pem = (name: string): string => readFileSync(join(root, "mosquitto/tls", name), "utf8");
const certificate = (): X509Certificate => new X509Certificate(pem("certificate.pem"));
const settings = { publicUrl: "mqtts://locks.hotel.example:8883", address: "192.168.1.5" };

it("names the configured broker address and is signed by the installation's authority", async () => {
  await writeBrokerCertificate(root, settings);
  const authority = new X509Certificate(pem("ca.pem"));
  expect(authority.ca).toBe(true);
  expect(certificate().ca).toBe(false);
  expect(certificate().checkIssued(authority)).toBe(true);
  expect(certificate().verify(authority.publicKey)).toBe(true);
  expect(certificate().checkHost("locks.hotel.example")).toBeDefined();
  expect(certificate().checkIP("192.168.1.5")).toBeDefined();
  expect(certificate().checkHost("elsewhere.example")).toBeUndefined();
  for (const key of ["mosquitto/tls/key.pem", "broker-ca/ca-key.pem"]) {
    expect(statSync(join(root, key)).mode & 0o777).toBe(0o400);
  }
});

it("is kept until its names change or it is about to expire, and its authority outlives it", async () => {
  await writeBrokerCertificate(root, settings);
  const [first, authority] = [pem("certificate.pem"), pem("ca.pem")];
  await writeBrokerCertificate(root, settings, new Date(Date.now() + 7 * YEAR_MS));
  expect(pem("certificate.pem")).toBe(first);
  await writeBrokerCertificate(root, settings, new Date(Date.now() + 9 * YEAR_MS));
  const second = pem("certificate.pem");
  expect(second).not.toBe(first);
  await writeBrokerCertificate(root, { publicUrl: "mqtts://[fd00::5]:8883" });
  expect(certificate().checkIP("fd00::5")).toBeDefined();
  expect(certificate().checkHost("locks.hotel.example")).toBeUndefined();
  expect(pem("ca.pem")).toBe(authority);
  expect(certificate().verify(new X509Certificate(authority).publicKey)).toBe(true);
});

it("does not replace a certificate that somebody else signed", async () => {
  await writeBrokerCertificate(root, settings);
  const { cert, key } = await selfSigned(new Date(Date.now() + YEAR_MS));
  for (const [name, text] of Object.entries({ "certificate.pem": cert, "key.pem": key })) {
    rmSync(join(root, "mosquitto/tls", name));
    writeFileSync(join(root, "mosquitto/tls", name), text);
  }
  await writeBrokerCertificate(root, settings);
  expect(pem("certificate.pem")).toBe(cert);
  expect(pem("key.pem")).toBe(key);
});
