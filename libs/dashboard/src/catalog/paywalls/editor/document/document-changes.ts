import type { JsonObject, JsonValue, Localization, Path, PaywallDocument } from '../../paywall.types.js';
import { copyOf, withoutTextsOf } from './document-ids.js';
import { isInside, isObject, pathWithout, valueAt, withItem, withValue } from './json-path.js';
import { randomId } from './random-id.js';
import { withoutTabButtons, withTabButton, withTabPlaces } from './tab-buttons.js';

/** A change of the document. Each is one step of the history. The buttons of tabs follow their tabs. */
export type DocumentChange =
  /**
   * Sets a value, or removes it if `value` is undefined. An empty path replaces the document. `texts` are added to the
   * default language.
   */
  | { type: 'set'; path: Path; value: JsonValue | PaywallDocument | undefined; texts?: Localization }
  /** Inserts an item at `path`, which ends with its index. */
  | { type: 'insert'; path: Path; item: JsonObject; texts?: Localization }
  /** Moves the item at `path` in front of what is now at `to`. */
  | { type: 'move'; path: Path; to: Path }
  | { type: 'remove'; path: Path }
  | { type: 'duplicate'; path: Path };

const asNode = (document: PaywallDocument): JsonObject => document as unknown as JsonObject;
const asDocument = (node: unknown): PaywallDocument => node as PaywallDocument;

function withTexts(document: PaywallDocument, texts: Localization = {}): PaywallDocument {
  const { default_locale: locale, components_localizations: localizations } = document;
  if (Object.keys(texts).length === 0) return document;
  return {
    ...document,
    components_localizations: { ...localizations, [locale]: { ...localizations[locale], ...texts } },
  };
}

function move(document: PaywallDocument, path: Path, to: Path): PaywallDocument {
  const item = valueAt(document, path);
  if (item === undefined || isInside(to, path)) return document;
  const without = withValue(asNode(document), path, () => undefined);
  const place = pathWithout(to, path);
  return withTabPlaces(asDocument(withItem(without, place, item)), place);
}

function remove(document: PaywallDocument, path: Path): PaywallDocument {
  const item = valueAt(document, path);
  if (item === undefined) return document;
  const without = withoutTextsOf(item, asDocument(withValue(asNode(document), path, () => undefined)));
  return withoutTabButtons(without, path, item);
}

function duplicate(document: PaywallDocument, path: Path, newId: () => string): PaywallDocument {
  const item = valueAt(document, path);
  if (!isObject(item)) return document;
  const { copy, localizations } = copyOf(item, document.components_localizations, newId);
  const after = path.with(-1, Number(path.at(-1)) + 1);
  const withCopy = asDocument(withItem(asNode(document), after, copy));
  return withTabButton({ ...withCopy, components_localizations: localizations }, after, true, newId);
}

/** Returns the changed document, which shares all other parts with the given one. */
export function changedDocument(
  document: PaywallDocument,
  change: DocumentChange,
  newId = randomId,
): PaywallDocument {
  switch (change.type) {
    case 'set':
      return withTexts(
        asDocument(withValue(asNode(document), change.path, () => change.value as JsonValue)),
        change.texts,
      );
    case 'insert':
      return withTabButton(
        withTexts(asDocument(withItem(asNode(document), change.path, change.item)), change.texts),
        change.path,
        false,
        newId,
      );
    case 'move':
      return move(document, change.path, change.to);
    case 'remove':
      return remove(document, change.path);
    case 'duplicate':
      return duplicate(document, change.path, newId);
  }
}

/** Returns the path of the component that a change is about, once the document has changed. */
export function pathAfter(change: DocumentChange): Path {
  if (change.type === 'move') return pathWithout(change.to, change.path);
  if (change.type === 'duplicate') return change.path.with(-1, Number(change.path.at(-1)) + 1);
  return change.path;
}
