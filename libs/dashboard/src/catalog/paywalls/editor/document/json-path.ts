import type { JsonObject, JsonValue, Path } from '../../paywall.types.js';

/** A value of a document, or the document. */
type Node = JsonValue | JsonObject | undefined;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a text, number or boolean of a document as text; everything else is empty. */
export const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Returns the value at a path; undefined if there is none. */
export function valueAt(root: unknown, path: Path): JsonValue | undefined {
  let value = root;
  for (const step of path) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    if (!isThere) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value as JsonValue | undefined;
}

/** Returns a copy of `root` with another value at the path. Everything beside the path is shared with `root`. */
export function withValue(root: Node, path: Path, change: (value: Node) => Node): Node {
  const [step, ...rest] = path;
  if (step === undefined) return change(root);
  if (Array.isArray(root)) {
    const index = Number(step);
    const value = withValue(root[index], rest, change);
    if (value === root[index]) return root;
    return value === undefined ? root.toSpliced(index, 1) : root.with(index, value);
  }
  const parent = isObject(root) ? root : {};
  const value = withValue(parent[step], rest, change);
  if (value === parent[step]) return root;
  if (value !== undefined) return { ...parent, [step]: value };
  return Object.fromEntries(Object.entries(parent).filter(([name]) => name !== String(step)));
}

/** Returns a copy of `root` with an item inserted into the list, before the index that ends the path. */
export function withItem(root: Node, path: Path, item: JsonValue): Node {
  const index = Number(path.at(-1));
  return withValue(root, path.slice(0, -1), (list) =>
    (Array.isArray(list) ? list : []).toSpliced(index, 0, item),
  );
}

export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Parses a JSON pointer. Indexes of lists become numbers. */
export const pathOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));

export const isSamePath = (one: Path, other: Path): boolean => pointerOf(one) === pointerOf(other);

/** Whether `path` is `ancestor` or inside it. */
export const isInside = (path: Path, ancestor: Path): boolean =>
  `${pointerOf(path)}/`.startsWith(`${pointerOf(ancestor)}/`);

/** Where `path` points after the item at `removed` left its list. */
export function pathWithout(path: Path, removed: Path): Path {
  const place = removed.length - 1;
  const index = removed[place];
  const other = path[place];
  const isSibling = path.length > place && isInside(path, removed.slice(0, place));
  if (!isSibling || typeof index !== 'number' || typeof other !== 'number' || other <= index) return path;
  return path.with(place, other - 1);
}
