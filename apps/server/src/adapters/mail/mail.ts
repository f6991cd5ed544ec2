/** Sends plain-text mail to one person. */
export interface Mailer {
  /** @throws Error if the mail server does not accept it */
  send(mail: { to: string; subject: string; text: string }): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 15_000;

/** `url` is smtp:// or smtps://, with user and password if the server requires them. */
export async function smtpMailer(url: string, from: string): Promise<Mailer> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(
    { url, pool: true, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    { from },
  );
  return {
    async send(mail) {
      await transport.sendMail(mail);
    },
    close: () => transport.close(),
  };
}
