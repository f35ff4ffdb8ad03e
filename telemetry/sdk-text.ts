/**
 * Converts metrics of Temporal's SDK to OpenMetrics, where the type and help lines of a counter have no `_total`.
 *
 * @param text as the SDK serves it, with the suffix on its counters.
 */
export function asOpenMetrics(text: string): string {
  const counters = new Set([...text.matchAll(/^# TYPE (\S+)_total counter$/gm)].map(([, name]) => name));
  return text
    .replace(/^# (HELP|TYPE) (\S+?)_total( |$)/gm, (line, keyword: string, name: string, rest: string) =>
      counters.has(name) ? `# ${keyword} ${name}${rest}` : line,
    )
    .replace(/^# EOF\n?/gm, '');
}
