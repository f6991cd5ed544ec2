import type { Capability } from "@innkey/shared/capabilities";
import { CreditCard, Fingerprint, IdCardLanyard, KeyRound, type LucideIcon, Nfc, Pencil } from "lucide-react";
import { useState } from "react";
import { ProfileDialog } from "@/features/account/center/profile-dialog.tsx";
import { SessionsCard } from "@/features/account/center/sessions-card.tsx";
import { TwoStepCard } from "@/features/account/two-step/two-step-card.tsx";
import { OwnPermissions } from "@/features/staff/own-permissions.tsx";
import { formatDateTime } from "@/lib/format.ts";
import { type TextKey, t } from "@/lib/i18n.ts";
import { useCan, useMe } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading, ExplainedLink, Fact } from "@/ui/card-parts.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PersonAvatar } from "@/ui/person-avatar.tsx";
import { Badge } from "@/ui/primitives/badge.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";

type Entry = { to: string; icon: LucideIcon; titleKey: TextKey; textKey: TextKey; capability?: Capability };

const ENTRIES: readonly Entry[] = [
  {
    to: "/center/cardList",
    icon: IdCardLanyard,
    titleKey: "nav.managementCards",
    textKey: "card.management.text",
    capability: "cards.master",
  },
  {
    to: "/center/universalCardList",
    icon: CreditCard,
    titleKey: "nav.universalCards",
    textKey: "card.universal.text",
    capability: "cards.master",
  },
  { to: "/reader", icon: Nfc, titleKey: "nav.cardReader", textKey: "reader.text" },
  {
    to: "/center/cardSenderFingerTest",
    icon: Fingerprint,
    titleKey: "reader.finger.title",
    textKey: "reader.finger.text",
  },
];

/** Shows the logged-in operator, how they sign in, and the tools that belong to no room. */
export function PersonalCenter() {
  const can = useCan();
  const [editing, setEditing] = useState(false);
  const { operatorId, name, email, mobile, role, registeredAt, avatarUrl, hotel } = useMe();
  return (
    <>
      <PageHeader title={t("nav.personalCenter")} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="contents gap-5 lg:grid">
          <Card>
            <div className="flex items-center gap-4 border-b border-dashed px-5 py-4">
              <PersonAvatar key={avatarUrl} name={name} src={avatarUrl} className="size-14 text-lg" />
              <div className="min-w-0 flex-1">
                <p dir="auto" className="name-run truncate text-lg font-semibold">
                  {name}
                </p>
                <Badge>{t(`shell.role.${role}`)}</Badge>
              </div>
              <ActionButton variant="outline" onClick={() => setEditing(true)}>
                <Pencil aria-hidden />
                {t("common.edit")}
              </ActionButton>
            </div>
            <CardContent className="pt-4">
              <dl className="grid gap-4 sm:grid-cols-2">
                <Fact label={t("center.id")}>
                  <bdi>{operatorId}</bdi>
                </Fact>
                <Fact label={t("center.mobile")}>{mobile && <bdi>{mobile}</bdi>}</Fact>
                <Fact label={t("center.email")}>{email && <bdi>{email}</bdi>}</Fact>
                <Fact label={t("center.registeredAt")}>{formatDateTime(registeredAt, hotel.timeZone)}</Fact>
              </dl>
            </CardContent>
          </Card>
          <Card className="max-lg:order-1">
            <CardHeading title={t("center.tools")} />
            <ul className="pb-2">
              {ENTRIES.filter(({ capability }) => !capability || can(capability)).map(
                ({ to, icon, titleKey, textKey }) => (
                  <li key={to}>
                    <ExplainedLink to={to} icon={icon} title={t(titleKey)} text={t(textKey)} />
                  </li>
                ),
              )}
            </ul>
          </Card>
          {/* What people only read comes last on a phone. */}
          <div className="max-lg:order-2">
            <OwnPermissions />
          </div>
        </div>
        <div className="contents gap-5 lg:grid">
          <Card className="py-1">
            <ExplainedLink
              to="/user/changePsw"
              icon={KeyRound}
              title={t("nav.changePassword")}
              text={t("auth.changePasswordText")}
            />
          </Card>
          <TwoStepCard />
          <SessionsCard />
        </div>
      </div>
      {editing && <ProfileDialog onClose={() => setEditing(false)} />}
    </>
  );
}
