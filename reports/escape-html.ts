const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML, also inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A relative path as a link: no part of it can become a scheme, a query or a fragment. */
export function relativeLink(path: string): string {
  return escapeHtml(`./${path.split('/').map(encodeURIComponent).join('/')}`);
}
