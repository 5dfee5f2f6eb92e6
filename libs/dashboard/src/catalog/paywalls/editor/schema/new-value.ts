import type { ImageSource, JsonObject, JsonValue, Localization } from '../../paywall.types.js';
import { asText, isObject } from '../document/json-path.js';
import { randomId } from '../document/random-id.js';
import {
  alternativeFor,
  alternativesOf,
  definitionOf,
  isLayer,
  propertiesOf,
  requiredOf,
  resolved,
  type SchemaNode,
} from './document-schema.js';
import type { Field } from './fields.js';

/** Facts of the project that new values depend on. */
export interface NewValueContext {
  /** Address of the icons of the server. One is the placeholder of images. */
  iconsUrl: string;
  /** Ids of the packages of the offering. */
  packageIds: readonly string[];
}

export interface NewValue<Value = JsonValue> {
  value: Value;
  /** Texts that the value refers to, for the default language. */
  texts: Localization;
}

const PLACEHOLDER_ICON = 'image';
const PLACEHOLDER_SIDE = 192;
const DAY_MS = 86_400_000;

const isoSecond = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

function placeholderImage(iconsUrl: string): ImageSource {
  const png = `${iconsUrl}/${PLACEHOLDER_ICON}.png`;
  const webp = `${iconsUrl}/${PLACEHOLDER_ICON}.webp`;
  const size = { width: PLACEHOLDER_SIDE, height: PLACEHOLDER_SIDE };
  return { light: { ...size, original: png, heic: png, heic_low_res: png, webp, webp_low_res: webp } };
}

const withComponents = (owner: JsonObject, components: JsonObject[]): JsonObject => ({
  ...owner,
  stack: { ...(isObject(owner.stack) && owner.stack), components },
});

/** Creates values with everything that the schema requires. */
class ValueFactory {
  readonly texts: Localization = {};

  constructor(
    private readonly schema: SchemaNode,
    private readonly context: NewValueContext,
  ) {}

  /** Returns `given`, by default the default of the schema, with all required parts. */
  create(name: string, property: SchemaNode, given?: JsonValue): JsonValue {
    const { node, definition } = resolved(this.schema, property);
    const start = given ?? this.ofOffering(name) ?? node.default ?? undefined;
    if (node.const !== undefined) return node.const;
    if (definition === 'component') {
      const item = isObject(start) ? start : { type: 'stack' };
      return this.createLayer(asText(item.type), item);
    }
    if (definition === 'image_source') return start ?? placeholderImage(this.context.iconsUrl);
    if (definition === 'id') return start ?? randomId();
    if (definition === 'lid') return start ?? this.createText(name);
    if (Array.isArray(node.oneOf)) return this.createAlternative(name, node, start);
    if (Array.isArray(node.enum)) return start ?? node.enum[0] ?? '';
    if (node.type === 'object') return this.createObject(node, isObject(start) ? start : {});
    if (node.type === 'array') return this.createList(node, start);
    return start ?? this.createScalar(name, node);
  }

  private ofOffering(name: string): string | undefined {
    return name === 'package_id' ? this.context.packageIds[0] : undefined;
  }

  createLayer(type: string, start: JsonObject = {}): JsonObject {
    const item = this.createObject(definitionOf(this.schema, type), start);
    if (type === 'tab') return withComponents(item, [this.createLayer('tab_control')]);
    return type === 'tabs' ? this.withTabs(item) : item;
  }

  private createObject(node: SchemaNode, start: JsonObject): JsonObject {
    const properties = propertiesOf(node);
    const names = Object.keys(properties).filter(
      (name) => requiredOf(node).includes(name) || Object.hasOwn(start, name),
    );
    const parts = names.map((name) => [name, this.create(name, properties[name]!, start[name])] as const);
    return this.withLabel({ ...start, ...Object.fromEntries(parts) });
  }

  /** Gives a new button or package a text, because an empty one cannot be seen. */
  private withLabel(item: JsonObject): JsonObject {
    const { stack, type } = item;
    const isEmpty = isObject(stack) && Array.isArray(stack.components) && stack.components.length === 0;
    return isEmpty && /(button|package|option)$/.test(asText(type))
      ? withComponents(item, [this.createLayer('text')])
      : item;
  }

  /** Connects new tabs with a button that opens the first. Each tab shows the buttons. */
  private withTabs(item: JsonObject): JsonObject {
    const { control } = item;
    if (!isObject(control)) return item;
    const tab = this.createLayer('tab');
    const id = tab.id ?? null;
    const button = this.createLayer('tab_control_button', { tab_id: id, tab_index: 0 });
    return { ...item, control: withComponents(control, [button]), tabs: [tab], default_tab_id: id };
  }

  private createList({ items, minItems }: SchemaNode, start: JsonValue | undefined): JsonValue {
    const list = Array.isArray(start) ? start : [];
    if (!isObject(items)) return list;
    const missing = Array.from({ length: Math.max(0, Number(minItems ?? 0) - list.length) }, () =>
      this.create('item', items),
    );
    return [...list.map((item) => this.create('item', items, item)), ...missing];
  }

  private createAlternative(name: string, node: SchemaNode, start: JsonValue | undefined): JsonValue {
    const given = alternativeFor(this.schema, node, start);
    const alternative = given ?? alternativesOf(this.schema, node)[0];
    if (!alternative) return start ?? null;
    if (start !== undefined && !given && !isObject(start)) return start;
    return this.create(name, alternative.node, start);
  }

  private createText(name: string): string {
    const id = randomId();
    this.texts[id] =
      name === 'override_source_lid'
        ? placeholderImage(this.context.iconsUrl)
        : name === 'url_lid'
          ? 'https://example.com'
          : 'New text';
    return id;
  }

  private createScalar(name: string, { type, minimum, maximum, pattern }: SchemaNode): JsonValue {
    if (type === 'boolean') return false;
    if (type === 'integer' || type === 'number')
      return name === 'value' ? Math.min(Number(maximum ?? 100), 100) : Number(minimum ?? 0);
    if (name === 'icon_name') return PLACEHOLDER_ICON;
    if (name === 'base_url') return this.context.iconsUrl;
    if (name === 'png' || name === 'heic') return `${PLACEHOLDER_ICON}.png`;
    if (name === 'svg' || name === 'webp') return `${PLACEHOLDER_ICON}.${name}`;
    const rule = asText(pattern);
    if (rule.startsWith('^\\d{4}-')) return isoSecond(Date.now() + 7 * DAY_MS);
    if (rule.startsWith('^#')) return '#000000';
    return rule.startsWith('^http') ? 'https://example.com' : 'New';
  }
}

/** Creates a component, or a part of one such as a tab, with everything that it requires. */
export function newLayer(schema: SchemaNode, type: string, context: NewValueContext): NewValue<JsonObject> {
  const factory = new ValueFactory(schema, context);
  const value = factory.createLayer(type);
  return { value, texts: factory.texts };
}

/** Creates a value for a property. */
export function newValue(
  schema: SchemaNode,
  { name, node, definition }: Pick<Field, 'name' | 'node' | 'definition'>,
  context: NewValueContext,
): NewValue {
  const factory = new ValueFactory(schema, context);
  const property = definition === null ? node : { ...node, $ref: `#/$defs/${definition}` };
  if (isLayer(schema, definition)) return { value: factory.createLayer(definition), texts: factory.texts };
  return { value: factory.create(name, property), texts: factory.texts };
}
