const longest = 600;

/** The request as a report shows it: method, path, body. */
export function describeRequest(request: Request, body: unknown): string {
  const key = request.headers.get('idempotency-key');
  const lines = [
    `${request.method} ${new URL(request.url).pathname}`,
    ...(key === null ? [] : [`Idempotency-Key: ${cut(key)}`]),
    ...(request.headers.has('authorization') ? [] : ['(no Authorization header)']),
    ...(body === undefined ? [] : [body instanceof FormData ? describeForm(body) : cut(JSON.stringify(body))]),
  ];
  return lines.join('\n');
}

function describeForm(form: FormData): string {
  const parts = [...form].map(([name, value]) =>
    typeof value === 'string' ? `${name}=${cut(value)}` : `${name}=<${value.size} bytes ${value.type}>`,
  );
  return `multipart/form-data ${parts.join(' ')}`;
}

/** The answer as a report shows it: status, type, body. */
export function describeAnswer(response: Response, text: string): string {
  return `${response.status} ${response.headers.get('content-type') ?? 'without a type'}\n${cut(withoutSignatures(text))}`;
}

/** A signed URL is a credential: its query stays out of reports. */
function withoutSignatures(text: string): string {
  return text.replace(/(https?:\/\/[^\s"?]+)\?[^\s"]*/g, '$1?…');
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}
