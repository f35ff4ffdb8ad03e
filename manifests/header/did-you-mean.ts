import { bareName } from '../../sheets/bare-name.js';
import type { PlainField } from '../../sheets/column.js';
import { nearestOf } from '../../sheets/edit-distance.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import { fieldByName } from './header-names.js';

/** The known name closest to a header, among the fields that the sheet lacks. */
export function nearName(header: string, lacking: ReadonlySet<PlainField>): string | null {
  const bare = bareName(header);
  if (/^(?:reference|ref|image)s?$/.test(bare)) return 'reference_1';
  const candidates = [...fieldByName].filter(([, field]) => lacking.has(field)).map(([name]) => name);
  const nearest = nearestOf(bare, candidates);
  return nearest === null ? null : (fieldByName.get(nearest) ?? null);
}

/** For a custom column that may be meant as this field. */
export function didYouMean(header: string, field: string): Trouble {
  const message = `"${header}" is kept as a custom column and not sent; did you mean ${field}? --map ${field}="${header.trim()}" says so`;
  return { severity: 'warning', code: 'near_header', message };
}
