/**
 * Extracts distinct email addresses separated by comma, semicolon, space or line: `Ada <ada@x.io>` counts as ada@x.io.
 */
export function addressesIn(text: string): string[] {
  const found = text
    .split(/[,;\n\r]+/)
    .flatMap((part) => /<([^<>]*)>/.exec(part)?.[1] ?? part.split(/\s+/))
    .map((address) => address.trim().toLowerCase())
    .filter((address) => address !== '');
  return [...new Set(found)];
}
