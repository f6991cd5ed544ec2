export function PublicHeading({ title, text }: { title: string; text: string }) {
  return (
    <header className="mb-7">
      <h1 className="text-2xl font-semibold tracking-tight text-balance">{title}</h1>
      <p className="mt-1 text-pretty text-muted-foreground">{text}</p>
    </header>
  );
}
