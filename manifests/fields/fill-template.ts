/** With a backslash before it, it is none. */
const slot = /\\?\{\{([^{}]*)\}\}/g;
/** As many as a person wants to read of; the texts of one cell may have thousands. */
const mostMissing = 20;

export interface Filled {
  readonly text: string;
  /** Slots that nothing fills: no such column, or an empty cell. */
  readonly missing: readonly { readonly name: string; readonly isColumn: boolean }[];
}

/**
 * Fills each `{{column}}` of a text from its row, once: what is filled in is text, also when it has braces. `\{{word}}` is
 * the text `{{word}}`, as in Handlebars.
 *
 * @param cellNamed the row's value of a column by its name; null where there is no such column
 */
export function fillTemplate(text: string, cellNamed: (name: string) => string | null): Filled {
  if (!text.includes('{{')) return { text, missing: [] };
  const missing: { name: string; isColumn: boolean }[] = [];
  const filled = text.replace(slot, (whole, written: string) => {
    if (whole.startsWith('\\')) return whole.slice(1);
    const name = written.trim();
    const value = cellNamed(name);
    if (value !== null && value !== '') return value;
    if (missing.length < mostMissing) missing.push({ name, isColumn: value !== null });
    return whole;
  });
  return { text: filled, missing };
}
