import { Avatar, AvatarFallback, AvatarImage } from "./primitives/avatar.tsx";

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => Array.from(word ?? "")[0] ?? "")
    .join("")
    .toLocaleUpperCase();
}

type PersonAvatarProps = { name: string; src?: string | null; className?: string };

/** The picture of a person, otherwise the initials. */
export function PersonAvatar({ name, src, className }: PersonAvatarProps) {
  return (
    <Avatar className={className}>
      {src && <AvatarImage src={src} alt="" />}
      {/* Not text, because it would become part of the accessible name of a button around it. */}
      <AvatarFallback
        delayMs={src ? 200 : 0}
        data-initials={initials(name)}
        className="before:content-[attr(data-initials)]"
      />
    </Avatar>
  );
}
