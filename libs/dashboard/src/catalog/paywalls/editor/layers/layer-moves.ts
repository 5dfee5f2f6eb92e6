import type { Path, PaywallDocument } from '../../paywall.types.js';
import { isSamePath } from '../document/json-path.js';
import type { SchemaNode } from '../schema/document-schema.js';
import { type Layer, layersTo } from '../schema/layers.js';
import { dropPath } from './insertion.js';

export type Direction = 'up' | 'down' | 'out' | 'in';

/** Returns the items of the list that contains a layer. */
function siblingsOf(root: Layer, layer: Layer): Layer[] {
  const parent = layersTo(root, layer.path).at(-2);
  const list = layer.path.slice(0, -1);
  return parent?.children.filter(({ path, isItem }) => isItem && isSamePath(path.slice(0, -1), list)) ?? [];
}

/** Returns where Alt and an arrow key move a layer; null if it cannot go there. */
export function movePath(
  schema: SchemaNode,
  root: Layer,
  layer: Layer,
  direction: Direction,
  document: PaywallDocument,
): Path | null {
  if (!layer.isItem) return null;
  const siblings = siblingsOf(root, layer);
  const index = siblings.findIndex(({ path }) => isSamePath(path, layer.path));
  const before = siblings[index - 1];
  const next = siblings[index + 1];
  if (direction === 'up') return before?.path ?? null;
  if (direction === 'down') return next ? next.path.with(-1, Number(next.path.at(-1)) + 1) : null;
  const around = layersTo(root, layer.path).slice(0, -1);
  const target = direction === 'in' ? before : around.findLast(({ isItem }) => isItem);
  if (!target) return null;
  return dropPath(schema, root, layer, target, direction === 'in' ? 'inside' : 'after', document);
}
