import { roomMinor } from '../../domain/budget-room.js';
import { formatAmount } from '../../domain/money.js';
import type { BudgetRecord } from '../../operations/money/budgets.js';
import { Bar, Key, type Segment } from '../parts/bar.js';
import { BudgetName } from '../parts/budget-name.js';
import { Columns } from '../parts/columns.js';
import { A } from '../parts/link.js';
import { When } from '../parts/time.js';
import { budgetPath } from './place.js';

/** Levels of one kind of money, each with its use and room. */
export function LevelsTable({
  levels,
  title,
  here,
}: {
  readonly levels: readonly BudgetRecord[];
  readonly title: string;
  readonly here?: string;
}) {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return (
    <section class="card flush" aria-labelledby={id}>
      <div class="row">
        <h2 id={id}>{title}</h2>
        <ul class="legend end">
          {(['spent', 'committed', 'overrun', 'rest'] as const).map((fill) => (
            <li>
              <Key fill={fill} />
              {fill === 'rest' ? 'room' : fill}
            </li>
          ))}
        </ul>
      </div>
      <table class="t">
        <caption class="vh">{title}</caption>
        <Columns
          heads={['Path', ['Use', 'bars'], ['Limit', 'n lo'], ['Spent', 'n lo'], ['Committed', 'n lo'], ['Room', 'n']]}
        />
        <tbody>
          {levels.map((level) => (
            <Line level={level} isHere={level.path === here} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ level, isHere }: { readonly level: BudgetRecord; readonly isHere: boolean }) {
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency: level.currency });
  return (
    <tr class={isHere ? 'mid here' : 'mid'}>
      <th scope="row">
        <A to={budgetPath('/budgets/level', level)} current={isHere && 'true'}>
          <BudgetName path={level.path} />
        </A>
        {level.stoppedMs !== null && (
          <span class="sub bad">
            stopped since <When atMs={level.stoppedMs} />
          </span>
        )}
      </th>
      <td class="bars">
        <Bar label={usedWords(level)} segments={useOf(level)} />
      </td>
      <td class="n lo">{amount(level.limitMinor)}</td>
      <td class="n lo">{amount(level.spentMinor)}</td>
      <td class="n lo">{amount(level.committedMinor)}</td>
      <td class="n money">
        <b>{amount(roomMinor(level))}</b> {level.currency}
      </td>
    </tr>
  );
}

export function useOf(level: BudgetRecord): readonly Segment[] {
  return [
    { fill: 'spent', value: level.spentMinor },
    { fill: 'committed', value: level.committedMinor },
    { fill: 'overrun', value: level.overrunMinor },
    { fill: 'rest', value: Math.max(0, roomMinor(level)) },
  ];
}

/** As `acme: 84 % used`. */
export function usedWords({ path, limitMinor, ...level }: BudgetRecord): string {
  const used = level.spentMinor + level.committedMinor + level.overrunMinor;
  if (limitMinor === 0) return `${path}: nothing may be approved`;
  return `${path}: ${Math.round((used / limitMinor) * 100)} % used`;
}
