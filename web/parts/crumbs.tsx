import { A } from './link.js';

/** The way from the batches to this page; the last part is this page. */
export function Crumbs({ parts }: { readonly parts: readonly { readonly text: string; readonly path?: string }[] }) {
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {parts.map(({ text, path }) => (
          <li>{path === undefined ? <span aria-current="page">{text}</span> : <A to={path}>{text}</A>}</li>
        ))}
      </ol>
    </nav>
  );
}
