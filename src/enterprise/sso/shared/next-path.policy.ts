/** Returns `next` if it is a path of this server, else `/`. */
export function safeNext(next: unknown): string {
  if (typeof next !== 'string' || next.length > 2_000) return '/';
  if (!/^\/(?![/\\])/.test(next) || /[\p{Cc}\\]/u.test(next)) return '/';
  const origin = 'http://origin.invalid';
  if (!URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  // `/.//evil.example` becomes `//evil.example` after normalization.
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search + url.hash;
}
