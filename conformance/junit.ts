import type { ClauseResult, ConformanceReport } from './run-conformance.js';

/** Writes the report as JUnit XML: one suite per section, one case per clause. */
export function junitXml({ results }: ConformanceReport, baseUrl: string): string {
  const sections = [...new Set(results.map(({ section }) => section))];
  const suites = sections.map((section) =>
    suiteXml(
      section,
      results.filter((result) => result.section === section),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name=${quoted(baseUrl)} ${counts(results)}>\n${suites.join('')}</testsuites>\n`;
}

function suiteXml(section: string, results: readonly ClauseResult[]): string {
  return `  <testsuite name=${quoted(section)} ${counts(results)}>\n${results.map(caseXml).join('')}  </testsuite>\n`;
}

function counts(results: readonly ClauseResult[]): string {
  const count = (result: ClauseResult['outcome']['result']) =>
    results.filter(({ outcome }) => outcome.result === result).length;
  return `tests="${results.length}" failures="${count('failed')}" skipped="${count('not testable')}" errors="0"`;
}

function caseXml({ id, section, says, outcome }: ClauseResult): string {
  const open = `    <testcase classname=${quoted(section)} name=${quoted(`${id}: ${says}`)}`;
  switch (outcome.result) {
    case 'passed':
      return `${open}/>\n`;
    case 'not testable':
      return `${open}><skipped message=${quoted(outcome.reason)}/></testcase>\n`;
    case 'failed': {
      const { sent, received } = outcome.exchange ?? { sent: '', received: '' };
      const text = escaped(`${sent}\n\n${received}`);
      return `${open}><failure message=${quoted(`The service ${outcome.problem}`)}>${text}</failure></testcase>\n`;
    }
  }
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A service may answer anything, and XML cannot carry everything: what it cannot carry becomes a replacement character. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
