/** Where a sign-in goes on: `next` if it is a path of this origin that is not the sign-in itself, else `/`. */
export function nextPath(next: string | undefined, origin: string): string {
  if (!next || !/^\/(?![/\\])/.test(next) || /[\p{Cc}\\]/u.test(next)) return '/';
  try {
    const url = new URL(next, origin);
    // `/.//evil.example` becomes `//evil.example` when its dots are taken away.
    if (url.origin !== origin || url.pathname === '/login' || url.pathname.startsWith('//')) return '/';
    return url.pathname + url.search + url.hash;
  } catch {
    return '/';
  }
}

/** Pages that the server renders itself: the browser must load them. */
export const isServerPage = (path: string): boolean => /^\/(oauth|sso|docs)(\/|$|\?)/.test(path);
