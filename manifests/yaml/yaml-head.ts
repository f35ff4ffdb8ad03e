import { type Document, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { bareName } from '../../sheets/bare-name.js';
import { nearestOf } from '../../sheets/edit-distance.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import type { BatchSettings } from '../tables/table.js';
import { readMovie, type YamlMovie } from './yaml-movie.js';
import type { YamlReader, YamlText } from './yaml-reader.js';
import { readSetting, settingNames } from './yaml-settings.js';

/** Everything in a YAML manifest except its movies, which are still nodes. */
export interface YamlHead {
  readonly campaign: string | null;
  readonly settings: BatchSettings;
  readonly defaults: YamlMovie;
  readonly matrix: ReadonlyMap<string, YamlText>;
  readonly movies: readonly (Node | null)[];
}

const movieLists: ReadonlySet<string> = new Set(['movies', 'briefs', 'rows']);
const noDefaults: YamlMovie = { cells: new Map(), saysReferences: false };

/** Aliases within one value, counting those inside each expansion every time (billion laughs). */
const maxAliases = 10_000;

export function readHead({ contents }: Document, reader: YamlReader): YamlHead {
  const root = reader.values.follow(contents);
  const head = { campaign: null, settings: {}, defaults: noDefaults, matrix: new Map(), movies: [] };
  if (isSeq(root)) return { ...head, movies: moviesOf(root, '', reader) };
  if (isMap(root)) return readRoot(root, reader);
  reader.note(
    root,
    '',
    error('no_movies', 'it has no list of movies: "movies:" and below it "- id: …", "  prompt: …"'),
  );
  return head;
}

function readRoot(root: YAMLMap, reader: YamlReader): YamlHead {
  const settings: BatchSettings = {};
  let campaign: string | null = null;
  let defaults = noDefaults;
  let matrix: ReadonlyMap<string, YamlText> = new Map();
  let movies: { readonly key: string; readonly value: Node | null } | null = null;
  for (const { key, value } of reader.entries(root, '')) {
    const name = bareName(key);
    if (movieLists.has(name)) {
      if (movies)
        reader.note(
          value,
          key,
          error('duplicate_key', `"${movies.key}" and "${key}" are both the movies; leave one out`),
        );
      else movies = { key, value };
    } else if (name === 'campaign') campaign = reader.text(value, key)?.text.trim() ?? null;
    else if (name === 'defaults') defaults = readDefaults(value, key, reader);
    else if (name === 'matrix') matrix = readMatrix(value, key, reader);
    else if (!readSetting(key, value, reader, settings)) noteUnknown(key, value, reader);
  }
  if (!movies) reader.note(root, '', error('no_movies', 'it has no "movies:", the list of its movies'));
  return { campaign, settings, defaults, matrix, movies: movies ? moviesOf(movies.value, movies.key, reader) : [] };
}

/** Whether a value can be read without being blown up by its aliases. */
export function isFlat(value: Node | null, path: string, reader: YamlReader): boolean {
  if (reader.values.aliasCount(value) <= maxAliases) return true;
  reader.note(value, path, error('too_many_aliases', `its aliases expand to more than ${maxAliases} others`));
  return false;
}

function moviesOf(node: Node | null, path: string, reader: YamlReader): readonly (Node | null)[] {
  const list = reader.values.follow(node);
  if (isSeq(list)) return list.items as (Node | null)[]; // composed from a text, items are nodes
  if (list !== null && !(isScalar(list) && list.value === null)) {
    reader.note(node, path, error('no_movies', 'not a list; each movie begins with a dash'));
  }
  return [];
}

function readDefaults(node: Node | null, path: string, reader: YamlReader): YamlMovie {
  const map = isFlat(node, path, reader) ? mapOf(node, path, reader) : null;
  if (!map) return noDefaults;
  const movie = readMovie(map, reader, `${path}.`);
  const cells = new Map(movie.cells);
  for (const name of ['id', 'prompt']) {
    const cell = cells.get(name);
    if (cell)
      reader.note(cell.value.node, cell.value.path, error('default', `${name} is each movie's own; it has no default`));
    cells.delete(name);
  }
  return { ...movie, cells };
}

function readMatrix(node: Node | null, path: string, reader: YamlReader): ReadonlyMap<string, YamlText> {
  const axes = new Map<string, YamlText>();
  const map = isFlat(node, path, reader) ? mapOf(node, path, reader) : null;
  for (const { key, value } of map ? reader.entries(map, `${path}.`) : []) {
    const text = reader.text(value, `${path}.${key}`);
    if (text?.parts?.length === 0) reader.note(value, text.path, error('matrix', 'it has no values; leave it out'));
    else if (text) axes.set(key, text);
  }
  return axes;
}

function mapOf(node: Node | null, path: string, reader: YamlReader): YAMLMap | null {
  const found = reader.values.follow(node);
  if (isMap(found)) return found;
  if (found !== null && !(isScalar(found) && found.value === null)) {
    reader.note(node, path, error('value_kind', 'not a map; write "name: value" below it'));
  }
  return null;
}

const rootNames = ['campaign', 'defaults', 'matrix', ...movieLists, ...settingNames];

/** Names that only hold anchors (`x-base`, `_base`, `.base`) are allowed. A misspelled setting would cost money. */
function noteUnknown(key: string, value: Node | null, reader: YamlReader): void {
  if (/^(?:x-|[._])/.test(key)) return;
  const meant = nearestOf(bareName(key), rootNames.map(bareName));
  const name = rootNames.find((known) => bareName(known) === meant);
  if (name !== undefined) {
    reader.note(value, key, error('unknown_key', `"${key}" is not known; did you mean ${name}?`));
    return;
  }
  const message = `"${key}" is not known and not used; a name used only for anchors begins with x-`;
  reader.note(value, key, { severity: 'warning', code: 'unknown_key', message });
}

function error(code: string, message: string): Trouble {
  return { severity: 'error', code, message };
}
