import { usePaywallDocument } from '../editor/paywall-editor-context.js';

/** The texts of the paywall by language. */
export function TextsTab() {
  const { document } = usePaywallDocument();
  return <p className="text-muted">Languages: {Object.keys(document.components_localizations).join(', ')}</p>;
}
