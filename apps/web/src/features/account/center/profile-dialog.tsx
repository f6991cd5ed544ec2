import { ownProfileInput } from "@innkey/shared/schemas/auth";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog } from "@/ui/form/form-dialog.tsx";
import { useGuardedClose } from "@/ui/form/use-guarded-close.ts";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Input } from "@/ui/primitives/input.tsx";
import { AvatarField } from "./avatar-field.tsx";

/** What people decide of themselves: what they are called, and their picture. */
export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const me = useMe();
  const form = useZodForm(ownProfileInput, {
    defaultValues: { name: me.name, avatarFileId: me.avatarUrl?.replace("/files/", "") ?? null },
  });
  const close = useGuardedClose(form, onClose);
  const save = useMutation(trpc.auth.saveProfile.mutationOptions({ meta: { shownInForm: true } }));
  return (
    <FormDialog
      form={form}
      title={t("center.edit")}
      width="sm"
      submitLabel={t("common.save")}
      startAt="name"
      onClose={close}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        refreshEverything();
        toast.success(t("center.saved"));
        onClose();
      }}
    >
      <Field form={form} name="avatarFileId" label={t("center.picture")} hint={t("center.pictureHint")} quiet>
        {(control) => <AvatarField {...control} name={form.watch("name") || me.name} />}
      </Field>
      <Field form={form} name="name" label={t("center.name")} required>
        {(control) => <Input {...control} autoComplete="name" />}
      </Field>
    </FormDialog>
  );
}
