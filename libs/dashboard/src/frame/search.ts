/**
 * Parses search parameters as strings; a repeated name is a list. The router's own parser converts `12345` to a number.
 */
export function parseSearch(search: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    const before = found[name];
    found[name] = before === undefined ? value : [before, value].flat();
  }
  return found;
}

/** Omits missing, empty and default (`undefined`) values from the address. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'string' && item !== '') parameters.append(name, item);
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

type Parser<T> = (value: unknown) => T | undefined;

export const text = (): Parser<string> => (value) =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const oneOf =
  <const T extends string>(...allowed: T[]): Parser<T> =>
  (value) =>
    allowed.find((name) => name === value);

/** A UTC day, `YYYY-MM-DD`. */
export const day = (): Parser<string> => (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const ms = Date.parse(`${value}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== value ? undefined : value;
};

export const list = (): Parser<string[]> => (value) => {
  const items = [value].flat().filter((item) => typeof item === 'string' && item !== '') as string[];
  return items.length > 0 ? items : undefined;
};

type Parsed<Shape> = { [Name in keyof Shape]?: Shape[Name] extends Parser<infer T> ? T : never };

/** `validateSearch` of a route. Drops unknown names and invalid values. */
export function search<Shape extends Record<string, Parser<unknown>>>(shape: Shape) {
  return (given: Record<string, unknown>): Parsed<Shape> => {
    const found: Record<string, unknown> = {};
    for (const [name, parse] of Object.entries(shape)) {
      const value = parse(given[name]);
      if (value !== undefined) found[name] = value;
    }
    return found as Parsed<Shape>;
  };
}
