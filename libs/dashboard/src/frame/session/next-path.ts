/** Returns `next` if it is a path of this origin other than the sign-in page, else `/`. */
export function nextPath(next: string | undefined, origin: string): string {
  if (!next || !/^\/(?![/\\])/.test(next) || /[\p{Cc}\\]/u.test(next)) return '/';
  try {
    const url = new URL(next, origin);
    // `/.//evil.example` becomes `//evil.example` after normalization.
    if (url.origin !== origin || url.pathname === '/login' || url.pathname.startsWith('//')) return '/';
    return url.pathname + url.search + url.hash;
  } catch {
    return '/';
  }
}

/** Whether the server renders the page, so that the browser must load it. */
export const isServerPage = (path: string): boolean => /^\/(oauth|sso|docs)(\/|$|\?)/.test(path);
