import { A } from '../parts/link.js';

const pages = [
  { name: 'overview', text: 'Overview', path: '' },
  { name: 'plan', text: 'Plan', path: '/plan' },
  { name: 'gallery', text: 'Gallery', path: '/gallery' },
  { name: 'results', text: 'Results', path: '/certificate' },
] as const;

interface BatchNavProps {
  readonly batch: { readonly batchId: string };
  readonly here: (typeof pages)[number]['name'];
}

/** The pages of one batch. */
export function BatchNav({ batch: { batchId }, here }: BatchNavProps) {
  return (
    <nav class="sub-nav" aria-label="This batch">
      {pages.map(({ name, text, path }) => (
        <A to={`/batches/${batchId}${path}`} current={name === here && 'page'}>
          {text}
        </A>
      ))}
      <A to={`/audit?of=${encodeURIComponent(batchId)}`}>Audit</A>
    </nav>
  );
}
