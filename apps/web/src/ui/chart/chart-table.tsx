type ChartTableProps = {
  title: string;
  /** Heading of the first column: what one bar of the chart is. */
  unit: string;
  /** Headings of the other columns. */
  columns: readonly string[];
  rows: readonly { key: string | number; heading: string; cells: readonly string[] }[];
};

/** The figures of a chart as a table for screen readers. */
export function ChartTable({ title, unit, columns, rows }: ChartTableProps) {
  return (
    // `sr-only` doesn't limit the height of a table, so a wrapper hides it.
    <div className="sr-only">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {[unit, ...columns].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, heading, cells }) => (
            <tr key={key}>
              <th scope="row">{heading}</th>
              {cells.map((cell, index) => (
                <td key={columns[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
