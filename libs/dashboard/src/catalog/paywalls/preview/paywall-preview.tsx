import type { Package } from '../../catalog.types.js';
import type { PaywallDocument, PaywallSettings } from '../paywall.types.js';

export interface PaywallPreviewProps {
  document: PaywallDocument;
  uiConfig: PaywallSettings;
  /** The packages of the paywall's offering, with their products. */
  packages: readonly Package[];
  locale: string;
  dark: boolean;
}

/** The paywall as the web SDK renders it. */
export function PaywallPreview({ locale, dark }: PaywallPreviewProps) {
  return (
    <p className="p-4 text-muted">
      Preview in {locale}, {dark ? 'dark' : 'light'}
    </p>
  );
}
