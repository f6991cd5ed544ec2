import { DAY_MS } from "@innkey/shared/durations";
import "reflect-metadata";
import { createPrivateKey, webcrypto, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import * as x509 from "@peculiar/x509";

/** A lock receives the authority once, during set-up, so the authority must be valid for the lock's lifetime. */
const AUTHORITY_DAYS = 30 * 365;
const CERTIFICATE_DAYS = 10 * 365;
/** A certificate is renewed this long before its expiry. */
const RENEWAL_DAYS = 2 * 365;
/** Backdated so that a lock whose clock is slightly slow accepts the certificate. */
const BACKDATED_DAYS = 2;
const SIGNATURE = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const OWNER_MAY_READ = 0o400;

export interface BrokerNames {
  /** MQTT_PUBLIC_URL: the broker address that locks receive */
  publicUrl?: string | undefined;
  /** LOCKS_ADDRESS: where the broker listens */
  address?: string | undefined;
}

/** All three in PEM. */
export interface BrokerCertificate {
  certificate: string;
  key: string;
  /** certificate of the authority that signed it, which locks trust */
  authority: string;
}

/**
 * Writes the certificate of a Mosquitto that runs beside the server to `mosquitto/tls`, with the authority's for the
 * locks.
 */
export async function writeBrokerCertificate(root: string, names: BrokerNames, now = new Date()): Promise<void> {
  const folders = { authority: join(root, "broker-ca"), certificate: join(root, "mosquitto/tls") };
  await ensureBrokerCertificate(folders, namesOf(names), now);
}

/**
 * Returns the certificate for these names and addresses, signed by an authority of this installation. It is created if
 * missing, and renewed when a name is added or its expiry is near; a certificate that someone else signed stays
 * unchanged.
 */
export async function ensureBrokerCertificate(
  folders: { authority: string; certificate: string },
  hosts: string[],
  now = new Date(),
): Promise<BrokerCertificate> {
  const authority = await readOrCreateAuthority(folders.authority, now);
  const folder = folders.certificate;
  const [path, keyPath] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  if (!isUsable({ path, keyPath, authority: authority.certificate.toString("pem"), hosts, now })) {
    const keys = await webcrypto.subtle.generateKey(SIGNATURE, true, ["sign", "verify"]);
    const certificate = await x509.X509CertificateGenerator.create({
      subject: "CN=Innkey broker",
      issuer: authority.certificate.subject,
      ...validity(now, CERTIFICATE_DAYS),
      publicKey: keys.publicKey,
      signingKey: authority.key,
      signingAlgorithm: SIGNATURE,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          hosts.map((value) => ({ type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const), value })),
        ),
        await x509.AuthorityKeyIdentifierExtension.create(authority.certificate),
      ],
    });
    await writeKey(keyPath, keys.privateKey);
    writeFileAtomically(path, certificate.toString("pem"));
  }
  const authorityPem = authority.certificate.toString("pem");
  writeFileAtomically(join(folder, "ca.pem"), authorityPem);
  return { certificate: readFileSync(path, "utf8"), key: readFileSync(keyPath, "utf8"), authority: authorityPem };
}

const DNS_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

/** Returns the names and addresses of this machine as far as it can determine them, and the configured ones. */
export function namesOfThisMachine(names: BrokerNames): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list = []) => list)
    .map(({ address }) => address)
    .filter((address) => !address.startsWith("fe80:"));
  const own = DNS_NAME.test(hostname())
    ? [hostname(), ...(hostname().includes(".") ? [] : [`${hostname()}.local`])]
    : [];
  return [...new Set([...namesOf(names), ...own, ...addresses])];
}

async function readOrCreateAuthority(
  folder: string,
  now: Date,
): Promise<{ certificate: x509.X509Certificate; key: webcrypto.CryptoKey }> {
  const [path, keyPath] = [join(folder, "ca.pem"), join(folder, "ca-key.pem")];
  if (existsSync(path) && existsSync(keyPath)) {
    const der = createPrivateKey(readFileSync(keyPath)).export({ type: "pkcs8", format: "der" });
    const key = await webcrypto.subtle.importKey("pkcs8", der, SIGNATURE, false, ["sign"]);
    return { certificate: new x509.X509Certificate(readFileSync(path, "utf8")), key };
  }
  const keys = await webcrypto.subtle.generateKey(SIGNATURE, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Innkey locks",
    ...validity(now, AUTHORITY_DAYS),
    keys,
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  await writeKey(keyPath, keys.privateKey);
  writeFileAtomically(path, certificate.toString("pem"));
  return { certificate, key: keys.privateKey };
}

function isUsable(stored: { path: string; keyPath: string; authority: string; hosts: string[]; now: Date }): boolean {
  if (!existsSync(stored.path) || !existsSync(stored.keyPath)) return false;
  const certificate = new X509Certificate(readFileSync(stored.path));
  if (!certificate.verify(new X509Certificate(stored.authority).publicKey)) return true;
  const coversHost = (name: string): boolean =>
    (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
  return (
    certificate.checkPrivateKey(createPrivateKey(readFileSync(stored.keyPath))) &&
    new Date(certificate.validTo).getTime() - stored.now.getTime() > RENEWAL_DAYS * DAY_MS &&
    stored.hosts.every(coversHost)
  );
}

/** Returns the configured host names and addresses by which locks may reach the broker. */
function namesOf({ publicUrl, address }: BrokerNames): string[] {
  const host = publicUrl ? new URL(publicUrl).hostname.replace(/^\[|\]$/g, "") : "this-server";
  const everywhere = ["0.0.0.0", "::", ""];
  return [...new Set([host, address ?? "", "localhost", "127.0.0.1"])].filter((name) => !everywhere.includes(name));
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - BACKDATED_DAYS * DAY_MS),
    notAfter: new Date(now.getTime() + days * DAY_MS),
  };
}

async function writeKey(path: string, key: webcrypto.CryptoKey): Promise<void> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key));
  writeFileAtomically(
    path,
    createPrivateKey({ key: der, type: "pkcs8", format: "der" }).export({ type: "pkcs8", format: "pem" }),
  );
}

function writeFileAtomically(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  // We rename a complete file, so that a broker that starts meanwhile reads either the old or the new one.
  const temporaryPath = `${path}.new`;
  writeFileSync(temporaryPath, text, { mode: OWNER_MAY_READ });
  renameSync(temporaryPath, path);
}
