import { generate } from "selfsigned";

/** Creates a self-signed certificate for localhost, with its key. */
export async function selfSigned(expiresAt: Date): Promise<{ cert: string; key: string }> {
  const subject = [
    { shortName: "O", value: "Innkey test" },
    { shortName: "CN", value: "localhost" },
  ];
  const { cert, private: key } = await generate(subject, {
    keyType: "ec",
    notAfterDate: expiresAt,
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  return { cert, key };
}
