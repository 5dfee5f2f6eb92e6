import type { JsonObject, PaywallDocument } from '../../paywall.types.js';
import { isObject, isSamePath, valueAt } from '../document/json-path.js';
import type { SchemaNode } from '../schema/document-schema.js';
import { contentPath, type Layer } from '../schema/layers.js';
import { typeTitle } from '../schema/titles.js';

const slotNames: Record<string, string> = { 'Sticky footer': 'Footer' };

/** Returns the text that a layer shows itself, if it is one. */
function textOf(layer: JsonObject, document: PaywallDocument, locale: string): string | null {
  const { text_lid: id } = layer;
  if (typeof id !== 'string') return null;
  const { components_localizations: all, default_locale: fallback } = document;
  const text = all[locale]?.[id] ?? all[fallback]?.[id];
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

/** Returns the name of a layer for people: its own, its text, or its place and type. */
export function layerName(
  schema: SchemaNode,
  layer: Layer,
  document: PaywallDocument,
  locale: string,
): string {
  const value = valueAt(document, layer.path);
  if (isObject(value)) {
    if (typeof value.name === 'string') return value.name;
    const text = textOf(value, document, locale);
    if (text !== null) return text;
    if (typeof value.package_id === 'string') return `${typeTitle(schema, layer.type)} ${value.package_id}`;
  }
  const type = typeTitle(schema, layer.type);
  if (isSamePath(layer.path, contentPath)) return 'Content';
  const slot = layer.slot === null || layer.isItem ? null : (slotNames[layer.slot] ?? layer.slot);
  if (slot === null || slot === type) return type;
  return slot;
}
