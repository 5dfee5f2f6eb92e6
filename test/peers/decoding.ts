/** Thrown where a decoder of an SDK fails, and with it the whole paywall. */
export class DecodingError extends Error {
  constructor(path: string, expected: string) {
    super(`${path || 'document'}: ${expected}`);
  }
}

/** Checks a value as a typed decoder reads it. @throws DecodingError */
export type Decode = (value: unknown, path: string) => void;

interface Field {
  decode: Decode;
  isRequired: boolean;
  /** A present null counts as absent. */
  allowsNull: boolean;
}

export type Fields = Record<string, Field>;

const expecting =
  (expected: string, holds: (value: unknown) => boolean): Decode =>
  (value, path) => {
    if (!holds(value)) throw new DecodingError(path, expected);
  };

export const text = expecting('a text', (value) => typeof value === 'string');
export const bool = expecting('a boolean', (value) => typeof value === 'boolean');
export const number = expecting('a number', (value) => typeof value === 'number');
export const int = expecting('a whole number', (value) => Number.isInteger(value));
export const uint = expecting(
  'a whole number from 0',
  (value) => Number.isInteger(value) && Number(value) >= 0,
);
/** Host, port and characters of RFC 3986, without which older versions of iOS read no address. */
const address = /^https?:\/\/(\[[^\]]+\]|[^:/?#[\]@]+)(:\d{1,5})?([/?#].*)?$/;
const foreignToAddresses = /[^!-~]|["<>\\^`{|}]|%(?![0-9A-Fa-f]{2})|#.*#/;
export const url = expecting(
  'an address',
  (value) => typeof value === 'string' && address.test(value) && !foreignToAddresses.test(value),
);
export const scalar = expecting('a text, number or boolean', (value) =>
  ['string', 'number', 'boolean'].includes(typeof value),
);
/** Decoders that replace what they do not know by a default. */
export const lenient: Decode = () => undefined;

export function oneOf(values: string): Decode {
  const known = values.split(' ');
  return expecting(`one of ${values}`, (value) => typeof value === 'string' && known.includes(value));
}

export function listOf(item: Decode): Decode {
  return (value, path) => {
    if (!Array.isArray(value)) throw new DecodingError(path, 'a list');
    for (const [index, part] of value.entries()) item(part, `${path}/${index}`);
  };
}

function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DecodingError(path, 'an object');
  return value as Record<string, unknown>;
}

export function mapOf(item: Decode): Decode {
  return (value, path) => {
    for (const [key, part] of Object.entries(object(value, path))) item(part, `${path}/${key}`);
  };
}

/** A text decides between two forms. */
export function either(first: Decode, second: Decode): Decode {
  return (value, path) => (typeof value === 'string' ? first(value, path) : second(value, path));
}

/** The first decoder that accepts wins. */
export function anyOf(...decoders: Decode[]): Decode {
  return (value, path) => {
    const accepts = (decode: Decode): boolean => {
      try {
        decode(value, path);
        return true;
      } catch {
        return false;
      }
    };
    if (!decoders.some(accepts)) throw new DecodingError(path, 'one of several forms');
  };
}

/** Unknown keys are ignored, as in both SDKs. */
export function record(fields: Fields | (() => Fields)): Decode {
  return (value, path) => {
    const values = object(value, path);
    for (const [key, field] of Object.entries(typeof fields === 'function' ? fields() : fields)) {
      const part = values[key];
      if (part === undefined || (part === null && field.allowsNull)) {
        if (field.isRequired) throw new DecodingError(`${path}/${key}`, 'is missing');
      } else field.decode(part, `${path}/${key}`);
    }
  };
}

/** Forms by the text under `tag`. */
export function union(tag: string, forms: Record<string, Decode>): Decode {
  return (value, path) => {
    const form = forms[String(object(value, path)[tag])];
    if (!form) throw new DecodingError(`${path}/${tag}`, `one of ${Object.keys(forms).join(' ')}`);
    form(value, path);
  };
}

/** A component; one of an unknown type is replaced by its `fallback`. */
export function componentOf(forms: () => Record<string, Decode>): Decode {
  const decode: Decode = (value, path) => {
    const component = object(value, path);
    text(component.type, `${path}/type`);
    const form = forms()[String(component.type)];
    if (form) form(value, path);
    else if (component.fallback === undefined || component.fallback === null)
      throw new DecodingError(path, `is a ${String(component.type)} without a fallback`);
    else decode(component.fallback, `${path}/fallback`);
  };
  return decode;
}

const fieldsOf =
  (isRequired: boolean, allowsNull: boolean) =>
  (decoders: Record<string, Decode>): Fields =>
    Object.fromEntries(
      Object.entries(decoders).map(([key, decode]) => [key, { decode, isRequired, allowsNull }]),
    );

export const required = fieldsOf(true, false);
/** May be absent or null. */
export const optional = fieldsOf(false, true);
/** May be absent, because there is a default; null breaks it. */
export const defaulted = fieldsOf(false, false);
