import { type ProblemName, problems, problemType } from '../problem.js';
import type { OpenApiDocument, OpenApiOperation } from './openapi.js';
import type { Schema } from './schemas.js';

/** It is a file of its own: the desk's policy lets no page carry a style. */
export const docsStyle = `
:root { color-scheme: light dark; --line: #8886; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
code, pre { font: 14px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; border-top: 1px solid var(--line); padding: .35rem .8rem .35rem 0; }
`;

export const docsPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The document for people: one page, no script. */
export function docsPage({ info, servers, paths, components }: OpenApiDocument): string {
  const base = servers[0]?.url ?? '';
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{info.title}</title>
        <link rel="stylesheet" href={`${base}/docs.css`} />
      </head>
      <body>
        <h1>{info.title}</h1>
        <p>{info.description}</p>
        <p>
          The same as a document for tools: <a href={`${base}/openapi.json`}>openapi.json</a>
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys */}
        <pre tabindex={0}>{example(base)}</pre>
        <ul>
          {operations.map(({ path, method, operation }) => (
            <li>
              <a href={`#${operation.operationId}`}>{operation.summary}</a>{' '}
              <code>
                {method} {path}
              </code>
            </li>
          ))}
        </ul>
        {operations.map((each) => (
          <OperationSection {...each} />
        ))}
        {Object.entries(components.schemas).map(([name, schema]) => (
          <SchemaSection name={name} schema={schema} />
        ))}
        <ProblemSection />
      </body>
    </html>
  );
  return `<!doctype html>${page}`;
}

function OperationSection({ path, method, operation }: { path: string; method: string; operation: OpenApiOperation }) {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  return (
    <section id={operationId}>
      <h2>{summary}</h2>
      <p>
        <code>
          <b>{method}</b> {path}
        </code>
      </p>
      <p>{description}</p>
      <table>
        <tbody>
          {parameters.map(({ name, in: place, description: words, schema }) => (
            <Line head={`${place} ${name}`} schema={schema} words={words} />
          ))}
          {Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => (
            <Line head={`body ${type}`} schema={schema} />
          ))}
          {Object.entries(responses).map(([status, { description: words, content }]) => (
            <Line head={status} schema={Object.values(content)[0]?.schema ?? {}} words={words} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SchemaSection({ name, schema }: { name: string; schema: Schema }) {
  const fields = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema.required ?? []) as readonly string[];
  return (
    <section id={name}>
      <h2>{name}</h2>
      <table>
        <tbody>
          {Object.entries(fields).map(([field, type]) => (
            <Line head={required.includes(field) ? field : `${field} (optional)`} schema={type} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ProblemSection() {
  return (
    <section id="problems">
      <h2>Problems</h2>
      <table>
        <tbody>
          {Object.entries(problems).map(([name, { status, title }]) => (
            <tr>
              <th scope="row">
                <code>{problemType(name as ProblemName)}</code>
              </th>
              <td>
                {status}: {title}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ head, schema, words }: { head: string; schema: Schema; words?: string | undefined }) {
  const { description } = schema;
  return (
    <tr>
      <th scope="row">
        <code>{head}</code>
      </th>
      <td>
        <Type schema={schema} /> {words ?? (typeof description === 'string' ? description : '')}
      </td>
    </tr>
  );
}

function Type({ schema }: { schema: Schema }) {
  const { $ref, type, anyOf, items, enum: words, format, minimum, maximum } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    return <a href={`#${name}`}>{name}</a>;
  }
  if (Array.isArray(words)) return <>{words.join(' | ')}</>;
  if (Array.isArray(anyOf)) {
    return (
      <>
        {anyOf.map((each: Schema, index) => (
          <>
            {index > 0 && ' or '}
            <Type schema={each} />
          </>
        ))}
      </>
    );
  }
  if (type === 'array') {
    return (
      <>
        list of <Type schema={items as Schema} />
      </>
    );
  }
  const range = [minimum, maximum].every((bound) => typeof bound === 'number') ? `, ${minimum} to ${maximum}` : '';
  return <>{`${format ?? type ?? 'anything'}${range}`}</>;
}

function example(base: string): string {
  return `curl '${base}/batches?name=spring.csv&budget=acme/spring' \\
  -H "Authorization: Bearer $GREENLIGHT_TOKEN" -H 'Content-Type: text/csv' --data-binary @spring.csv`;
}
