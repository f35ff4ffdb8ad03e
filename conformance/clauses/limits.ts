import { Estimate, limits } from '../../api/contract.js';
import { aspectRatios, referenceRoles } from '../../domain/brief.js';
import type { Clause } from '../clause.js';
import { bodyOf, errorOf, type Session, sampleRequest } from '../session.js';

/** One code point that is two UTF-16 units: a service that counts units refuses what the interface allows. */
const astral = '🎬';

interface Edge {
  readonly name: string;
  readonly valid: boolean;
  readonly fields: (referenceId: string) => object;
}

function textEdges(
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
  fields: (text: string) => Edge['fields'],
): Edge[] {
  const lengths = [min - 1, min, max, max + 1].filter((length) => length > 0);
  return lengths.flatMap((length) =>
    ['x', astral].map((letter) => ({
      name: `${name} of ${length} ${letter === astral ? 'emoji' : 'letters'}`,
      valid: length >= min && length <= max,
      fields: fields(letter.repeat(length)),
    })),
  );
}

const { durationSecondsMin: shortest, durationSecondsMax: longest, referencesMax } = limits;
const reference = (referenceId: string, fields: object = {}) => ({
  reference_id: referenceId,
  role: 'other',
  ...fields,
});

/** Both sides of every limit of the movie request, from the contract. */
const edges: readonly Edge[] = [
  ...textEdges('prompt', { min: limits.promptMin, max: limits.promptMax }, (prompt) => () => ({ prompt })),
  ...textEdges('style', { min: 0, max: limits.styleMax }, (style) => () => ({ style })),
  ...textEdges('description', { min: 0, max: limits.descriptionMax }, (description) => (id) => ({
    references: [reference(id, { description })],
  })),
  ...[shortest - 1, shortest, longest, longest + 1, shortest + 0.5, `${shortest}`, null].map((duration_seconds) => ({
    name: `duration_seconds ${duration_seconds}${typeof duration_seconds === 'string' ? ' as text' : ''}`,
    valid: duration_seconds === shortest || duration_seconds === longest,
    fields: () => ({ duration_seconds }),
  })),
  ...[...aspectRatios, '3:2', '16x9', ''].map((aspect_ratio) => ({
    name: `aspect_ratio ${JSON.stringify(aspect_ratio)}`,
    valid: (aspectRatios as readonly string[]).includes(aspect_ratio),
    fields: () => ({ aspect_ratio }),
  })),
  ...[...referenceRoles, 'hero'].map((role) => ({
    name: `role ${role}`,
    valid: (referenceRoles as readonly string[]).includes(role),
    fields: (id: string) => ({ references: [reference(id, { role })] }),
  })),
  ...[0, referencesMax, referencesMax + 1].map((count) => ({
    name: `${count} references`,
    valid: count <= referencesMax,
    fields: (id: string) => ({ references: Array.from({ length: count }, () => reference(id)) }),
  })),
  { name: 'a reference without role', valid: false, fields: (id) => ({ references: [{ reference_id: id }] }) },
  { name: 'a reference_id of another form', valid: false, fields: () => ({ references: [reference('asset_1')] }) },
  {
    name: 'webhook_url https://example.com/hook',
    valid: true,
    fields: () => ({ webhook_url: 'https://example.com/hook' }),
  },
  { name: 'webhook_url that is no URI', valid: false, fields: () => ({ webhook_url: 'not a uri' }) },
  { name: 'webhook_url without https', valid: false, fields: () => ({ webhook_url: 'http://example.com/hook' }) },
];

/** By estimates, which cost nothing. */
export const limitClauses: readonly Clause[] = edges.map((edge) => ({
  id: `limits.${edge.name.replace(/[^A-Za-z0-9.:]+/g, '-').replace(/-$/, '')}`,
  section: 'Limits',
  says: `A movie request with ${edge.name} is ${edge.valid ? 'valid' : 'invalid'}`,
  creates: 0,
  check: (session) => checkEdge(session, edge),
}));

async function checkEdge(session: Session, { valid, fields }: Edge): Promise<void> {
  const { id } = (await session.reference()).reference;
  const answer = await session.call('estimateMovie', { body: { ...sampleRequest, ...fields(id) } });
  if (valid) bodyOf(answer, Estimate);
  else errorOf(answer);
}
