import type { DeskContext } from '../desk-env.js';
import type { Site } from '../site.js';
import type { Form } from './form.js';

/** The page that a form was sent from; where a browser does not say it, the one that has this form. */
export function formPage(c: DeskContext): string {
  const { site } = c.get('deps');
  return pageOfForm(pathIn(c.req.header('referer') ?? '', site)) || pageOfForm(pathIn(c.req.url, site)) || '/';
}

/** An address that takes a form and shows nothing, as the page of that form. */
export function pageOfForm(path: string): string {
  return path
    .replace(/\/(approve|reject)$/, '/plan')
    .replace(/\/(shares(\/[^/]+\/revoke)?|redo)$/, '/gallery')
    .replace(/\/(resolve|submit|book|reviews)$/, '')
    .replace(/^\/uploads$/, '/upload')
    .replace(/^\/sign-out$/, '/');
}

/** What an address asks for of the desk; nothing where it is no address of it. */
export function pathIn(url: string, { basePath }: Site): string {
  if (!URL.canParse(url)) return '';
  const { pathname, search } = new URL(url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) + search : '';
}

/** Sentences that somebody wrote; figures, choices and what a page put into its form itself are not. */
export function writtenIn(form: Form): readonly string[] {
  const fields = Object.entries(form).filter(([name]) => /^(note\d*|reason|evidence)$/.test(name));
  return fields.map(([, text]) => text).filter((text) => text.trim() !== '');
}
