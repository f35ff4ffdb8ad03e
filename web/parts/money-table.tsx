import type { Child } from 'hono/jsx';
import { Columns } from './columns.js';

export interface MoneyRow {
  readonly name: Child;
  /** One for each column, ready to be shown. */
  readonly cells: readonly Child[];
  /** A word beside the figures, below the name on a phone. */
  readonly why?: string;
}

interface MoneyTableProps {
  /** What the table shows, for people who do not see it. */
  readonly caption: string;
  /** Above the names. */
  readonly head: string;
  /** Above the figures. */
  readonly columns: readonly string[];
  readonly rows: readonly MoneyRow[];
  readonly total?: MoneyRow;
  /** Above the words beside the figures; left out: there are none. */
  readonly why?: string;
  /** Columns that a phone has no room for, from 0. */
  readonly hiddenOnPhones?: readonly number[];
  readonly tight?: boolean;
}

/** Names at the left, figures at the right, and a sum below where there is one. */
export function MoneyTable(props: MoneyTableProps) {
  const { caption, head, columns, rows, total, why, hiddenOnPhones = [], tight = false } = props;
  const classOf = (column: number) => (hiddenOnPhones.includes(column) ? 'n lo' : 'n');
  const line = ({ name, cells, why: words }: MoneyRow) => (
    <tr>
      <th scope="row">
        {name}
        {words && <span class="sub m">{words}</span>}
      </th>
      {cells.map((cell, column) => (
        <td class={classOf(column)}>{cell}</td>
      ))}
      {why && <td class="lo soft">{words}</td>}
    </tr>
  );
  return (
    <table class={tight ? 't tight' : 't'}>
      <caption class="vh">{caption}</caption>
      <Columns
        heads={[
          head,
          ...columns.map((name, column) => [name, classOf(column)] as const),
          ...(why ? [[why, 'lo'] as const] : []),
        ]}
      />
      <tbody>{rows.map(line)}</tbody>
      {total && <tfoot>{line(total)}</tfoot>}
    </table>
  );
}
