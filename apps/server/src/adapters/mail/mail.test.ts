import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { smtpMailer } from "./mail.ts";

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** A minimal mail server that accepts everything, or refuses every recipient. */
async function mailServer(taking: boolean, mails: string[]): Promise<string> {
  server = createServer((socket) => {
    sockets.add(socket);
    let data: string[] | undefined;
    socket.write("220 ready\r\n");
    let rest = "";
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (data && line === ".") {
          mails.push(data.join("\n"));
          data = undefined;
          socket.write("250 taken\r\n");
        } else if (data) data.push(line);
        else if (line === "DATA") {
          data = [];
          socket.write("354 go on\r\n");
        } else if (line.startsWith("RCPT") && !taking) socket.write("550 nobody here\r\n");
        else socket.write("250 fine\r\n");
      }
    });
  });
  const listening = server;
  await new Promise<void>((ready) => listening.listen(0, "127.0.0.1", ready));
  const address = listening.address();
  return `smtp://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

const MAIL = { to: "ada@example.com", subject: "Code", text: "482913" };

it("sends a mail from the configured sender", async () => {
  const mails: string[] = [];
  const mailer = await smtpMailer(await mailServer(true, mails), "Desk <desk@hotel.example>");
  await mailer.send(MAIL);
  mailer.close();
  expect(mails).toHaveLength(1);
  for (const part of ["From: Desk <desk@hotel.example>", "To: ada@example.com", "Subject: Code", "482913"]) {
    expect(mails[0]).toContain(part);
  }
});

it("fails when the server refuses", async () => {
  const mailer = await smtpMailer(await mailServer(false, []), "desk@hotel.example");
  await expect(mailer.send(MAIL)).rejects.toThrow("550");
  mailer.close();
});
