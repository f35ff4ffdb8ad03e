import type { OpenApiDocument, OpenApiOperation } from './openapi.js';
import type { Schema } from './schemas.js';

const style = `
:root { color-scheme: light dark; --line: #8884; --quiet: #777; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
code, pre { font: 14px/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: .8rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; border-top: 1px solid var(--line); padding: .35rem .8rem .35rem 0; }
.quiet { color: var(--quiet); }
.method { font-weight: 600; margin-right: .5rem; }
`;

/** Renders the document for people: one page, no script. */
export function docsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const events = Object.values(document.webhooks).map(({ post }) => ({
    path: 'webhook_url',
    method: 'POST',
    operation: post,
  }));
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{document.info.title}</title>
        <style>{style}</style>
      </head>
      <body>
        <h1>{document.info.title}</h1>
        <p>{document.info.description}</p>
        <p>
          Base URL <code>{document.servers[0]?.url}</code>. For tools: <a href="/openapi.json">openapi.json</a>.
        </p>
        <pre>{example(document.servers[0]?.url ?? '')}</pre>
        <ul>
          {operations.map(({ path, method, operation }) => (
            <li>
              <a href={`#${operation.operationId}`}>{operation.summary}</a>{' '}
              <code class="quiet">
                {method} {path}
              </code>
            </li>
          ))}
        </ul>
        {[...operations, ...events].map((each) => (
          <OperationSection {...each} />
        ))}
        {Object.entries(document.components.schemas).map(([name, schema]) => (
          <SchemaSection name={name} schema={schema} />
        ))}
      </body>
    </html>
  );
  return `<!doctype html>${page}`;
}

interface OperationSectionProps {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

function OperationSection({ path, method, operation }: OperationSectionProps) {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  return (
    <section id={operationId}>
      <h2>{summary}</h2>
      <p>
        <code>
          <span class="method">{method}</span>
          {path}
        </code>
      </p>
      <p>{description}</p>
      <table>
        {parameters.map((parameter) => (
          <tr>
            <td>
              {String(parameter.in)} <code>{String(parameter.name)}</code>
            </td>
            <td>{constraintsOf(parameter.schema as Schema)}</td>
          </tr>
        ))}
        {Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => (
          <tr>
            <td>body</td>
            <td>
              <Type schema={schema} /> as <code>{type}</code>
            </td>
          </tr>
        ))}
        {Object.entries(responses).map(([status, response]) => (
          <tr>
            <td>{status}</td>
            <td>
              {response.description}{' '}
              {Object.values(response.content ?? {}).map(({ schema }) => (
                <Type schema={schema} />
              ))}
            </td>
          </tr>
        ))}
      </table>
    </section>
  );
}

function SchemaSection({ name, schema }: { readonly name: string; readonly schema: Schema }) {
  const required = (schema.required ?? []) as readonly string[];
  return (
    <section id={name}>
      <h2>{name}</h2>
      <table>
        {Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>).map(([field, type]) => (
          <tr>
            <td>
              <code>{field}</code> <span class="quiet">{required.includes(field) ? '' : 'optional'}</span>
            </td>
            <td>
              <Type schema={type} /> {constraintsOf(type)}
            </td>
          </tr>
        ))}
      </table>
    </section>
  );
}

function Type({ schema }: { readonly schema: Schema }) {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return <a href={`#${name}`}>{name}</a>;
  }
  if (schema.type === 'array') {
    return (
      <>
        list of <Type schema={schema.items as Schema} />
      </>
    );
  }
  if (Array.isArray(schema.anyOf)) {
    return (
      <>
        {schema.anyOf.map((each: Schema, index) => (
          <>
            {index > 0 && ' or '}
            <Type schema={each} />
          </>
        ))}
      </>
    );
  }
  if (schema.type === 'object') {
    return <>object of {Object.keys((schema.properties ?? {}) as object).join(', ')}</>;
  }
  return <>{String(schema.format ?? schema.type ?? 'anything')}</>;
}

/** `10 to 8000 characters`, `one of 16:9, 9:16`, … */
function constraintsOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, maxItems, pattern } = schema;
  const words = [
    Array.isArray(schema.enum) && `one of ${schema.enum.join(', ')}`,
    maxLength !== undefined && `${minLength ? `${minLength} to` : 'at most'} ${maxLength} characters`,
    isBound(minimum) && (isBound(maximum) ? `${minimum} to ${maximum}` : `at least ${minimum}`),
    maxItems !== undefined && `at most ${maxItems}`,
    pattern !== undefined && `of the form ${pattern}`,
    schema.default !== undefined && `default ${schema.default}`,
    schema.description,
  ];
  return words.filter((each) => typeof each === 'string').join('; ');
}

function isBound(limit: unknown): boolean {
  return typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
}

function example(baseUrl: string): string {
  return `curl ${baseUrl}/movies \\
  -H "Authorization: Bearer $KEY" -H "Idempotency-Key: my-order-0001" \\
  -H "Content-Type: application/json" \\
  -d '{"prompt": "A lighthouse at dusk. Gulls circle above it.", "duration_seconds": 5}'`;
}
