/** A call to convert to a script. */
export interface ScriptedCall {
  method: string;
  /** Path and query. */
  path: string;
  body?: unknown;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the curl command for `call` at `origin`, with `$SECRET_KEY` instead of the browser's cookie. */
export function curlOf({ method, path, body }: ScriptedCall, origin: string): string {
  const parts = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + path)}`];
  if (path.startsWith('/v2/')) parts.push('-H "Authorization: Bearer $SECRET_KEY"');
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'");
    parts.push(`-d ${quoted(typeof body === 'string' ? body : JSON.stringify(body))}`);
  }
  return parts.join(' \\\n  ');
}
