import { Estimate, limits } from '../../api/contract.js';
import { aspectRatios, referenceRoles } from '../../domain/brief.js';
import { bodyOf, refused } from '../answers.js';
import { astral, sampleRequest } from '../briefs.js';
import type { Clause } from '../clause.js';
import type { Session } from '../session.js';

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
      fields: fields(textOf(letter, length)),
    })),
  );
}

/** A text of `length` characters that begins with words: some services refuse symbols alone, with reason. */
function textOf(letter: string, length: number): string {
  const words = 'A sail ';
  return length > words.length ? words + letter.repeat(length - words.length) : letter.repeat(length);
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
  ...[undefined, null, 5000, ['A boat sails to the sea']].map((prompt) => ({
    name: prompt === undefined ? 'no prompt' : `prompt ${JSON.stringify(prompt)}`,
    valid: false,
    fields: () => ({ prompt }),
  })),
  {
    name: 'a reference_id that nothing has',
    valid: false,
    fields: () => ({ references: [reference('ref_doesNotExist0')] }),
  },
  { name: 'a reference_id of another form', valid: false, fields: () => ({ references: [reference('asset_1')] }) },
  {
    name: 'webhook_url https://example.com/hook',
    valid: true,
    fields: () => ({ webhook_url: 'https://example.com/hook' }),
  },
  { name: 'webhook_url that is no URI', valid: false, fields: () => ({ webhook_url: 'not a uri' }) },
  { name: 'webhook_url without https', valid: false, fields: () => ({ webhook_url: 'http://example.com/hook' }) },
];

const idOf = ({ name }: Edge) => name.replace(/[^A-Za-z0-9.:_]+/g, '-').replace(/-$/, '');

/** Checked with estimates, which cost nothing. */
const estimateLimits = edges.map((edge): Clause => ({
  id: `limits.${idOf(edge)}`,
  section: 'Limits',
  says: `A movie request with ${edge.name} is ${edge.valid ? 'valid' : 'invalid'}`,
  async check(session) {
    await session.estimate();
    const answer = await session.call('estimateMovie', { body: await bodyWith(edge, session) });
    if (edge.valid) bodyOf(answer, Estimate);
    else refused(answer);
  },
}));

/** A create has the same limits. The movies that are made show what is valid. */
const createLimits = edges
  .filter(({ valid }) => !valid)
  .map((edge): Clause => ({
    id: `limits.create.${idOf(edge)}`,
    section: 'Limits',
    says: `A create with ${edge.name} is answered with 400`,
    refusals: 1,
    async check(session) {
      await session.refusal();
      refused(await session.call('createMovie', { body: await bodyWith(edge, session) }), 400);
    },
  }));

export const limitClauses: readonly Clause[] = [...estimateLimits, ...createLimits];

async function bodyWith({ fields }: Edge, session: Session): Promise<object> {
  const needsReference = 'references' in fields('');
  const id = needsReference ? (await session.usableReference()).id : '';
  return { ...sampleRequest, ...fields(id) };
}
