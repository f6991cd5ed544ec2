import { connect, type DetailedPeerCertificate } from "node:tls";

export interface Certificate {
  host: string;
  expiresAt: Date | null;
  issuer: string;
  /** why a browser would refuse it, or why it could not be asked for; empty: it would not */
  problem: string;
}

const HANDSHAKE_MS = 5_000;
const HTTPS_PORT = 443;

/** The certificate that an https address shows, by asking as a browser would. @throws never */
export function certificateOf(address: URL): Promise<Certificate> {
  const { hostname, host } = address;
  const port = address.port === "" ? HTTPS_PORT : Number(address.port);
  return new Promise((resolve) => {
    // It is looked at whether it is trusted or not; nothing is sent.
    const socket = connect({ host: hostname, port, servername: hostname, rejectUnauthorized: false });
    const end = (certificate: Omit<Certificate, "host">): void => {
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
