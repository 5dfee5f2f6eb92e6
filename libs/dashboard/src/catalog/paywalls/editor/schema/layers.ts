import type { JsonValue, Path, PaywallDocument } from '../../paywall.types.js';
import { isInside, isObject, valueAt } from '../document/json-path.js';
import {
  alternativeFor,
  definitionOf,
  isLayer,
  propertiesOf,
  requiredOf,
  resolved,
  type SchemaNode,
} from './document-schema.js';
import { titleOf } from './titles.js';

/** A component, or a part of one with an id, in the tree. */
export interface Layer {
  path: Path;
  /** Its definition in the schema. */
  type: string;
  /** The property of the parent that contains it; null in a plain list of components. */
  slot: string | null;
  /** Whether it is an item of a list, and can be moved and copied. */
  isItem: boolean;
  canRemove: boolean;
  children: Layer[];
}

export const screenPath: Path = ['components_config', 'base'];
export const contentPath: Path = [...screenPath, 'stack'];

interface Place {
  path: Path;
  slot: string | null;
  isItem: boolean;
  canRemove: boolean;
}

function layersIn(
  schema: SchemaNode,
  property: SchemaNode,
  value: JsonValue | undefined,
  place: Place,
): Layer[] {
  if (typeof value !== 'object' || value === null) return [];
  const { node, definition } = resolved(schema, property);
  const { path, slot } = place;
  if (Array.isArray(value)) {
    const { items } = node;
    if (!isObject(items)) return [];
    const name = slot === 'Components' ? null : slot;
    return value.flatMap((item, index) =>
      layersIn(schema, items, item, { path: [...path, index], slot: name, isItem: true, canRemove: true }),
    );
  }
  if (isLayer(schema, definition)) return [layer(schema, definition, value, place)];
  const alternative = alternativeFor(schema, node, value);
  if (alternative) {
    const { definition: type } = alternative;
    return isLayer(schema, type)
      ? [layer(schema, type, value, place)]
      : partsIn(schema, alternative.node, value, place);
  }
  return partsIn(schema, node, value, place);
}

/** The layers in the properties of an object that is no layer, such as the stack of a badge. */
function partsIn(schema: SchemaNode, node: SchemaNode, value: JsonValue, { path, slot }: Place): Layer[] {
  if (!isObject(value)) return [];
  const alternative = alternativeFor(schema, node, value);
  const object = alternative?.node ?? node;
  const properties = propertiesOf(object);
  const required = requiredOf(object);
  return Object.entries(properties).flatMap(([name, property]) =>
    layersIn(schema, property, value[name], {
      path: [...path, name],
      slot: slot !== null && name === 'stack' ? slot : titleOf(name),
      isItem: false,
      canRemove: !required.includes(name),
    }),
  );
}

const fixed = { slot: null, isItem: false, canRemove: false };

function layer(schema: SchemaNode, type: string, value: JsonValue, place: Place): Layer {
  const children = partsIn(schema, definitionOf(schema, type), value, { ...fixed, path: place.path });
  return { ...place, type, children };
}

/** Returns the tree of layers, whose root is the screen. */
export function layersOf(schema: SchemaNode, document: PaywallDocument): Layer {
  const base = valueAt(document, screenPath) ?? null;
  const root = layer(schema, 'base', base, { ...fixed, path: screenPath });
  // The screen shows it first; the schema names the content first.
  const isHeader = ({ type }: Layer) => type === 'header';
  return { ...root, children: root.children.toSorted((a, b) => Number(isHeader(b)) - Number(isHeader(a))) };
}

/** Returns the layers in the order in which the tree shows them. */
export const flatLayers = (root: Layer): Layer[] => [root, ...root.children.flatMap(flatLayers)];

/** Returns the layers that contain a path, from the outside in. */
export function layersTo(root: Layer, path: Path): Layer[] {
  const child = root.children.find((one) => isInside(path, one.path));
  return child ? [root, ...layersTo(child, path)] : [root];
}

/** Returns the innermost layer that contains a path. */
export const layerAt = (root: Layer, path: Path): Layer => layersTo(root, path).at(-1)!;
