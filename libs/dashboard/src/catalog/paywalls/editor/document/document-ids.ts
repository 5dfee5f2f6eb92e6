import type { JsonObject, JsonValue, Localization, PaywallDocument } from '../../paywall.types.js';
import { isObject } from './json-path.js';

/** Calls `visit` with every named string in a value. */
function visitStrings(value: JsonValue | undefined, visit: (name: string, text: string) => void): void {
  if (Array.isArray(value)) for (const item of value) visitStrings(item, visit);
  if (!isObject(value)) return;
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'string') visit(name, part);
    else visitStrings(part, visit);
  }
}

const isTextId = (name: string): boolean => name.endsWith('_lid');

/** Names of properties that contain a component's id. */
const isComponentId = (name: string): boolean => /^(id|tab_id|default_tab_id)$/.test(name);

/** Returns the ids of the texts that a part of a document shows. */
export function textIdsIn(value: JsonValue | undefined): Set<string> {
  const found = new Set<string>();
  visitStrings(value, (name, text) => isTextId(name) && found.add(text));
  return found;
}

function replaceStrings(value: JsonValue, replace: (name: string, text: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => replaceStrings(item, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'string' ? replace(name, part) : replaceStrings(part, replace),
    ]),
  );
}

type Localizations = PaywallDocument['components_localizations'];

/** Returns a copy of a component with ids and texts of its own, and the localizations with these texts. */
export function copyOf(item: JsonObject, localizations: Localizations, newId: () => string) {
  const own = new Set<string>();
  visitStrings(item, (name, text) => name === 'id' && own.add(text));
  const ids = new Map([...own].map((id) => [id, newId()]));
  const texts = new Map([...textIdsIn(item)].map((id) => [id, newId()]));
  const copy = replaceStrings(item, (name, text) => {
    const replaced = isTextId(name) ? texts.get(text) : isComponentId(name) ? ids.get(text) : undefined;
    return replaced ?? text;
  }) as JsonObject;
  const copied = Object.entries(localizations).map(([locale, all]) => {
    const added = [...texts].filter(([id]) => Object.hasOwn(all, id)).map(([id, to]) => [to, all[id]!]);
    return [
      locale,
      added.length > 0 ? { ...all, ...(Object.fromEntries(added) as Localization) } : all,
    ] as const;
  });
  return { copy, localizations: Object.fromEntries(copied) as Localizations };
}

/** Removes the texts of a removed part that no other part shows. */
export function withoutTextsOf(removed: JsonValue | undefined, document: PaywallDocument): PaywallDocument {
  const { components_config: config, components_localizations: localizations } = document;
  const used = textIdsIn(config);
  const unused = new Set([...textIdsIn(removed)].filter((id) => !used.has(id)));
  if (unused.size === 0) return document;
  const kept = Object.entries(localizations).map(([locale, texts]) => [
    locale,
    Object.fromEntries(Object.entries(texts).filter(([id]) => !unused.has(id))),
  ]);
  return { ...document, components_localizations: Object.fromEntries(kept) as Localizations };
}
