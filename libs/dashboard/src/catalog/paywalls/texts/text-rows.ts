import { isObject } from '../editor/document/json-path.js';
import type { JsonObject, JsonValue, PaywallDocument } from '../paywall.types.js';

/** A text of the document, with the component that shows it. */
export interface TextRow {
  id: string;
  component: string;
}

/** Names of properties with the id of a text. `override_source_lid` is an image. */
const textIds = new Set(['text_lid', 'url_lid', 'placeholder_lid']);

/** A component's own name, otherwise its type: `purchase_button` is "Purchase button". */
function nameOf({ name, type }: JsonObject): string {
  if (typeof name === 'string' && name !== '') return name;
  const words = (type as string).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const isComponent = (value: JsonObject): boolean =>
  typeof value.id === 'string' && typeof value.type === 'string';

/** A stack without a name says nothing about what is in it. */
const isTelling = ({ type, name }: JsonObject): boolean => type !== 'stack' || name !== undefined;

function labelOf(around: readonly JsonObject[], property: string): string {
  const names = around.filter(isTelling).slice(-2).map(nameOf);
  return names.join(' › ') + (property === 'url_lid' ? ': address' : '');
}

/** Returns the texts of a document in its order, each once. */
export function textRowsOf({ components_config: config }: PaywallDocument): TextRow[] {
  const found = new Map<string, TextRow>();
  const visit = (value: JsonValue, around: readonly JsonObject[]): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, around);
    if (!isObject(value)) return;
    const inside = isComponent(value) ? [...around, value] : around;
    for (const [name, part] of Object.entries(value)) {
      if (typeof part !== 'string') visit(part, inside);
      else if (textIds.has(name) && !found.has(part))
        found.set(part, { id: part, component: labelOf(inside, name) });
    }
  };
  visit(config, []);
  return [...found.values()];
}

/** The languages of a document, the default one first. */
export function localesOf({
  default_locale: first,
  components_localizations: all,
}: PaywallDocument): string[] {
  return [first, ...Object.keys(all).filter((locale) => locale !== first)];
}

/** Returns a text, or undefined if the language lacks it. */
export function textOf(document: PaywallDocument, locale: string, id: string): string | undefined {
  const texts = document.components_localizations[locale] ?? {};
  const text = Object.hasOwn(texts, id) ? texts[id] : undefined;
  return typeof text === 'string' ? text : undefined;
}
