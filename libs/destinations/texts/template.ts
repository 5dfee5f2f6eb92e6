import { isJsonObject } from '../../kernel/index.js';
import { sha256 } from './identifiers.js';

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const WHOLE_PLACEHOLDER = /^\{\{([^{}]*)\}\}$/;

const ROOTS = ['event', 'customer', 'revenue', 'kind', 'name', 'destination'];

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Null for what is not a time in epoch milliseconds. */
function dateOf(value: unknown): Date | null {
  const date = new Date(typeof value === 'number' ? value : NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

const filters: Readonly<Record<string, (value: unknown) => unknown>> = {
  sha256: (value) => sha256(asText(value)),
  lower: (value) => asText(value).toLowerCase(),
  upper: (value) => asText(value).toUpperCase(),
  iso: (value) => dateOf(value)?.toISOString() ?? null,
  seconds: (value) => (typeof value === 'number' ? Math.floor(value / 1000) : null),
  string: asText,
  json: (value) => JSON.stringify(value),
};

const partsOf = (placeholder: string): { path: string[]; filterNames: string[] } => {
  const [path = '', ...filterNames] = placeholder.split('|').map((part) => part.trim());
  return { path: path.split('.'), filterNames };
};

/** Reads own fields only, so a template cannot reach what every object inherits. */
function valueAt(roots: object, path: readonly string[]): unknown {
  let value: unknown = roots;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? null;
}

function valueOf(placeholder: string, roots: object): unknown {
  const { path, filterNames } = partsOf(placeholder);
  return filterNames.reduce<unknown>(
    (value, name) => (value === null ? null : (filters[name]?.(value) ?? null)),
    valueAt(roots, path),
  );
}

/** Replaces the placeholders of a text; values are not searched for placeholders again. */
export function fillText(template: string, roots: object, encode = (text: string) => text): string {
  return template.replace(PLACEHOLDER, (_, placeholder: string) => {
    const value = valueOf(placeholder, roots);
    return value === null ? '' : encode(asText(value));
  });
}

/** The JSON with every placeholder replaced. A text that is one placeholder becomes the value with its type. */
export function fillTemplate(template: unknown, roots: object): unknown {
  if (typeof template === 'string') {
    const whole = WHOLE_PLACEHOLDER.exec(template)?.[1];
    return whole === undefined ? fillText(template, roots) : valueOf(whole, roots);
  }
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, roots));
  if (!isJsonObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, fillTemplate(value, roots)]),
  );
}

/** Returns the first problem with the placeholders of a text, or null. */
export function problemOfText(text: string): string | null {
  for (const [, placeholder = ''] of text.matchAll(PLACEHOLDER)) {
    const { path, filterNames } = partsOf(placeholder);
    const [root = ''] = path;
    if (!ROOTS.includes(root)) return `There is no value "${root}". Use one of: ${ROOTS.join(', ')}.`;
    const unknown = filterNames.find((name) => !Object.hasOwn(filters, name));
    if (unknown !== undefined)
      return `There is no filter "${unknown}". Use one of: ${Object.keys(filters).join(', ')}.`;
  }
  return /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''))
    ? 'A placeholder is written {{path | filter}}.'
    : null;
}

const MAX_BYTES = 32_000;
const MAX_DEPTH = 10;
const MAX_VALUES = 500;

function* valuesOf(value: unknown, depth = 1): Generator<{ value: unknown; depth: number }> {
  yield { value, depth };
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  for (const inner of Object.values(value)) yield* valuesOf(inner, depth + 1);
}

/** PostgreSQL cannot store it. */
const hasNul = (value: unknown) =>
  typeof value === 'string'
    ? value.includes('\0')
    : isJsonObject(value) && Object.keys(value).some((name) => name.includes('\0'));

/** Returns the first problem with a JSON template, or null. */
export function problemOfTemplate(template: unknown): string | null {
  if (Buffer.byteLength(JSON.stringify(template)) > MAX_BYTES) return 'The body is larger than 32 kB.';
  let count = 0;
  for (const { value, depth } of valuesOf(template)) {
    count += 1;
    if (depth > MAX_DEPTH) return `The body is nested more than ${MAX_DEPTH} levels deep.`;
    if (count > MAX_VALUES) return `The body has more than ${MAX_VALUES} values.`;
    if (hasNul(value)) return 'The body must not contain NUL characters.';
    const problem = typeof value === 'string' ? problemOfText(value) : null;
    if (problem) return problem;
  }
  return null;
}
