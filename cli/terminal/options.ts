import { Option } from '@commander-js/extra-typings';

export function progressOption() {
  return new Option('--progress <kind>', 'how to show progress')
    .choices(['auto', 'live', 'plain', 'quiet'] as const)
    .default('auto' as const);
}

export function renderOption() {
  return new Option('--render <kind>', 'render quality of the built-in studio (GREENLIGHT_STUDIO_RENDER)').choices([
    'film',
    'draft',
    'stub',
  ] as const);
}

export function healthOption() {
  return new Option(
    '--health <host:port>',
    'where to serve /livez, /readyz and /metrics; on this machine only without a host (GREENLIGHT_HEALTH_LISTEN)',
  );
}
