import { createHash } from 'node:crypto';

/**
 * One click on a poster plays its film, and the film before it stops. Without scripts the poster opens to a player, so
 * that nothing depends on this.
 */
export const galleryScript = `
addEventListener('toggle', ({ target }) => {
  const film = target.querySelector('video');
  if (!target.open) return film.pause();
  film.focus();
  film.play().catch(() => {});
}, true);
`.trim();

/** By which the page's own policy lets this script run, and no other one. */
export const galleryScriptHash = `sha256-${createHash('sha256').update(galleryScript).digest('base64')}`;
