/** With a backslash before it, it is not a slot. */
const slot = /\\?\{\{([^{}]*)\}\}/g;
/** As many as a person wants to read about; the texts of one cell may have thousands. */
const maxMissing = 20;

export interface Filled {
  readonly text: string;
  /** Slots that nothing fills: no such column, or an empty cell. */
  readonly missing: readonly { readonly name: string; readonly isColumn: boolean }[];
}

/**
 * Fills each `{{column}}` of a text from its row, once: what is filled in is text, even when it has braces. `\{{word}}`
 * is the text `{{word}}`, as in Handlebars.
 *
 * @param cellNamed the row's value of a column by its name; null when there is no such column
 */
export function fillTemplate(text: string, cellNamed: (name: string) => string | null): Filled {
  if (!text.includes('{{')) return { text, missing: [] };
  const missing: { name: string; isColumn: boolean }[] = [];
  const filled = text.replace(slot, (whole, written: string) => {
    if (whole.startsWith('\\')) return whole.slice(1);
    const name = written.trim();
    const value = cellNamed(name);
    if (value !== null && value !== '') return value;
    if (missing.length < maxMissing) missing.push({ name, isColumn: value !== null });
    return whole;
  });
  return { text: filled, missing };
}
