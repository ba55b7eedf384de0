import tables from "./Table.module.css";

interface TableHeadProps {
  columns: readonly string[];
  /** Those of them that hold figures. */
  figures?: readonly string[];
  /** A last column holds what can be done with a row. */
  hasActions?: boolean;
}

export function TableHead({ columns, figures = [], hasActions = false }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col" className={figures.includes(name) ? tables.number : undefined}>
            {name}
          </th>
        ))}
        {hasActions && (
          <th scope="col">
            <span className="sr-only">What to do</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
