import { useTranslation } from "@/lib/i18n.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { PersonCard } from "./person-card.tsx";
import { RetentionCard } from "./retention-card.tsx";

type PrivacyPageProps = { guestId: number | undefined; onPerson: (guestId: number | undefined) => void };

/** Retention periods of documents, and one person's data. */
export function PrivacyPage({ guestId, onPerson }: PrivacyPageProps) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("nav.privacy")} description={t("privacy.text")} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <PersonCard guestId={guestId} onPerson={onPerson} />
        <RetentionCard />
      </div>
    </>
  );
}
