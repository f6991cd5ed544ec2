import { translator } from "../../../kernel/translate.ts";
import { type Block, documentation, labelsOf, type Section } from "./document.ts";

/** Returns the English documentation as Markdown; `npm run legacy-docs` writes it to a file. */
export function markdown(): string {
  const labels = labelsOf(translator("en"));
  const sections = documentation(labels);
  const head = [
    `# ${labels.title}`,
    labels.intro,
    "`npm run legacy-docs` writes this page from the calls themselves (`apps/server/src/api/legacy/`). Three small clients are in the folder `docs/integrators/clients`.",
    contents(sections),
  ];
  return `${[...head, ...sections.flatMap((section) => written(section, 2))].join("\n\n")}\n`;
}

function contents(sections: readonly Section[], indent = ""): string {
  return sections
    .flatMap(({ id, title, sections: inner }) => [
      `${indent}- [${title}](#${id})`,
      ...(inner.length > 0 ? [contents(inner, `${indent}  `)] : []),
    ])
    .join("\n");
}

function written({ id, title, blocks, sections }: Section, level: number): string[] {
  return [
    `<a id="${id}"></a>`,
    `${"#".repeat(level)} ${title}`,
    ...blocks.map(block),
    ...sections.flatMap((section) => written(section, level + 1)),
  ];
}

function block(one: Block): string {
  switch (one.kind) {
    case "text":
      return one.text;
    case "label":
      return `**${one.text}**`;
    case "list":
      return one.items.map((item) => `- ${item}`).join("\n");
    case "json":
      return `\`\`\`json\n${one.text}\n\`\`\``;
    case "table":
      return [row(one.head), row(one.head.map(() => "---")), ...one.rows.map(row)].join("\n");
  }
}

/** We escape bars, because a bar would end its cell. */
const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
