import { connect, type DetailedPeerCertificate } from "node:tls";

export interface HttpsCertificate {
  host: string;
  expiresAt: Date | null;
  issuer: string;
  /** Why a browser would refuse the certificate, or why it could not be read; empty if a browser accepts it. */
  problem: string;
}

const HANDSHAKE_MS = 5_000;
const HTTPS_PORT = 443;

/** Reads the certificate of an https address and checks it. Never rejects: what failed is the `problem`. */
export function readHttpsCertificate(address: URL): Promise<HttpsCertificate> {
  const { hostname, host } = address;
  const port = address.port === "" ? HTTPS_PORT : Number(address.port);
  return new Promise((resolve) => {
    // We inspect the certificate whether it is trusted or not; no data is sent.
    const socket = connect({ host: hostname, port, servername: hostname, rejectUnauthorized: false });
    const end = (certificate: Omit<HttpsCertificate, "host">): void => {
      socket.destroy();
      resolve({ host, ...certificate });
    };
    const fail = (problem: string): void => end({ expiresAt: null, issuer: "", problem });
    socket.setTimeout(HANDSHAKE_MS, () => fail("ETIMEDOUT"));
    socket.once("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    socket.once("secureConnect", () => {
      const { valid_to, issuer }: Partial<DetailedPeerCertificate> = socket.getPeerCertificate();
      end({
        expiresAt: valid_to ? new Date(valid_to) : null,
        issuer: [issuer?.O ?? issuer?.CN ?? ""].flat().join(", "),
        problem: socket.authorizationError ? String(socket.authorizationError) : "",
      });
    });
  });
}
