export interface SqlPlace {
  access: 'off' | 'replica' | 'primary';
  publicHost: string | null;
  /** Addresses that the server itself uses. */
  primaryUrl: string | null;
  replicaUrls: readonly string[];
  database: string;
}

/**
 * Address for SQL users, without user and password. With a public host TLS is required; an address of the server itself
 * keeps the server's own choice. Null if there is none.
 */
export function sqlPlaceUrl({ access, publicHost, primaryUrl, replicaUrls, database }: SqlPlace): URL | null {
  const path = `/${encodeURIComponent(database)}`;
  if (publicHost !== null) return new URL(`postgresql://${publicHost}${path}?sslmode=require`);
  const own = access === 'primary' ? primaryUrl : replicaUrls[0];
  if (own === undefined || own === null) return null;
  const { host, searchParams } = new URL(own);
  const url = new URL(`postgresql://${host}${path}`);
  const mode = searchParams.get('sslmode');
  if (mode !== null) url.searchParams.set('sslmode', mode);
  return url;
}

export function connectionUrl(place: URL, user: string, password: string): string {
  const url = new URL(place);
  url.username = user;
  url.password = password;
  return url.toString();
}
