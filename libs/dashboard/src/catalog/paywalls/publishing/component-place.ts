import { isObject, valueAt } from '../editor/document/json-path.js';
import type { Path, PaywallDocument } from '../paywall.types.js';

const isComponent = (value: unknown): boolean =>
  isObject(value) && typeof value.id === 'string' && typeof value.type === 'string';

/** Whether a problem is about a text or a language. */
export const isAboutTexts = (path: Path): boolean => path[0] === 'components_localizations';

/** Returns the path of the innermost component around a value, or null if there is none. */
export function componentAround(document: PaywallDocument, path: Path): Path | null {
  for (let length = path.length; length > 0; length--) {
    const around = path.slice(0, length);
    if (isComponent(valueAt(document, around))) return around;
  }
  return null;
}
