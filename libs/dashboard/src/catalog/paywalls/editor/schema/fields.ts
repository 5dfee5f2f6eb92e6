import {
  definitionOf,
  discriminatorOf,
  isLayer,
  propertiesOf,
  requiredOf,
  resolved,
  type SchemaNode,
} from './document-schema.js';
import { asText, isObject } from '../document/json-path.js';
import { titleOf } from './titles.js';

export const groups = ['Content', 'Layout', 'Style', 'Behaviour', 'When'] as const;
export type Group = (typeof groups)[number];

/** Kinds of values, one for each small editor. */
export type FieldKind =
  | 'boolean'
  | 'choice'
  | 'color'
  | 'corners'
  | 'date'
  | 'font'
  | 'icon'
  | 'image'
  | 'layer'
  | 'list'
  | 'localized_image'
  | 'number'
  | 'number_or_choice'
  | 'object'
  | 'overrides'
  | 'package'
  | 'points'
  | 'scalar'
  | 'size'
  | 'spacing'
  | 'tab'
  | 'text'
  | 'text_id'
  | 'union';

export interface Field {
  name: string;
  title: string;
  group: Group;
  kind: FieldKind;
  node: SchemaNode;
  definition: string | null;
  isRequired: boolean;
}

const kindsByDefinition: Record<string, FieldKind> = {
  lid: 'text_id',
  color_scheme: 'color',
  size: 'size',
  spacing: 'spacing',
  corners: 'corners',
  image_source: 'image',
  points: 'points',
  component: 'layer',
};

const kindsByName: [RegExp, FieldKind][] = [
  [/^overrides$/, 'overrides'],
  [/^override_source_lid$/, 'localized_image'],
  [/font_name$/, 'font'],
  [/^package_id$/, 'package'],
  [/^(default_)?tab_id$/, 'tab'],
];

function kindByType({ type, pattern, properties }: SchemaNode): FieldKind {
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string') return asText(pattern).startsWith('^\\d{4}-') ? 'date' : 'text';
  if (type === 'array') return 'list';
  return isObject(properties) ? 'object' : 'scalar';
}

function kindOf(schema: SchemaNode, name: string, node: SchemaNode, definition: string | null): FieldKind {
  const byName = kindsByName.find(([pattern]) => pattern.test(name))?.[1];
  if (byName) return byName;
  const byDefinition = definition === null ? undefined : kindsByDefinition[definition];
  if (byDefinition) return byDefinition;
  if (isLayer(schema, definition)) return 'layer';
  if (Array.isArray(node.enum)) return 'choice';
  if (Array.isArray(node.oneOf)) return discriminatorOf(node) === null ? 'number_or_choice' : 'union';
  return kindByType(node);
}

const groupsByKind: Partial<Record<FieldKind, Group>> = {
  color: 'Style',
  corners: 'Style',
  font: 'Style',
  icon: 'Content',
  image: 'Content',
  layer: 'Content',
  localized_image: 'Content',
  overrides: 'When',
  package: 'Content',
  size: 'Layout',
  spacing: 'Layout',
  text_id: 'Content',
};

const groupsByName: [RegExp, Group][] = [
  [/^(name|source|url|style|title|description|items|count_from)$|^fallback_source$/, 'Content'],
  [/font|color|background|border|shadow|shape|badge|connector|stroke/, 'Style'],
  [
    /align|spacing|padding|margin|size|width|height|dimension|overflow|fit_mode|peek|gutter|position/,
    'Layout',
  ],
];

const groupOf = (name: string, kind: FieldKind): Group =>
  groupsByName.find(([pattern]) => pattern.test(name))?.[1] ?? groupsByKind[kind] ?? 'Behaviour';

const iconParts = ['icon_name', 'base_url', 'formats'];

/** Whether the layers show the property: a list of components or of their parts. */
function isListOfLayers(schema: SchemaNode, { type, items }: SchemaNode): boolean {
  if (type !== 'array' || !isObject(items)) return false;
  const { definition } = resolved(schema, items);
  return definition === 'component' || isLayer(schema, definition);
}

/** Returns the properties of an object that can be edited, in the order of the schema. */
export function fieldsIn(schema: SchemaNode, object: SchemaNode): Field[] {
  const properties = propertiesOf(object);
  const required = requiredOf(object);
  const hasIcon = iconParts.every((name) => Object.hasOwn(properties, name));
  return Object.entries(properties).flatMap(([name, property]): Field[] => {
    const { node, definition } = resolved(schema, property);
    const isPartOfIcon = hasIcon && iconParts.includes(name);
    if (Object.hasOwn(node, 'const') || (definition === 'id' && name === 'id')) return [];
    if (isListOfLayers(schema, node) || (isPartOfIcon && name !== 'icon_name')) return [];
    const kind = isPartOfIcon ? 'icon' : kindOf(schema, name, node, definition);
    const title = isPartOfIcon ? 'Icon' : titleOf(name);
    const group = groupOf(name, kind);
    return [{ name, title, group, kind, node, definition, isRequired: required.includes(name) }];
  });
}

/** Returns the properties of a type of component that its form shows. */
export const fieldsOf = (schema: SchemaNode, type: string): Field[] =>
  fieldsIn(schema, definitionOf(schema, type)).filter(({ name }) => name !== 'type');
