import { createHmac } from 'node:crypto';

export interface UnsignedRequest {
  method: string;
  url: URL;
  /** With lower-case names. */
  headers: Readonly<Record<string, string>>;
  contentLength: number;
}

/** Headers at fixed places of the signed text, after the length. */
const HEADERS = [
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
];

/** The `Authorization` header of Azure's Shared Key scheme ("Authorize with Shared Key" in its documentation). */
export function sharedKeyAuthorization(
  { method, url, headers, contentLength }: UnsignedRequest,
  account: string,
  key: Buffer,
): string {
  const ownHeaders = Object.entries(headers)
    .filter(([name]) => name.startsWith('x-ms-'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`);
  const parameters = [...url.searchParams]
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`);
  const text = [
    method,
    headers['content-encoding'] ?? '',
    headers['content-language'] ?? '',
    contentLength === 0 ? '' : String(contentLength),
    ...HEADERS.map((name) => headers[name] ?? ''),
    ...ownHeaders,
    `/${account}${url.pathname}`,
    ...parameters,
  ].join('\n');
  return `SharedKey ${account}:${createHmac('sha256', key).update(text, 'utf8').digest('base64')}`;
}
