import type { JsonValue, Localization, Path } from '../../paywall.types.js';
import { usePaywallDocument } from '../paywall-editor-context.js';

/** Returns a function that sets the value at a path; undefined removes it. */
export function useChange(path: Path) {
  const { dispatch } = usePaywallDocument();
  return (value: JsonValue | undefined, texts?: Localization): void =>
    void dispatch({ type: 'set', path, value, texts });
}
