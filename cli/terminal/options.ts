import { Option } from '@commander-js/extra-typings';

export function progressOption() {
  return new Option('--progress <kind>', 'how progress is shown')
    .choices(['auto', 'live', 'plain', 'quiet'] as const)
    .default('auto' as const);
}

export function renderOption() {
  return new Option('--render <kind>', "films of the home's own studio (GREENLIGHT_STUDIO_RENDER)").choices([
    'film',
    'draft',
    'stub',
  ] as const);
}
