/** Rules for redirect URIs. */

const MAX_LENGTH = 2000;
/** Printable ASCII without characters that URL parsers drop or rewrite. */
const CHARACTERS = /^[!$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]+$/;
/**
 * Matches the text, because parsers also read `2130706433` and `0x7f.1` as loopback. The port is between both groups.
 */
const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;
const SCHEME = /^[a-z][a-z0-9+.-]*$/;
/** Schemes that browsers handle themselves, or that several programs handle. */
const FORBIDDEN_SCHEMES = new Set([
  'about',
  'blob',
  'chrome',
  'chrome-extension',
  'data',
  'file',
  'filesystem',
  'ftp',
  'http',
  'intent',
  'jar',
  'mailto',
  'moz-extension',
  'resource',
  'sms',
  'tel',
  'urn',
  'view-source',
  'ws',
  'wss',
]);

function isPrivateScheme(scheme: string): boolean {
  return SCHEME.test(scheme) && !FORBIDDEN_SCHEMES.has(scheme) && !scheme.includes('script');
}

/** Returns what is wrong with a client's redirect URI, or null if it is valid. */
export function redirectUriProblem(uri: unknown): string | null {
  if (typeof uri !== 'string' || uri === '') return 'must be text';
  if (uri.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  if (uri.includes('#')) return 'must have no fragment';
  if (!CHARACTERS.test(uri) || !URL.canParse(uri)) return 'must be an absolute URI in ASCII';
  const { protocol, username, password, hostname } = new URL(uri);
  if (username !== '' || password !== '') return 'must have no user name';
  if (protocol === 'https:') return hostname === '' ? 'must have a host' : null;
  if (LOOPBACK.test(uri)) return null;
  if (protocol === 'http:') return 'must be https, or http on localhost, 127.0.0.1 or [::1]';
  return isPrivateScheme(protocol.slice(0, -1)) ? null : `must not be of the scheme ${protocol.slice(0, -1)}`;
}

export function isLoopback(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/** Compares exactly, but accepts any port for programs on the person's machine (RFC 8252, 7.3). */
export function matchesRedirectUri(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  const [, ownHost, ownRest] = LOOPBACK.exec(registered) ?? [];
  const [, host, rest] = LOOPBACK.exec(asked) ?? [];
  return host !== undefined && host === ownHost && rest === ownRest && URL.canParse(asked);
}

/** Returns the name to display: the host, or the scheme of a program on the person's machine. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol + (host === '' ? '' : `//${host}`);
}

/** Adds parameters without rewriting the rest, because clients compare it with their registered URI. */
export function redirectTo(uri: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  const separator = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  return `${uri}${separator}${new URLSearchParams(given).toString()}`;
}

/** Returns the redirect URI as a `form-action` source, because browsers apply the policy to redirects after a form. */
export function formTarget(uri: string): string {
  const { protocol, origin } = new URL(uri);
  // Content-Security-Policy has no syntax for IPv6 addresses.
  const isNamed = (protocol === 'https:' || protocol === 'http:') && !origin.includes('[');
  return isNamed ? origin : protocol;
}
