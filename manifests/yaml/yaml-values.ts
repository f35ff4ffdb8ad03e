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
  /** Names that are there twice. */
  readonly twice: readonly Entry[];
}

/** Nodes of one document with their aliases followed. */
export interface YamlValues {
  /** The node itself, or the one that its alias stands for; null for an alias that leads nowhere or to itself. */
  follow(node: Node | null): Node | null;
  /** What a map holds: its own names, then those that it takes over by `<<`. Each map is put together once. */
  entriesOf(map: YAMLMap): Entries;
  /** Aliases that would have to be written out to do without any, those inside of what they stand for counted each time. */
  aliasCount(node: Node | null): number;
}

export function yamlValues(document: Document): YamlValues {
  const targets = targetsOf(document);
  const merged = new Map<YAMLMap, Entries | null>();
  const counted = new Map<Node, number>();

  const follow = (node: Node | null) => followed(node, targets);

  function entriesOf(map: YAMLMap): Entries {
    if (targets.size === 0) return putTogether(map); // it is asked for once
    const known = merged.get(map);
    if (known) return known;
    if (known === null) return noEntries; // it takes over itself
    merged.set(map, null);
    const found = putTogether(map);
    merged.set(map, found);
    return found;
  }

  function putTogether(map: YAMLMap): Entries {
    const own = new Map<string, Entry>();
    const twice: Entry[] = [];
    const bases: YAMLMap[] = [];
    for (const { key, value } of map.items) {
      // Composed from a text, keys are scalars and values nodes.
      const node = value as Node | null;
      if (isMergeKey(key)) bases.push(...mapsOf(node));
      else {
        const entry = { key: scalarText(key as Scalar), keyOffset: (key as Scalar).range?.[0] ?? 0, value: node };
        if (own.has(entry.key)) twice.push(entry);
        else own.set(entry.key, entry);
      }
    }
    for (const base of bases) {
      for (const entry of entriesOf(base).entries) if (!own.has(entry.key)) own.set(entry.key, entry);
    }
    return { entries: [...own.values()], twice };
  }

  function mapsOf(node: Node | null): readonly YAMLMap[] {
    const found = follow(node);
    if (isMap(found)) return [found];
    return isSeq(found) ? found.items.flatMap((item) => mapsOf(item as Node)) : [];
  }

  function aliasCount(node: Node | null, depth = 0): number {
    if (node === null || isScalar(node) || targets.size === 0) return 0;
    if (depth > deepestChain) return Number.POSITIVE_INFINITY;
    const known = counted.get(node);
    if (known !== undefined) return known;
    counted.set(node, 0); // an alias to what it is part of adds nothing more
    const count = isAlias(node)
      ? 1 + aliasCount(targets.get(node) ?? null, depth + 1)
      : childrenOf(node).reduce((sum, child) => sum + aliasCount(child, depth + 1), 0);
    counted.set(node, count);
    return count;
  }

  return { follow, entriesOf, aliasCount };
}

/** The node that a chain of aliases ends at; null where it leads nowhere or back to itself. */
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
const deepestChain = 500;

const noEntries: Entries = { entries: [], twice: [] };

/** An alias stands for the last node before it that has its name. */
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

/** A value as it is spelled: `007` stays `007`. Empty for null. */
export function scalarText(scalar: Scalar): string {
  const { value, source, type } = scalar;
  if (value === null || value === undefined) return '';
  if (type === 'PLAIN' && source !== undefined) return source;
  return String(value);
}
