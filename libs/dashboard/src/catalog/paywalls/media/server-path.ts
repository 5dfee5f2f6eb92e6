/**
 * Returns the path of a file of this server, or of a folder with files; null for another address. The page loads pictures from its own origin
 * only, which may differ from the public address in documents.
 */
export function serverPath(address: string): string | null {
  const path = URL.parse(address)?.pathname ?? '';
  return /^\/(v1\/blobs|paywall-icons)(\/|$)/.test(path) ? path : null;
}

/** The value with all addresses of files of this server at the page's own origin. */
export function withLocalFiles<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => {
    const path = typeof part === 'string' ? serverPath(part) : null;
    return path === null ? part : `${location.origin}${path}`;
  }) as Value;
}
