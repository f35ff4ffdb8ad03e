import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';

/** A named value in a map, wherever its name is written. */
export interface Entry {
  readonly key: string;
  readonly keyOffset: number;
  readonly value: Node | null;
}

export interface Entries {
  readonly entries: readonly Entry[];
  /** Names that occur twice. */
  readonly duplicates: readonly Entry[];
}

/** Nodes of one document with their aliases followed. */
export interface YamlValues {
  /** The node itself, or the one that its alias refers to; null for an alias that refers to nothing or to itself. */
  follow(node: Node | null): Node | null;
  /** What a map holds: its own names, then those merged with `<<`. Each map is built once. */
  entriesOf(map: YAMLMap): Entries;
  /** The number of aliases in a full expansion, counting those inside each expansion every time. */
  aliasCount(node: Node | null): number;
}

export function yamlValues(document: Document): YamlValues {
  const targets = targetsOf(document);
  const merged = new Map<YAMLMap, Entries | null>();
  const counted = new Map<Node, number>();

  const follow = (node: Node | null) => followed(node, targets);

  function entriesOf(map: YAMLMap): Entries {
    if (targets.size === 0) return merge(map); // it is read once
    const known = merged.get(map);
    if (known) return known;
    if (known === null) return noEntries; // it merges itself
    merged.set(map, null);
    const found = merge(map);
    merged.set(map, found);
    return found;
  }

  function merge(map: YAMLMap): Entries {
    const own = new Map<string, Entry>();
    const duplicates: Entry[] = [];
    const bases: YAMLMap[] = [];
    for (const { key, value } of map.items) {
      // Composed from a text, keys are scalars and values nodes.
      const node = value as Node | null;
      if (isMergeKey(key)) bases.push(...mapsOf(node));
      else {
        const entry = { key: scalarText(key as Scalar), keyOffset: (key as Scalar).range?.[0] ?? 0, value: node };
        if (own.has(entry.key)) duplicates.push(entry);
        else own.set(entry.key, entry);
      }
    }
    for (const base of bases) {
      for (const entry of entriesOf(base).entries) if (!own.has(entry.key)) own.set(entry.key, entry);
    }
    return { entries: [...own.values()], duplicates };
  }

  function mapsOf(node: Node | null): readonly YAMLMap[] {
    const found = follow(node);
    if (isMap(found)) return [found];
    return isSeq(found) ? found.items.flatMap((item) => mapsOf(item as Node)) : [];
  }

  function aliasCount(node: Node | null, depth = 0): number {
    if (node === null || isScalar(node) || targets.size === 0) return 0;
    if (depth > maxChain) return Number.POSITIVE_INFINITY;
    const known = counted.get(node);
    if (known !== undefined) return known;
    counted.set(node, 0); // an alias to its own ancestor adds nothing more
    const count = isAlias(node)
      ? 1 + aliasCount(targets.get(node) ?? null, depth + 1)
      : childrenOf(node).reduce((sum, child) => sum + aliasCount(child, depth + 1), 0);
    counted.set(node, count);
    return count;
  }

  return { follow, entriesOf, aliasCount };
}

/** The node at the end of a chain of aliases; null when it leads nowhere or back to itself. */
function followed(node: Node | null, targets: ReadonlyMap<Alias, Node>): Node | null {
  const seen = new Set<Node>();
  let found = node;
  while (found && isAlias(found)) {
    if (seen.has(found)) return null;
    seen.add(found);
    found = targets.get(found) ?? null;
  }
  return found;
}

/** Far more than a person nests, far less than the stack takes. */
const maxChain = 500;

const noEntries: Entries = { entries: [], duplicates: [] };

/** An alias refers to the last node before it that has its name. */
function targetsOf(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target) targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

function childrenOf(node: Node): readonly (Node | null)[] {
  if (isMap(node)) return node.items.map(({ value }) => value as Node | null);
  return isSeq(node) ? (node.items as Node[]) : [];
}

function isMergeKey(key: unknown): boolean {
  if (!isScalar(key)) return false;
  const { value, type } = key;
  return (typeof value === 'symbol' && value.description === '<<') || (value === '<<' && type === 'PLAIN');
}

/** A value as spelled: `007` stays `007`. Empty for null. */
export function scalarText(scalar: Scalar): string {
  const { value, source, type } = scalar;
  if (value === null || value === undefined) return '';
  if (type === 'PLAIN' && source !== undefined) return source;
  return String(value);
}
