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

/**
 * A path or a whole address as a link. No part of a path can become a scheme, a query or a fragment: what begins like an
 * address is one of ours, since no name in an archive has a colon.
 */
export function relativeLink(path: string): string {
  if (/^(https?|s3):\/\//.test(path)) return escapeHtml(path);
  return escapeHtml(`./${path.split('/').map(encodeURIComponent).join('/')}`);
}
