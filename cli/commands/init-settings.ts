import { stringify } from 'yaml';

export type Answers = Readonly<Record<'movieApi' | 'home' | 'archive' | 'maxInFlight' | 'failed', string>>;

export interface InitQuestion {
  readonly name: keyof Answers;
  /** The setting that the answer becomes. */
  readonly key: string;
  readonly flag: string;
  readonly question: string;
  /** The answer of who only presses Enter, and what it means. */
  readonly preset: string;
  readonly presetWords: string;
}

export const initQuestions: readonly InitQuestion[] = [
  {
    ...{ name: 'movieApi', key: 'movieApi.url', flag: 'movie-api-url' },
    ...{ question: 'Address of the movie service', preset: '', presetWords: 'the built-in studio, no charges' },
  },
  {
    ...{ name: 'home', key: 'home', flag: 'home', question: 'Folder for the ledger' },
    ...{ preset: '.greenlight', presetWords: '.greenlight' },
  },
  {
    ...{ name: 'archive', key: 'archive', flag: 'archive', question: 'Where finished movies go, file: or s3:' },
    ...{ preset: 'file:out', presetWords: 'file:out' },
  },
  {
    ...{ name: 'maxInFlight', key: 'maxInFlight', flag: 'max-in-flight', question: 'Movies in progress at once' },
    ...{ preset: '100', presetWords: '100' },
  },
  {
    ...{ name: 'failed', key: 'billing.failed', flag: 'failed-movies' },
    ...{ question: 'Movies that fail are charged or refunded' },
    ...{ preset: 'charged', presetWords: 'charged' },
  },
];

/** greenlight.config.yaml with what each setting is for. */
export function settingsText({ movieApi, home, archive, maxInFlight, failed }: Answers): string {
  const text = (value: string) => stringify(value).trimEnd();
  return `# Settings of Greenlight, read in this folder. Environment variables and options
# override them. All settings: docs/configuration.md of Greenlight.

# Where the ledger is, and the built-in Temporal and studio. Whoever works on
# the same batches uses the same one.
home: ${text(home)}
# database: postgres://user@host/greenlight   # a ledger for many machines

# Where finished movies go: file:<folder>, or s3://<bucket>/<prefix>.
archive: ${text(archive)}

# The movie service. Without an address, the built-in studio draws rehearsals at
# no charge. Its key belongs in the environment: MOVIE_API_KEY.
${movieApi === '' ? '# movieApi:\n#   url: https://movies.example/v1' : `movieApi:\n  url: ${text(movieApi)}`}

# Maximum movies in progress at once, over all batches.
maxInFlight: ${maxInFlight}

# What the service does about a movie that fails: charged, or refunded.
# For a new ledger; later: greenlight policy.
billing:
  failed: ${failed}
`;
}
