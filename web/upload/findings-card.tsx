import type { CheckedUpload } from '../../operations/upload/manifest-uploads.js';
import { A, Icon } from '../parts/link.js';
import { type FoundFinding, rowsWithFindings } from './sheet-filter.js';
import { columnOf, letterOf, sheetPath } from './sheet-grid.js';

const shown = 40;
/** More of one kind in one column are a line. */
const mostAlike = 3;

/** Every finding, by its place; those alike in one column are one line. Each leads to its cell. */
export function FindingsCard({ checked }: { readonly checked: CheckedUpload }) {
  const { upload, check } = checked;
  const columns = check.head?.columns ?? [];
  const groups = groupsOf(check.findings.filter(({ row }) => row !== null));
  if (groups.length === 0) return null;
  const order = rowsWithFindings(check.findings);
  const linkTo = (finding: FoundFinding) => {
    const page = Math.floor(Math.max(0, order.indexOf(finding.row ?? 0)) / 100) * 100;
    const column = columnOf(finding, columns);
    const anchor = column === null ? `r${finding.row}` : `${letterOf(column)}${finding.row}`;
    return `${sheetPath(upload.id, { show: 'findings', skip: page })}#${anchor}`;
  };
  return (
    <section class="card" aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      <ul class="finds">
        {groups.slice(0, shown).map((group) => (
          <Group group={group} path={linkTo(group.first)} columns={columns} />
        ))}
      </ul>
      {groups.length > shown && (
        <p class="soft small">
          and {(groups.length - shown).toLocaleString('en-US')} more: see the sheet with findings
        </p>
      )}
    </section>
  );
}

interface FindingGroup {
  readonly first: FoundFinding;
  readonly count: number;
}

function groupsOf(findings: readonly FoundFinding[]): readonly FindingGroup[] {
  const alike = new Map<string, FoundFinding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.severity, finding.code, finding.column, finding.field]);
    alike.set(key, [...(alike.get(key) ?? []), finding]);
  }
  const weight = { error: 0, warning: 1, repair: 2 };
  const groups = [...alike.values()].flatMap((ofKind) => {
    const [first] = ofKind;
    if (!first) return [];
    const isOne = ofKind.length > mostAlike || first.severity === 'repair';
    return isOne ? [{ first, count: ofKind.length }] : ofKind.map((one) => ({ first: one, count: 1 }));
  });
  return groups.sort((one, other) => weight[one.first.severity] - weight[other.first.severity]);
}

const looks = {
  error: { icon: 'failed', tone: 'bad' },
  warning: { icon: 'review', tone: 'warn' },
  repair: { icon: 'repair', tone: 'busy' },
} as const;

function Group({ group, path, columns }: { group: FindingGroup; path: string; columns: readonly string[] }) {
  const { severity, message, field, row, before, after } = group.first;
  const { icon, tone } = looks[severity];
  const column = columnOf(group.first, columns);
  const letter = column === null ? '' : letterOf(column);
  const place =
    group.count > 1 && letter !== '' ? `Column ${letter}` : letter === '' ? `Row ${row}` : `${letter}${row}`;
  const many = group.count > 1 ? `${group.count.toLocaleString('en-US')} ` : '';
  return (
    <li>
      <Icon name={icon} tone={tone} />
      <A to={path}>
        <b>{place}</b> {field}
      </A>
      <span class={tone}>{severity === 'repair' ? `${many}repaired` : `${many}${severity}${many ? 's' : ''}`}</span>
      <span class="sub">
        {severity === 'repair' && before !== null && after !== null ? `${before} → ${after}` : message}
      </span>
    </li>
  );
}

export function SinceCard({ since }: { readonly since: NonNullable<CheckedUpload['since']> }) {
  const { fixed, left, added } = since;
  return (
    <section class="card" aria-labelledby="since">
      <h2 id="since">Since your last upload</h2>
      <dl class="figs three">
        <div>
          <dt>Fixed</dt>
          <dd class="good">{fixed.toLocaleString('en-US')}</dd>
        </div>
        <div>
          <dt>Left</dt>
          <dd>{left.toLocaleString('en-US')}</dd>
        </div>
        <div>
          <dt>New</dt>
          <dd>{added.toLocaleString('en-US')}</dd>
        </div>
      </dl>
    </section>
  );
}
