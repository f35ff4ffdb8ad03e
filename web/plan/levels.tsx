import { roomMinor } from '../../domain/budget-room.js';
import { formatAmount } from '../../domain/money.js';
import type { StoredPlan } from '../../operations/stored-plan.js';
import { Bar, Key } from '../parts/bar.js';
import { BudgetName } from '../parts/budget-name.js';

/** Each budget level of the path, with the room that it has and would have. */
export function Levels({ plan, totalMinor }: { readonly plan: StoredPlan; readonly totalMinor: number }) {
  const { batch, levels } = plan;
  const isCounted = batch.decision?.kind === 'approved';
  const asked = isCounted ? 0 : totalMinor;
  if (levels.length === 0) return null;
  return (
    <section class="card" aria-labelledby="budget">
      <div class="row">
        <h2 id="budget">Budget</h2>
        <ul class="legend end">
          <li>
            <Key fill="spent" />
            spent
          </li>
          <li>
            <Key fill="committed" />
            committed
          </li>
          {!isCounted && (
            <li>
              <Key fill="this" />
              this plan
            </li>
          )}
          <li>
            <Key fill="rest" />
            room
          </li>
        </ul>
      </div>
      <table class="t">
        <caption class="vh">Room at each budget level, {batch.money.currency}</caption>
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col" class="bars">
              Use
            </th>
            <th scope="col" class="n lo">
              Room now
            </th>
            {!isCounted && (
              <th scope="col" class="n">
                After
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {levels.map((level) => (
            <Level level={level} asked={asked} isCounted={isCounted} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface LevelProps {
  readonly level: StoredPlan['levels'][number];
  readonly asked: number;
  readonly isCounted: boolean;
}

function Level({ level, asked, isCounted }: LevelProps) {
  const { path, currency, limitMinor, committedMinor, spentMinor, overrunMinor } = level;
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
  const room = roomMinor(level);
  const after = room - asked;
  const spent = spentMinor + overrunMinor;
  const plan = isCounted ? '' : `, this plan ${amount(asked)}`;
  return (
    <tr class="mid">
      <th scope="row">
        <BudgetName path={path} />
        <span class="sub">limit {amount(limitMinor)}</span>
      </th>
      <td class="bars">
        <Bar
          label={`${path}: spent ${amount(spent)}, committed ${amount(committedMinor)}${plan}, room after that ${amount(after)}`}
          total={limitMinor}
          segments={[
            { fill: 'spent', value: spent },
            { fill: 'committed', value: committedMinor },
            { fill: after < 0 ? 'overrun' : 'this', value: asked },
            { fill: 'rest', value: Math.max(0, after) },
          ]}
        />
      </td>
      <td class="n lo">{amount(room)}</td>
      {!isCounted && (
        <td class="n">
          <b class={after < 0 ? 'bad' : ''}>{amount(after)}</b>
        </td>
      )}
    </tr>
  );
}
