import {
  PictureButton,
  PictureFailure,
  PictureInput,
  RemovePicture,
  usePictureUpload,
} from "@/ui/form/picture-parts.tsx";
import { Avatar } from "@/ui/primitives/avatar.tsx";

type AvatarFieldProps = {
  /** Whose initials stand where there is no picture. */
  name: string;
  value: string | null | undefined;
  onChange: (fileId: string | null) => void;
  id?: string;
  "aria-describedby"?: string;
};

/** One's own picture, as colleagues will see it. */
export function AvatarField({ name, value, onChange, ...labelled }: AvatarFieldProps) {
  const upload = usePictureUpload("avatar", onChange);
  return (
    <div>
      <div className="flex flex-wrap items-center gap-4">
        <Avatar key={value} name={name} src={value && `/files/${value}`} className="size-20 text-xl" />
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
