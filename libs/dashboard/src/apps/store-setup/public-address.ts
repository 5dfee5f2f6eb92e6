const LOCAL_NAME = /(^|\.)(localhost|local|internal|lan|home\.arpa|test|invalid)$/;
/** RFC 1918, loopback and link-local networks. */
const LOCAL_IPV4 = /^(10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168)\./;
const LOCAL_IPV6 = /^\[(::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/;

/** Whether a store can reach the address from the internet, judging by its host name. */
export function isPublicAddress(url: string): boolean {
  const { hostname } = new URL(url);
  return ![LOCAL_NAME, LOCAL_IPV4, LOCAL_IPV6].some((pattern) => pattern.test(hostname));
}
