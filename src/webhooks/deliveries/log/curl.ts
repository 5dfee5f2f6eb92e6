interface ShownRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Quotes a text for a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command that sends the request. */
export function curlOf({ method, url, headers, body }: ShownRequest): string {
  const options = Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`);
  return [`curl -X ${method}`, shellQuoted(url), ...options, '--data-raw', shellQuoted(body)].join(' ');
}
