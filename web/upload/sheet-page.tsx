import type { CheckedUpload } from '../../operations/upload/manifest-uploads.js';
import type { uploadedRows } from '../../operations/upload/upload-sheet.js';
import { rowsText } from '../../reports/wording/state-words.js';
import type { KeptAnswer } from '../errors/kept-answer.js';
import { Crumbs } from '../parts/crumbs.js';
import type { Frame } from '../parts/frame.js';
import { A, Icon, LinkButton } from '../parts/link.js';
import { Page } from '../parts/page.js';
import { FindingsCard, SinceCard } from './findings-card.js';
import type { Check, SheetFilter } from './sheet-filter.js';
import { SheetGrid } from './sheet-grid.js';
import { SubmitCard } from './submit-card.js';

export interface SheetPageProps {
  readonly frame: Frame;
  readonly checked: CheckedUpload;
  readonly filter: SheetFilter;
  readonly rows: Awaited<ReturnType<typeof uploadedRows>>;
  /** How many rows have findings. */
  readonly marked: number;
  readonly rowsPerPage: number;
  /** Why it was not submitted: an open batch of the campaign with other rows. */
  readonly kept: KeptAnswer | undefined;
}

export function SheetPage(props: SheetPageProps) {
  const { frame, checked, kept } = props;
  const inTheWay = kept?.typed?.inTheWay ?? null;
  const { upload, check, since } = checked;
  return (
    <Page frame={frame} title={upload.name} here="/upload">
      <div class="top">
        <Crumbs parts={[{ text: 'Upload', path: '/upload' }, { text: upload.name }]} />
        <div class="row">
          <h1>{upload.name}</h1>
          <Verdict check={check} />
        </div>
        <p class="lede">
          <b>{readyWords(check)}</b> {repairWords(check)} Nothing was sent to the movie service.
        </p>
        <div class="row">
          <LinkButton to={`/upload?again=${upload.id}`} icon="upload" kind={check.errors > 0 ? 'go' : undefined}>
            Upload it again
          </LinkButton>
          {check.head && check.repairs > 0 && (
            <LinkButton to={`/uploads/${upload.id}/repaired`} icon="down" download>
              Repaired sheet
            </LinkButton>
          )}
          {check.head && check.findings.length > 0 && (
            <LinkButton to={`/uploads/${upload.id}/findings`} icon="down" download>
              Sheet with findings
            </LinkButton>
          )}
          <span class="soft small end">{formWords(check)}</span>
        </div>
      </div>
      {inTheWay && <InTheWay batchId={inTheWay} />}
      <FileFindings check={check} />
      <div class="split first">
        <SheetGrid {...props} />
        <div class="stick stack">
          {check.errors > 0 && <FindingsCard checked={checked} />}
          {check.errors > 0 && since && <SinceCard since={since} />}
          <SubmitCard {...{ upload, check, inTheWay }} respend={kept?.typed?.respend === 'yes'} />
          {check.errors === 0 && <FindingsCard checked={checked} />}
          {check.errors === 0 && since && <SinceCard since={since} />}
        </div>
      </div>
    </Page>
  );
}

function Verdict({ check: { errors, warnings } }: { readonly check: Check }) {
  const [icon, tone, words] =
    errors > 0
      ? ([
          'failed',
          'bad',
          errors === 1 ? '1 error to fix' : `${errors.toLocaleString('en-US')} errors to fix`,
        ] as const)
      : warnings > 0
        ? ([
            'review',
            'warn',
            warnings === 1 ? '1 warning to read' : `${warnings.toLocaleString('en-US')} warnings to read`,
          ] as const)
        : (['delivered', 'good', 'Nothing to fix'] as const);
  return (
    <span class={`st pill ${tone}`}>
      <Icon name={icon} />
      {words}
    </span>
  );
}

function readyWords({ head, rows, errors, findings }: Check): string {
  if (head === null || rows === 0) return 'No rows can be read from this file.';
  const broken = new Set(findings.filter(({ severity }) => severity === 'error').map(({ row }) => row));
  broken.delete(null);
  if (errors === 0) return `${rows === 1 ? 'Its row is' : `All ${rowsText(rows)} are`} ready.`;
  return `${(rows - broken.size).toLocaleString('en-US')} of ${rowsText(rows)} ${rows === 1 ? 'is' : 'are'} ready.`;
}

function repairWords({ repairs }: Check): string {
  if (repairs === 0) return '';
  return `${repairs === 1 ? '1 cell was' : `${repairs.toLocaleString('en-US')} cells were`} repaired, and each repair is shown.`;
}

function formWords({ head }: Check): string {
  if (!head) return '';
  const parts = [
    head.format.toUpperCase(),
    ...(head.encoding === null ? [] : [`${head.encoding}${head.isEncodingGuessed ? ' (guessed)' : ''}`]),
    ...(head.delimiter === null ? [] : [`separated by “${head.delimiter === '\t' ? 'tab' : head.delimiter}”`]),
    `${head.columns.length} columns`,
    `campaign ${head.campaign}`,
  ];
  return parts.join(', ');
}

/** What is wrong with the file or its header comes before its cells. */
function FileFindings({ check: { findings, head } }: { readonly check: Check }) {
  const hasHeader = head?.format === 'csv' || head?.format === 'xlsx';
  const whole = findings.filter(({ row }) => row === null || (row === 1 && hasHeader)).slice(0, 20);
  return (
    <>
      {whole.map(({ severity, message, column, field }) => (
        <p class={`say ${severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : ''}`}>
          <Icon name={severity === 'error' ? 'failed' : severity === 'warning' ? 'review' : 'repair'} />
          <span>
            <b>{[column === null ? 'The file' : `${column}1`, field].filter((part) => part !== null).join(' ')}</b>:{' '}
            {message}
          </span>
        </p>
      ))}
    </>
  );
}

function InTheWay({ batchId }: { readonly batchId: string }) {
  return (
    <p class="say warn" role="alert">
      <Icon name="review" />
      <span>
        <b>Nothing was submitted.</b> <A to={`/batches/${batchId}`}>{batchId}</A> of this campaign is open, with other
        rows. Wait until it ends, cancel it, or plan this sheet as a second batch.
      </span>
    </p>
  );
}
