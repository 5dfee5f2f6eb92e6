/** Percent-encodes what signatures require, which is more than URLs do. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export const encodedPath = (key: string): string => key.split('/').map(encoded).join('/');

/** With the question mark; empty for no parameters. */
export function encodedQuery(query: Readonly<Record<string, string>>): string {
  const parameters = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return parameters.length > 0 ? `?${parameters.join('&')}` : '';
}
