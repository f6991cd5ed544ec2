import type { GuestLinkState } from "@innkey/shared/schemas/stays/guest-links";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Copy, Link2Off, Smartphone } from "lucide-react";
import { useState } from "react";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { copyText } from "@/lib/browser/copy-text.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatNumber, formatShort, formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading, Fact } from "@/ui/card-parts.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { QrCode } from "@/ui/qr-code.tsx";

type Guest = StayDetail["guests"][number];
type GuestLinkCardProps = { stay: StayDetail; guest: Guest };

/** The guest's link to their own page: makes and revokes it, and shows what the guest did with it. */
export function GuestLinkCard({ stay, guest }: GuestLinkCardProps) {
  const { stayGuestId, name } = guest;
  const canGive = useCan()("passcodes.issue");
  const { data } = useQuery(trpc.guestLinks.state.queryOptions({ stayGuestId }));
  const make = useMutation(trpc.guestLinks.make.mutationOptions());
  const revoke = useMutation(trpc.guestLinks.revoke.mutationOptions());
  const [url, setUrl] = useState<string | null>(null);
  const isOpen = stay.state === "reserved" || stay.state === "checked_in";
  // Without pages for guests there is nothing to make; a link that is left over can still be revoked.
  if (!data || !(data.link || (isOpen && data.available))) return null;
  const { link } = data;

  async function makeLink(): Promise<void> {
    setUrl((await make.mutateAsync({ stayGuestId })).url);
  }

  function askToReplace(): void {
    void confirm({
      title: t("guestLink.replaceTitle"),
      description: t("guestLink.replaceText", { name }),
      confirmLabel: t("guestLink.renew"),
      action: makeLink,
    });
  }

  function askToRevoke(): void {
    void confirm({
      title: t("guestLink.revokeTitle", { name }),
      description: t("guestLink.revokeText"),
      confirmLabel: t("guestLink.revoke"),
      tone: "danger",
      action: async () => {
        await revoke.mutateAsync({ stayGuestId });
        toast.success(t("guestLink.revoked"));
      },
    });
  }

  return (
    <Card>
      <CardHeading title={t("guestLink.title")} description={t("guestLink.text")} />
      <CardContent className="grid gap-4">
        {!data.canProve && isOpen && (
          <Callout tone="warning" title={t("guestLink.noProof")}>
            {t("guestLink.noProofText")}
          </Callout>
        )}
        {link?.locked && (
          <Callout tone="warning" title={t("guestLink.locked")}>
            {t("guestLink.lockedText")}
          </Callout>
        )}
        {data.bookingUnconfirmed && <UnconfirmedBooking guest={guest} />}
        {link?.lateUntil && isOpen && <LateRequest stay={stay} stayGuestId={stayGuestId} lateUntil={link.lateUntil} />}
        {link && <LinkFacts link={link} />}
        {canGive && (
          <div className="flex flex-wrap gap-2">
            {isOpen && data.available && (
              <ActionButton
                size="sm"
                variant={link ? "outline" : "default"}
                pending={make.isPending}
                onClick={() => (link ? askToReplace() : void makeLink())}
              >
                <Smartphone aria-hidden />
                {t(link ? "guestLink.renew" : "guestLink.make")}
              </ActionButton>
            )}
            {link && (
              <ActionButton size="sm" variant="ghost-destructive" onClick={askToRevoke}>
                <Link2Off aria-hidden />
                {t("guestLink.revoke")}
              </ActionButton>
            )}
          </div>
        )}
      </CardContent>
      {url !== null && <NewLinkDialog url={url} name={name} onClose={() => setUrl(null)} />}
    </Card>
  );
}

/** Says that the guest can't check in or open their door on their page, because somebody booked who may not give out door codes. */
function UnconfirmedBooking({ guest }: { guest: Guest }) {
  const { stayGuestId, mobile, email } = guest;
  const canGive = useCan()("passcodes.issue");
  const confirmation = useMutation(trpc.guestLinks.confirmBooking.mutationOptions());
  return (
    <Callout tone="warning" title={t("guestLink.unconfirmed")}>
      {t("guestLink.unconfirmedText")}
      {canGive && (
        <div className="mt-2">
          <ActionButton
            size="sm"
            variant="outline"
            pending={confirmation.isPending}
            onClick={() =>
              confirmation.mutate(
                { stayGuestId, contacts: { mobile, email } },
                { onSuccess: () => toast.success(t("guestLink.bookingConfirmed")) },
              )
            }
          >
            {t("guestLink.confirmBooking")}
          </ActionButton>
        </div>
      )}
    </Callout>
  );
}

type LateRequestProps = { stay: StayDetail; stayGuestId: number; lateUntil: string };

/** The guest's wish to leave later. Extending the stay grants it. */
function LateRequest({ stay, stayGuestId, lateUntil }: LateRequestProps) {
  const { timeZone } = useHotel();
  const canManage = useCan()("stays.manage");
  const stays = useStayActions();
  const decline = useMutation(trpc.guestLinks.declineLate.mutationOptions());
  return (
    <Callout tone="warning" title={t("guestLink.asksLate", { time: formatTime(lateUntil, timeZone) })}>
      {t("guestLink.asksLateText", { time: formatTime(stay.endsAt, timeZone) })}
      {canManage && (
        <div className="mt-2 flex flex-wrap gap-2">
          <ActionButton size="sm" variant="outline" onClick={() => stays.renew(stay.id)}>
            {t("stay.renew")}
          </ActionButton>
          <ActionButton
            size="sm"
            variant="ghost"
            pending={decline.isPending}
            onClick={() => decline.mutate({ stayGuestId })}
          >
            {t("guestLink.declineLate")}
          </ActionButton>
        </div>
      )}
    </Callout>
  );
}

function LinkFacts({ link }: { link: NonNullable<GuestLinkState["link"]> }) {
  const { timeZone } = useHotel();
  const time = (instant: string | null): string => (instant ? formatShort(instant, timeZone) : t("guestLink.never"));
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
      <Fact label={t("guestLink.madeAt")}>{time(link.createdAt)}</Fact>
      <Fact label={t("guestLink.seenAt")}>{time(link.seenAt)}</Fact>
      <Fact label={t("guestLink.provenAt")}>
        {time(link.provenAt)}
        {link.devices > 1 && ` · ${t("guestLink.devices", { number: formatNumber(link.devices) })}`}
      </Fact>
      <Fact label={t("guestLink.openedDoorAt")}>{time(link.openedDoorAt)}</Fact>
    </dl>
  );
}

/** Shows a new link, once: to be scanned by the guest's phone or copied into a message. */
function NewLinkDialog({ url, name, onClose }: { url: string; name: string; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t("guestLink.dialogTitle", { name })}
        description={t("guestLink.dialogText")}
        width="sm"
        // The address is shown only once, so a click outside the dialog must not close it.
        onPointerDownOutside={(event) => event.preventDefault()}
        footer={
          <ActionButton needsServer={false} onClick={onClose}>
            {t("passcode.done")}
          </ActionButton>
        }
      >
        <div className="grid gap-4">
          <QrCode text={url} label={t("guestLink.qr")} />
          <p dir="ltr" className="rounded-md bg-sunken px-3 py-2 font-mono text-sm break-all" data-testid="guest-link">
            {url}
          </p>
          <Button variant="outline" size="sm" className="justify-self-start" onClick={() => void copyText(url)}>
            <Copy aria-hidden />
            {t("guestLink.copy")}
          </Button>
        </div>
      </DialogPanel>
    </Dialog>
  );
}
