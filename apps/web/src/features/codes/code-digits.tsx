const GROUP = 3;

/** Shows a code in large digits, in groups of three, always left to right. */
export function CodeDigits({ code }: { code: string }) {
  const groups = code.match(new RegExp(`.{1,${GROUP}}`, "g")) ?? [];
  return (
    <p
      dir="ltr"
      className="flex justify-center gap-5 font-mono text-[44px]/none font-semibold tracking-[0.12em] tabular-nums"
    >
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a code never change places
        <span key={index}>{group}</span>
      ))}
    </p>
  );
}
