import { type BriefReference, briefFields } from '../../domain/brief.js';
import type { Finding, ManifestCheck, ManifestHead, ManifestRow } from '../../manifests/read-manifest.js';
import { columnLetter } from '../../sheets/column.js';
import type { CliContext } from '../terminal/context.js';
import { writeOut } from '../terminal/write-out.js';

/** `check --json`: the check itself. */
export function checkJson(name: string, found: Omit<ManifestCheck, 'head'> & { readonly head: ManifestHead | null }) {
  const { head, rows, briefs, errors, warnings, repairs, findings, omitted } = found;
  return {
    manifest: name,
    format: head?.format ?? null,
    encoding: head?.encoding ?? null,
    delimiter: head?.delimiter ?? null,
    campaign: head?.campaign ?? null,
    own_columns: head?.ownColumns.map((index) => head.columns[index]) ?? [],
    rows,
    briefs,
    errors,
    warnings,
    repairs,
    findings: findings.map(findingJson),
    ...(omitted.length > 0 && { omitted }),
  };
}

/** A finding as every document has it. */
export function findingJson({ severity, code, row, line, column, field, message, before, after }: Finding) {
  return { severity, code, row, line, column, field, message, before, after };
}

export function briefJson({ brief, digest, cells }: ManifestRow, { columns, ownColumns }: ManifestHead) {
  return {
    ...briefFields(brief),
    references: brief.references.map(referenceJson),
    extra: Object.fromEntries(ownColumns.map((index) => [columns[index] || columnLetter(index), cells[index] ?? ''])),
    digest,
  };
}

function referenceJson({ source, role, description }: BriefReference) {
  const about = { role, description };
  switch (source.kind) {
    case 'file':
      return { file: source.path, sha256: source.sha256, size_bytes: source.sizeBytes, ...about };
    case 'url':
      return { url: source.url, ...about };
    case 'id':
      return { id: source.referenceId, ...about };
    default:
      return source satisfies never;
  }
}

/** Writes one JSON document whose longest part comes first and piece by piece. */
export function createJsonStream({ stdout }: Pick<CliContext, 'stdout'>, listName: string) {
  let separator = `{${JSON.stringify(listName)}:[`;
  const write = (text: string) => writeOut({ stdout }, text);
  return {
    async items(values: readonly unknown[]): Promise<void> {
      if (values.length === 0) return;
      await write(separator + values.map((value) => JSON.stringify(value)).join(','));
      separator = ',';
    },
    /** Ends the list and adds the rest of the document. */
    async end(rest: object): Promise<void> {
      const before = separator === ',' ? '' : separator;
      await write(`${before}],${JSON.stringify(rest).slice(1)}\n`);
    },
  };
}
