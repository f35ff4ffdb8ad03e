import { ticksTo } from './ticks.js';

export interface StepsSeries {
  readonly tone: 'limit' | 'approved' | 'posted';
  /** `at` from 0 to 1; a value holds until the next one. */
  readonly points: readonly { readonly at: number; readonly value: number }[];
}

interface StepsProps {
  /** What the chart shows, in words and figures: the table beside it says the rest. */
  readonly label: string;
  readonly series: readonly StepsSeries[];
  readonly marks: readonly { readonly at: number; readonly words: string }[];
  readonly format: (value: number) => string;
}

const height = 220;

/**
 * Values that hold until they change. What is across is a share of the width and what is up is in pixels: a narrow page
 * squeezes the lines and never the letters.
 */
export function Steps({ label, series, marks, format }: StepsProps) {
  const ticks = ticksTo(Math.max(1, ...series.flatMap(({ points }) => points.map(({ value }) => value))));
  const most = ticks.at(-1) ?? 1;
  const y = (value: number) => round(height - (Math.max(0, value) / most) * height);
  return (
    <div class="chart">
      <svg height={height + 28} role="img" aria-label={label}>
        {ticks.map((tick) => (
          <>
            <line class="grid" x1="0" x2="100%" y1={y(tick)} y2={y(tick)} />
            <text class="axis end" x="-8" y={y(tick) + 4}>
              {format(tick)}
            </text>
          </>
        ))}
        {series.map((one) => (
          <Line {...one} y={y} />
        ))}
        {marks.map(({ at, words }, index) => (
          <text class={index === 0 ? 'axis' : 'axis end'} x={percent(at)} y={height + 20}>
            {words}
          </text>
        ))}
      </svg>
    </div>
  );
}

function Line({ tone, points, y }: StepsSeries & { readonly y: (value: number) => number }) {
  return (
    <g class={`line-${tone}`}>
      {points.map(({ at, value }, index) => {
        const next = points[index + 1]?.at ?? 1;
        const before = points[index - 1]?.value;
        const [x1, x2] = [percent(at), percent(next)];
        return (
          <>
            {before !== undefined && <line x1={x1} x2={x1} y1={y(before)} y2={y(value)} />}
            <line x1={x1} x2={x2} y1={y(value)} y2={y(value)} />
          </>
        );
      })}
    </g>
  );
}

function percent(share: number): string {
  return `${round(share * 100)}%`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
