/** Where codes may be sent, and whether a request names such a place. */

const MAX_LENGTH = 2000;
/** Printable ASCII without what URL parsers drop or rewrite. */
const CHARACTERS = /^[!$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]+$/;
/** By its text: parsers read `2130706433` and `0x7f.1` as loopback too. The port is the second group. */
const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;
const SCHEME = /^[a-z][a-z0-9+.-]*$/;
/** Schemes that browsers act on themselves, or that reach more than one program. */
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

/** Says what is wrong with a redirect URI that a client names as its own; null if it may have it. */
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

/** Exact, except that programs on the person's machine take whatever port is free (RFC 8252, 7.3). */
export function matchesRedirectUri(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  const [, ownHost, ownRest] = LOOPBACK.exec(registered) ?? [];
  const [, host, rest] = LOOPBACK.exec(asked) ?? [];
  return host !== undefined && host === ownHost && rest === ownRest && URL.canParse(asked);
}

/** What people are told: the host, or the scheme of a program on their machine. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol + (host === '' ? '' : `//${host}`);
}

/** Adds parameters without rewriting the rest: clients compare it with what they registered. */
export function redirectTo(uri: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  const separator = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  return `${uri}${separator}${new URLSearchParams(given).toString()}`;
}

/** The place as a source of the policy of a page whose form leads there: browsers check redirects against it. */
export function formTarget(uri: string): string {
  const { protocol, origin } = new URL(uri);
  // Policies have no notation for IPv6 addresses.
  const isNamed = (protocol === 'https:' || protocol === 'http:') && !origin.includes('[');
  return isNamed ? origin : protocol;
}
