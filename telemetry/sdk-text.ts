/**
 * Metrics of Temporal's SDK as OpenMetrics: there a counter's name has no `_total` where its type and help are said.
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
