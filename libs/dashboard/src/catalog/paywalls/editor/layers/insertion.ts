import type { Path, PaywallDocument } from '../../paywall.types.js';
import { isObject, valueAt } from '../document/json-path.js';
import {
  componentTypes,
  definitionOf,
  propertiesOf,
  resolved,
  type SchemaNode,
} from '../schema/document-schema.js';
import { type Layer, layersTo } from '../schema/layers.js';

/** A place where layers can be added. */
export interface Insertion {
  where: 'inside' | 'after';
  /** Path of the new item. */
  path: Path;
  /** Types that the list accepts. */
  types: readonly string[];
}

/** Components that work inside certain others only. */
const needed: [RegExp, RegExp][] = [
  [/^tab_control/, /^tabs$/],
  [/^input_option$/, /^input_\w+_choice$/],
];

function typesAt(schema: SchemaNode, root: Layer, path: Path, items: string): string[] {
  if (items !== 'component') return [items];
  const outer = layersTo(root, path).map(({ type }) => type);
  return componentTypes(schema).filter((type) =>
    needed.every(([inner, owner]) => !inner.test(type) || outer.some((one) => owner.test(one))),
  );
}

/** The list of layers that a layer has itself. */
function ownList(schema: SchemaNode, { type, path }: Layer): { path: Path; items: string } | null {
  for (const [name, property] of Object.entries(propertiesOf(definitionOf(schema, type)))) {
    const { items } = resolved(schema, property).node;
    const { definition } = isObject(items) ? resolved(schema, items) : { definition: null };
    if (
      definition !== null &&
      name !== 'overrides' &&
      /^(component|tab|timeline_item|stack)$/.test(definition)
    )
      return { path: [...path, name], items: definition };
  }
  return null;
}

/** Returns where a layer can be added: at the end of the layer, otherwise of its stack, and after it. */
export function insertionsAt(
  schema: SchemaNode,
  root: Layer,
  layer: Layer,
  document: PaywallDocument,
): Insertion[] {
  const list =
    ownList(schema, layer) ??
    layer.children
      .filter(({ type, isItem }) => type === 'stack' && !isItem)
      .map((child) => ownList(schema, child))[0];
  const found: Insertion[] = [];
  if (list) {
    const items = valueAt(document, list.path);
    const path = [...list.path, Array.isArray(items) ? items.length : 0];
    found.push({ where: 'inside', path, types: typesAt(schema, root, path, list.items) });
  }
  if (layer.isItem) {
    const path = layer.path.with(-1, Number(layer.path.at(-1)) + 1);
    const parent = layersTo(root, layer.path).at(-2)!;
    const items = ownList(schema, parent)?.items ?? 'component';
    found.push({ where: 'after', path, types: typesAt(schema, root, layer.path.slice(0, -1), items) });
  }
  return found;
}

/** Returns where a dragged layer may go in relation to another; null where the list is for other types. */
export function dropPath(
  schema: SchemaNode,
  root: Layer,
  dragged: Layer,
  target: Layer,
  where: 'before' | 'after' | 'inside',
  document: PaywallDocument,
): Path | null {
  const insertions = insertionsAt(schema, root, target, document);
  const wanted = insertions.find((one) => one.where === (where === 'inside' ? 'inside' : 'after'));
  if (!wanted?.types.includes(dragged.type)) return null;
  return where === 'before' ? target.path : wanted.path;
}
