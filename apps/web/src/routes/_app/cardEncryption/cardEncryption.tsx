import { createFileRoute } from "@tanstack/react-router";
import { EncryptionPage } from "@/features/cards/writing/encryption-page.tsx";

export const Route = createFileRoute("/_app/cardEncryption/cardEncryption")({
  staticData: { titleKey: "encryption.title" },
  component: EncryptionPage,
});
