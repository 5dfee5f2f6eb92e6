/** Paths of all values in `V`: `name`, `subscription.duration`, `product_grants.0.amount`. */
export type Path<V> = V extends readonly (infer Item)[]
  ? `${number}` | `${number}.${Path<Item>}`
  : V extends object
    ? { [Key in keyof V & string]: Key | `${Key}.${Path<V[Key]>}` }[keyof V & string]
    : never;

/** The type of the value at a path. */
export type ValueAt<V, P> = P extends `${infer Key}.${infer Rest}`
  ? ValueAt<Child<V, Key>, Rest>
  : Child<V, P>;
type Child<V, Key> = V extends readonly (infer Item)[] ? Item : Key extends keyof V ? V[Key] : never;

type Branch = Record<string, unknown>;

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null;

export function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce((value, key) => (isBranch(value) ? value[key] : undefined), values);
}

/** Returns a copy with another value at the path. Everything beside the path is the same object. */
export function withValue<V>(values: V, path: string, value: unknown): V {
  const [key = '', ...rest] = path.split('.');
  const branch = values as Branch;
  const child = rest.length === 0 ? value : withValue(branch[key], rest.join('.'), value);
  if (!Array.isArray(values)) return { ...values, [key]: child };
  return values.map((item: unknown, index) => (String(index) === key ? child : item)) as V;
}

/**
 * Returns the path of the value that a server's `param` is about, or null. The server names lists `list[0]` or
 * `list.0`. A param inside a single value, or inside a list of them, belongs to the value or list. An unknown one
 * inside another list's item belongs to the item.
 */
export function pathOfParam(values: unknown, param: string): string | null {
  const keys = param.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  let value = values;
  let found: string | null = null;
  for (const [index, key] of keys.entries()) {
    const isItem = Array.isArray(value);
    if (!isBranch(value) || !(key in value) || (isItem && !isBranch(value[key]))) break;
    value = value[key];
    const isObject = isBranch(value) && !Array.isArray(value);
    if (isItem || !isObject || index === keys.length - 1) found = keys.slice(0, index + 1).join('.');
  }
  return found;
}
