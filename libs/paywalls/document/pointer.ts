/** Appends keys to a JSON pointer (RFC 6901). */
export function below(path: string, ...keys: (string | number)[]): string {
  return path + keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Last key of a JSON pointer; empty for the whole document. */
export function lastKey(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
