import { eachSetting, type Setting } from '../../home/settings.js';

/** What is set in the environment alone: secrets, and what other programs' tools know by these names. */
const environmentOnly: readonly (readonly [string, string])[] = [
  ['GREENLIGHT_CONFIG', 'settings file to read instead of `greenlight.config.yaml` (`--config`)'],
  ['GREENLIGHT_TOKEN', 'your token, if people are registered'],
  ['GREENLIGHT_DEBUG', '1: include stack traces'],
  ['TEMPORAL_ADDRESS, …', 'a Temporal service, as its own tools read it (default: the built-in server)'],
  [
    'TEMPORAL_CLI_PATH',
    'program of the built-in Temporal (default: found on `PATH` or in a cache, else downloaded once)',
  ],
  ['AWS_ACCESS_KEY_ID, …', 'credentials, region and endpoint of an `s3:` archive, as the AWS tools read them'],
  [
    'HTTPS_PROXY, NO_PROXY, …',
    'proxies for the service, its files, references and a remote Temporal; never for the built-in servers',
  ],
  ['NO_COLOR', 'no colours (`--no-color`)'],
];

/** docs/configuration.md, as the schema of the settings has it. */
export function configurationPage(): string {
  const settings = eachSetting();
  return `# Configuration

Flags override the environment, which overrides \`greenlight.config.yaml\` in the current folder (or the file that
\`--config\` names), which overrides the defaults. \`greenlight init\` writes that file. A setting that cannot be used is
named with its line. This page is made from the schema of the settings; a test keeps it so.

${table(
  ['setting', 'environment', 'means', 'default'],
  settings.map((setting) => [`\`${setting.key}\``, given(setting), means(setting), defaultOf(setting)]),
)}

In the file, \`movieApi.url\` is \`movieApi: { url: … }\`. Set in the environment alone:

${table(
  ['variable', 'means'],
  environmentOnly.map(([name, words]) => [name.replaceAll(/[A-Z_]{4,}/g, '`$&`'), words]),
)}
`;
}

function given({ env, flag }: Setting): string {
  return [env, flag].flatMap((name) => (name === null ? [] : [`\`${name}\``])).join(', ');
}

function means({ description, choices }: Setting): string {
  return choices.length === 0 ? description : `${description}: ${choices.map((choice) => `\`${choice}\``).join(', ')}`;
}

function defaultOf({ default: value }: Setting): string {
  return value === undefined ? '' : `\`${String(value)}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
