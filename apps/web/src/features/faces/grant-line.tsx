import type { faceGrants } from "@innkey/shared/schemas/faces";
import { Undo2 } from "lucide-react";
import type { z } from "zod";
import { CredentialChip } from "@/entities/credential/credential-chip.tsx";
import { windowText } from "@/entities/lock/lock-words.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { RowMenu } from "@/ui/table/row-menu.tsx";
import { FacePicture } from "./face-picture.tsx";
import { useFaceActs } from "./use-face-acts.ts";

type GrantLineProps = { grant: z.infer<typeof faceGrants>[number]; named: boolean };

/** Somebody's face at one door, which is `named` where that isn't clear. */
export function GrantLine({ grant, named: label }: GrantLineProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const mayWithdraw = useCan()("faces.manage") && grant.state !== "revoking";
  const acts = useFaceActs();
  return (
    <li className="flex items-start gap-3">
      <FacePicture url={grant.imageUrl} note={grant.label} className="size-11 rounded-md border" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">
          <bdi>{grant.label}</bdi>
        </p>
        <p className="text-sm text-muted-foreground">
          {label && grant.roomName && (
            <>
              <bdi>{grant.roomName}</bdi> ·{" "}
            </>
          )}
          {windowText(grant.validFrom, grant.validTo, timeZone)}
        </p>
        <CredentialChip credential={grant} className="mt-1" />
      </div>
      {mayWithdraw && (
        <RowMenu
          row={grant}
          actions={[{ label: t("face.withdraw"), icon: Undo2, danger: true, onSelect: acts.askToWithdraw }]}
        />
      )}
    </li>
  );
}
