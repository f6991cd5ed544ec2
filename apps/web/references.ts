import type { Rolldown } from "vite";

/**
 * A part that loads by itself but shares its file with others gets a file from the bundler that only refers to that
 * one. Such files are left out: whoever loads the part loads the file that has it, without a request for the
 * reference.
 */
interface Reference {
  file: string;
  /** the part's exports by their names in that file */
  names: [inFile: string, exported: string][];
}

export function findReferences(bundle: Rolldown.OutputBundle): Map<string, Reference> {
  const references = new Map<string, Reference>();
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== "chunk" || chunk.isEntry) continue;
    const [, names, file] = /^export\{([^}]+)\}from"\.\/([^"]+)";\s*$/.exec(chunk.code) ?? [];
    if (!names || !file) continue;
    references.set(chunk.fileName, {
      file: chunk.fileName.replace(/[^/]+$/, file),
      names: names.split(",").map((name) => {
        const [inFile = "", exported = inFile] = name.split(" as ");
        return [inFile, exported];
      }),
    });
  }
  return references;
}

/** Replaces `import("./reference.js")` and removes the files that nothing loads any more. */
export function skipReferences(bundle: Rolldown.OutputBundle): void {
  const references = findReferences(bundle);
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== "chunk") continue;
    chunk.code = chunk.code.replace(/import\(([`"'])\.\/([^`"']+)\1\)/g, (whole, _quote, name: string) => {
      const reference = references.get(chunk.fileName.replace(/[^/]+$/, name));
      if (!reference) return whole;
      const exports = reference.names.map(([inFile, exported]) => `get ${exported}(){return e.${inFile}}`);
      return `import("./${reference.file.replace(/^.*\//, "")}").then(e=>({${exports.join()}}))`;
    });
  }
  const codes = Object.values(bundle).flatMap((chunk) => (chunk.type === "chunk" ? [chunk.code] : []));
  for (const name of references.keys()) {
    const [file = name] = /[^/]+$/.exec(name) ?? [];
    if (!codes.some((code) => code.includes(file))) delete bundle[name];
  }
}
