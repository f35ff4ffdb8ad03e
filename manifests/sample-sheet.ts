import { aspectRatios, referenceRoles } from '../domain/brief.js';
import { limits } from '../domain/interface-limits.js';

export interface SampleColumn {
  readonly name: string;
  /** What it may contain, in a sentence. */
  readonly about: string;
  /** Values offered for a cell; others may be valid as well. */
  readonly choices?: readonly string[];
  /** Wide columns hold text. In characters. */
  readonly width: number;
}

/** Further sheets of a sample workbook; they are never read as the manifest. */
export const rulesSheetName = 'Rules';
export const examplesSheetName = 'Examples';

/** Every column that a sheet may have, for this many references. */
export function sampleColumns(references: number): readonly SampleColumn[] {
  return [...fields, ...Array.from({ length: references }, (_, index) => referenceColumns(index + 1)).flat(), own];
}

const { promptMin, promptMax, durationSecondsMin, durationSecondsMax, durationSecondsDefault } = limits;

const fields: readonly SampleColumn[] = [
  { name: 'id', width: 16, about: 'names the movie: 1 to 64 of A-Z a-z 0-9 . _ -; each row its own' },
  {
    name: 'prompt',
    width: 70,
    about: `what the movie shows: ${promptMin} to ${promptMax} characters; {{column}} is filled from the row`,
  },
  {
    name: 'duration_seconds',
    width: 18,
    about: `whole seconds from ${durationSecondsMin} to ${durationSecondsMax}; ${durationSecondsDefault} where empty`,
  },
  {
    name: 'aspect_ratio',
    width: 14,
    choices: aspectRatios,
    about: `${aspectRatios.join(', ')}; several joined by | are a movie each`,
  },
  { name: 'style', width: 34, about: `how it looks: at most ${limits.styleMax} characters` },
];

function referenceColumns(number: number): readonly SampleColumn[] {
  const name = `reference_${number}`;
  return [
    { name, width: 22, about: 'a file next to the sheet, an https URL, or the ref_… id of an uploaded one' },
    { name: `${name}_role`, width: 18, choices: referenceRoles, about: referenceRoles.join(', ') },
    {
      name: `${name}_description`,
      width: 30,
      about: `what to take from it: at most ${limits.descriptionMax} characters`,
    },
  ];
}

const own: SampleColumn = {
  name: 'market',
  width: 12,
  about: 'one of your own, as many as you like: kept, given back, not sent',
};

/** Rows that show what a cell may hold, keyed by column name. */
export const sampleRows: readonly Readonly<Record<string, string>>[] = [
  {
    id: 'spring-hero',
    prompt: 'A runner at dawn crosses an empty bridge, close on the shoe. Text at the end: Spring runs first.',
    duration_seconds: '8',
    aspect_ratio: '16:9|9:16',
    style: 'hand-held, warm light',
    market: 'de',
  },
  {
    id: 'spring-loop',
    prompt: 'A seamless loop of one step on wet cobblestones in {{market}}, slow and close.',
    duration_seconds: '5',
    aspect_ratio: '1:1',
    style: '',
    market: 'fr',
  },
];

/** One row of each kind, with what it shows; for a sheet to copy from. */
export const exampleRows: readonly Readonly<Record<string, string>>[] = [
  { id: 'plain', prompt: 'A lighthouse at dusk, gulls above it.', shows: 'the least: 30 s, any aspect ratio' },
  {
    ...{ id: 'ratios', prompt: 'A lighthouse at dusk, gulls above it.', duration_seconds: '8' },
    ...{ aspect_ratio: '16:9|9:16', shows: 'two movies, ratios-16x9 and ratios-9x16' },
  },
  {
    ...{ id: 'filled-in', prompt: 'The harbour of {{market}} in the morning.', duration_seconds: '8', market: 'Kiel' },
    shows: 'a word of the row, from a column of your own',
  },
  {
    ...{ id: 'end-text', prompt: 'A runner on a bridge. Text at the end: Spring runs first.', duration_seconds: '8' },
    ...{ aspect_ratio: '1:1', style: 'hand-held, warm light', shows: 'text in the picture, and a style' },
  },
  {
    ...{ id: 'file', prompt: 'The shoe from the picture on wet stones.', reference_1: 'refs/shoe.png' },
    ...{
      reference_1_role: 'product',
      reference_1_description: 'the shoe, as it is',
      shows: 'a file next to the sheet',
    },
  },
  {
    ...{ id: 'address', prompt: 'The dog from the picture runs on a beach.' },
    ...{
      reference_1: 'https://example.com/dog.jpg',
      reference_1_role: 'character',
      shows: 'a file at an https address',
    },
  },
  {
    ...{ id: 'uploaded', prompt: 'The room from the picture at night.', reference_1: 'ref_abc123' },
    ...{ reference_1_role: 'location', shows: 'a reference that the service has already' },
  },
  {
    ...{ id: 'arabic', prompt: 'عداءة تعبر جسرا عند الفجر', duration_seconds: '8', aspect_ratio: '9:16', market: 'ar' },
    shows: 'a brief in any language and script',
  },
];
