import type { EncoderRow } from "@innkey/shared/schemas/encoders";
import { useQuery } from "@tanstack/react-query";
import { Unlink } from "lucide-react";
import { OnlineChip } from "@/entities/reader/online-chip.tsx";
import { formatRelative } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { usePageName } from "@/lib/page-title.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { Fact } from "@/ui/fact.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PageSkeleton } from "@/ui/page-skeleton.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { BindForm } from "./bind-form.tsx";
import { HolderName } from "./holder-name.tsx";
import { useEncoderActs } from "./use-encoder-acts.ts";

/** Assigns a card reader to one staff member or one customer. */
export function BindPage({ encoderId }: { encoderId: number }) {
  const mayView = useCan()("encoders.view");
  const encoder = useQuery(trpc.encoders.detail.queryOptions({ id: encoderId }, { enabled: mayView }));
  usePageName(encoder.data?.name);
  if (!mayView) return <NoPermission />;
  if (encoder.error && !encoder.data) {
    return <ErrorState error={encoder.error} onRetry={() => void encoder.refetch()} />;
  }
  if (!encoder.data) return <PageSkeleton />;
  return <Loaded encoder={encoder.data} />;
}

function Loaded({ encoder }: { encoder: EncoderRow }) {
  const { t } = useTranslation();
  const manage = useCan()("encoders.manage");
  const acts = useEncoderActs();
  const { name, deviceNo, type, holder, lastSeenAt, note, online } = encoder;
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader
        title={
          <span dir="auto" className="name-run">
            {name}
          </span>
        }
        status={<OnlineChip online={online} size="md" />}
        description={manage ? t("encoder.bindText") : undefined}
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-5">
        <Card>
          <CardHeader
            title={t("encoder.boundTo")}
            actions={
              manage &&
              holder && (
                <Button size="sm" variant="dangerQuiet" onClick={() => acts.askToUnbind(encoder)}>
                  <Unlink aria-hidden />
                  {t("encoder.unbind")}
                </Button>
              )
            }
          />
          <CardBody className="grid gap-5">
            <div className="font-medium">
              <HolderName holder={holder} />
            </div>
            {manage && <BindForm encoder={encoder} />}
          </CardBody>
        </Card>
        <Card>
          <CardHeader title={t("encoder.one")} />
          <CardBody>
            <dl className="grid gap-3.5">
              <Fact label={t("encoder.deviceNo")}>
                <bdi className="ltr-run font-mono">{deviceNo}</bdi>
              </Fact>
              <Fact label={t("encoder.type")}>{t("reader.type", { number: type })}</Fact>
              <Fact label={t("encoder.lastSeen")}>{lastSeenAt ? formatRelative(lastSeenAt) : t("encoder.never")}</Fact>
              <Fact label={t("encoder.note")}>
                {note && (
                  <span dir="auto" className="whitespace-pre-wrap">
                    {note}
                  </span>
                )}
              </Fact>
            </dl>
          </CardBody>
        </Card>
      </div>
    </div>
  );
}
