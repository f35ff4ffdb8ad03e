import type { Node } from 'yaml';
import type { TextFix } from '../tables/table.js';
import type { YamlText } from './yaml-reader.js';

/** How to rewrite a value in double quotes; for a list, only the parts that changed. */
export function fixesOfValue({ node, parts, partNodes }: YamlText, value: string): readonly TextFix[] {
  if (parts === null) return fixOf(node, value);
  const values = value.split('|');
  return partNodes.flatMap((part, index) => {
    const now = values[index];
    return now === undefined || now === parts[index] ? [] : fixOf(part, now);
  });
}

function fixOf(node: Node, value: string): readonly TextFix[] {
  const [from, to] = node.range ?? [0, 0];
  return from === to ? [] : [{ from, to, text: JSON.stringify(value) }];
}
