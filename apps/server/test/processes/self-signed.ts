import { generate } from "selfsigned";

/** A certificate for localhost that no browser trusts, with the key that it was made for just now. */
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
