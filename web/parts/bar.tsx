/** What a piece of a bar stands for; each has a colour, and held money a pattern. */
export type Fill =
  | 'delivered'
  | 'saving'
  | 'making'
  | 'rest'
  | 'failed'
  | 'unknown'
  | 'posted'
  | 'held'
  | 'spent'
  | 'committed'
  | 'this'
  | 'overrun';

export interface Segment {
  readonly fill: Fill;
  readonly value: number;
}

interface BarProps {
  /** What the bar shows, in words and figures. */
  readonly label: string;
  readonly segments: readonly Segment[];
  readonly size?: 'thin' | 'fat';
  /** Where the segments are not all of it. */
  readonly total?: number;
}

/** Parts of one whole. Widths are attributes: the page may carry no inline style. */
export function Bar({ label, segments, size, total }: BarProps) {
  const shown = segments.filter(({ value }) => value > 0);
  const whole = Math.max(
    total ?? 0,
    shown.reduce((sum, { value }) => sum + value, 0),
    1,
  );
  let at = 0;
  return (
    <svg class={size ? `bar ${size}` : 'bar'} role="img" aria-label={label}>
      {shown.map(({ fill, value }) => {
        const x = at;
        at += value;
        return <rect class={`f-${fill}`} x={percent(x / whole)} width={percent(value / whole)} height="100%" />;
      })}
    </svg>
  );
}

/** The sample beside a word of a legend. */
export function Key({ fill }: { readonly fill: Fill }) {
  return (
    <svg class="key" aria-hidden="true">
      <rect class={`f-${fill}`} width="100%" height="100%" />
    </svg>
  );
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}
