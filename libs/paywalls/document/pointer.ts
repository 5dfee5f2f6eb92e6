/** Appends keys to a JSON pointer (RFC 6901). */
export function below(path: string, ...keys: (string | number)[]): string {
  let pointer = path;
  for (const key of keys)
    pointer += typeof key === 'number' ? `/${key}` : `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return pointer;
}

/** Last key of a JSON pointer; empty for the whole document. */
export function lastKey(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
