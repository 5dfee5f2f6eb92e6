import type { JsonObject, JsonValue, Path, PaywallDocument } from '../../paywall.types.js';
import { copyOf, textIdsIn, withoutTextsOf } from './document-ids.js';
import { isObject, valueAt, withItem, withValue } from './json-path.js';

const NEW_LABEL = 'New tab';

interface PlacedButton {
  path: Path;
  button: JsonObject;
}

const asNode = (document: PaywallDocument): JsonObject => document as unknown as JsonObject;
const asDocument = (node: unknown): PaywallDocument => node as PaywallDocument;

/** Returns the path of the tabs that contain a tab, or null if the path is not that of a tab. */
function tabsAround(document: PaywallDocument, path: Path): Path | null {
  const around = path.slice(0, -2);
  const tabs = path.at(-2) === 'tabs' ? valueAt(document, around) : undefined;
  return isObject(tabs) && tabs.type === 'tabs' ? around : null;
}

function tabIds(document: PaywallDocument, tabs: Path): (JsonValue | undefined)[] {
  const items = valueAt(document, [...tabs, 'tabs']);
  return Array.isArray(items) ? items.map((tab) => (isObject(tab) ? tab.id : undefined)) : [];
}

function buttonsAt(document: PaywallDocument, path: Path): PlacedButton[] {
  const value = valueAt(document, path);
  if (typeof value !== 'object' || value === null) return [];
  const parts = Array.isArray(value) ? value.keys() : Object.keys(value);
  const inside = [...parts].flatMap((part) => buttonsAt(document, [...path, part]));
  return isObject(value) && value.type === 'tab_control_button'
    ? [{ path, button: value }, ...inside]
    : inside;
}

/** Buttons name the place of their tab, which other tabs change. */
export function withTabPlaces(document: PaywallDocument, tab: Path): PaywallDocument {
  const tabs = tabsAround(document, tab);
  if (!tabs) return document;
  const ids = tabIds(document, tabs);
  return buttonsAt(document, tabs).reduce((changed, { path, button }) => {
    const place = ids.indexOf(button.tab_id);
    return place < 0 ? changed : asDocument(withValue(asNode(changed), [...path, 'tab_index'], () => place));
  }, document);
}

/** Adds a button for a new tab, in the look of the button before it. A copy of a tab keeps the label. */
export function withTabButton(
  document: PaywallDocument,
  tab: Path,
  isCopy: boolean,
  newId: () => string,
): PaywallDocument {
  const tabs = tabsAround(document, tab);
  if (!tabs) return document;
  const ids = tabIds(document, tabs);
  const place = Number(tab.at(-1));
  const buttons = buttonsAt(document, [...tabs, 'control']);
  const model = buttons.find(({ button }) => button.tab_id === ids[place - 1]) ?? buttons.at(-1);
  if (!model) return document;
  const { default_locale: locale, components_localizations: texts } = document;
  const { copy, localizations } = copyOf(model.button, isCopy ? texts : {}, newId);
  const labels = Object.fromEntries([...textIdsIn(copy)].map((id) => [id, NEW_LABEL]));
  const after = model.path.with(-1, Number(model.path.at(-1)) + 1);
  const withButton = withItem(asNode(document), after, { ...copy, tab_id: ids[place] ?? null });
  return withTabPlaces(
    {
      ...asDocument(withButton),
      components_localizations: isCopy
        ? localizations
        : { ...texts, [locale]: { ...texts[locale], ...labels } },
    },
    tab,
  );
}

/** Removes the buttons of a tab that was at the path. The first tab takes its place as the default. */
export function withoutTabButtons(
  document: PaywallDocument,
  path: Path,
  tab: JsonValue | undefined,
): PaywallDocument {
  const tabs = tabsAround(document, path);
  if (!tabs || !isObject(tab)) return document;
  const { id } = tab;
  const buttons = buttonsAt(document, tabs).filter(({ button }) => button.tab_id === id);
  // The last first, because removing one moves those behind it.
  const without = buttons.reduceRight(
    (changed, { path: place, button }) =>
      withoutTextsOf(button, asDocument(withValue(asNode(changed), place, () => undefined))),
    document,
  );
  const initial = [...tabs, 'default_tab_id'];
  const [first] = tabIds(without, tabs);
  return withTabPlaces(
    valueAt(without, initial) === id && first !== undefined
      ? asDocument(withValue(asNode(without), initial, () => first))
      : without,
    path,
  );
}
