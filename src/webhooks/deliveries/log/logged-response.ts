/** The parts of a response that the log stores, in characters. */
const BODY_LENGTH = 4096;
const HEADER_LENGTH = 1000;
const MAX_HEADERS = 50;

export function loggedBody(masked: string): string {
  return masked.slice(0, BODY_LENGTH);
}

/** Cookies are credentials. `mask` removes the secrets of the request. */
export function loggedHeaders(
  headers: Record<string, string | string[] | undefined>,
  mask: (text: string) => string,
): Record<string, string> {
  const logged = Object.entries(headers)
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => {
      if (name === 'set-cookie') return [name, '[masked]'];
      const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
      return [name, mask(text).slice(0, HEADER_LENGTH)];
    });
  return Object.fromEntries(logged) as Record<string, string>;
}
