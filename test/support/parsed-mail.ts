export interface ParsedMail {
  headers: Record<string, string>;
  subject: string;
  text: string;
  html: string;
  links: string[];
}

interface Part {
  headers: Record<string, string>;
  /** Still encoded; one character for each byte. */
  body: string;
}

/** RFC 2047. */
function decodedWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : quotedPrintable(text.replaceAll('_', ' ')),
    );
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function partOf(source: string): Part {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim())];
    }),
  );
  return { headers, body: source.slice(end + 4) };
}

function decodedBody({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding']?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  const text =
    encoding === 'quoted-printable' ? quotedPrintable(body) : Buffer.from(body, 'latin1').toString('utf8');
  return text.replaceAll('\r\n', '\n');
}

/**
 * A message of two alternative parts, text and HTML.
 * @param source one character for each byte
 * @throws Error if it is none
 */
export function parsedMail(source: string): ParsedMail {
  const { headers, body } = partOf(source);
  const [, boundary] =
    /^multipart\/alternative;.*boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  if (boundary === undefined) throw new Error(`Not two parts:\n${source}`);
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.slice(2)));
  const partOfType = (type: string): string => {
    const part = parts.find((candidate) => candidate.headers['content-type']?.startsWith(type));
    if (!part) throw new Error(`No ${type} part:\n${source}`);
    return decodedBody(part);
  };
  const text = partOfType('text/plain');
  return {
    headers,
    subject: headers.subject ?? '',
    text,
    html: partOfType('text/html'),
    links: text.match(/https?:\/\/\S+/g) ?? [],
  };
}
