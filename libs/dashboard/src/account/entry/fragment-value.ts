/**
 * Returns the value of `name` in a fragment such as `token=abc`, with or without `#`; null if it is absent or empty.
 */
export function fragmentValue(hash: string, name: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get(name) || null;
}
