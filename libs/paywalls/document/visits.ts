import { isJsonObject, type JsonObject } from '../../kernel/index.js';
import { below } from './pointer.js';
import { paywallDocumentSchema } from './schema.js';

/** An object of a screen, with its place. */
export interface Visit {
  object: JsonObject;
  path: string;
  /** Key of the object, or of the list that holds it. */
  key: string;
  isComponent: boolean;
  /** Components around the object, the nearest last. */
  around: readonly Visit[];
}

/** Types of components that the schema knows. */
export const componentTypes: ReadonlySet<string> = new Set(
  paywallDocumentSchema.$defs.component?.oneOf?.map(({ $ref = '' }) => $ref.slice($ref.lastIndexOf('/') + 1)),
);

/** Backgrounds have types of the same names. */
function isComponent(object: JsonObject, key: string): boolean {
  return key !== 'background' && typeof object.type === 'string' && componentTypes.has(object.type);
}

/** All objects of a value, depth first, parents before their parts. */
export function* visits(
  value: unknown,
  path: string,
  key = '',
  around: readonly Visit[] = [],
): Generator<Visit, void> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* visits(item, below(path, index), key, around);
  } else if (isJsonObject(value)) {
    const object = value as JsonObject;
    const visit = { object, path, key, isComponent: isComponent(object, key), around };
    yield visit;
    const inside = visit.isComponent ? [...around, visit] : around;
    for (const [name, part] of Object.entries(object)) yield* visits(part, below(path, name), name, inside);
  }
}

/** The nearest component of a type around an object. */
export function nearest({ around }: Visit, type: string): Visit | undefined {
  return around.findLast(({ object }) => object.type === type);
}
