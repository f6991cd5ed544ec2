import type { ReactNode } from "react";

/** The head of a printed list: what it is, and of when. */
export function PaperTitle({ title, detail }: { title: ReactNode; detail: ReactNode }) {
  return (
    <header className="mb-3">
      <h1 className="text-xl font-semibold">{title}</h1>
      <p className="text-sm">{detail}</p>
    </header>
  );
}

type PaperTableProps = { columns: readonly string[]; rows: readonly (readonly ReactNode[])[] };

/** A list on paper. Names are never cut: they wrap. The last column is a box to tick. */
export function PaperTable({ columns, rows }: PaperTableProps) {
  return (
    <table className="mb-5 w-full border-collapse text-start text-[11pt]">
      <thead>
        <tr className="border-b-2 border-black">
          {columns.map((column) => (
            <th key={column} scope="col" className="py-1 pe-3 text-start text-[9pt] font-semibold last:pe-0">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a printed list doesn't change
          <tr key={row} className="border-b border-neutral-400">
            {cells.map((cell, column) => (
              <td key={columns[column]} dir="auto" className="py-1.5 pe-3 align-top break-words last:pe-0">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
