/** What is above a column: its words, and where it is not plain text, its class. */
export type ColumnHead = string | readonly [words: string, className: string];

/** The head of a table. */
export function Columns({ heads }: { readonly heads: readonly ColumnHead[] }) {
  return (
    <thead>
      <tr>
        {heads.map((head) => {
          const [words, className] = typeof head === 'string' ? [head] : head;
          return (
            <th scope="col" {...(className && { class: className })}>
              {words}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
