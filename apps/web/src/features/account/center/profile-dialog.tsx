import { ownProfileInput, START_PAGES } from "@innkey/shared/schemas/identity/auth";
import { useMutation } from "@tanstack/react-query";
import { t } from "@/lib/i18n.ts";
import { useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import {
  PictureButton,
  PictureFailure,
  PictureInput,
  RemovePicture,
  usePictureUpload,
} from "@/ui/form/picture-parts.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PersonAvatar } from "@/ui/person-avatar.tsx";
import { Input } from "@/ui/primitives/input.tsx";

const START_PAGE_TITLES = { customers: "nav.customers", today: "nav.home", board: "nav.rooms" } as const;

/** Lets staff members edit their own name and picture, and choose where they start. */
export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const me = useMe();
  const form = useZodForm(ownProfileInput, {
    defaultValues: {
      name: me.name,
      avatarFileId: me.avatarUrl?.replace("/files/", "") ?? null,
      startPage: me.startPage,
    },
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
      <Field form={form} name="startPage" label={t("center.startPage")} hint={t("center.startPageHint")} quiet>
        {(control) => (
          <SelectInput
            {...control}
            options={START_PAGES.map((value) => ({ value, label: t(START_PAGE_TITLES[value]) }))}
          />
        )}
      </Field>
    </FormDialog>
  );
}

type AvatarFieldProps = {
  /** Name whose initials are shown while there is no picture. */
  name: string;
  value: string | null | undefined;
  onChange: (fileId: string | null) => void;
  id?: string;
  "aria-describedby"?: string;
};

function AvatarField({ name, value, onChange, ...labelled }: AvatarFieldProps) {
  const upload = usePictureUpload("avatar", onChange);
  return (
    <div>
      <div className="flex flex-wrap items-center gap-4">
        <PersonAvatar key={value} name={name} src={value && `/files/${value}`} className="size-20 text-xl" />
        <span className="relative rounded-md focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-ring">
          <PictureButton upload={upload} has={Boolean(value)} />
          <PictureInput upload={upload} id={labelled.id} aria-describedby={labelled["aria-describedby"]} />
        </span>
        {value && <RemovePicture onRemove={() => onChange(null)} />}
      </div>
      <PictureFailure upload={upload} />
    </div>
  );
}
