import { useQuery } from '@tanstack/react-query';
import { offeringQuery } from '../../offerings/offerings.queries.js';
import { PaywallPreview } from '../preview/paywall-preview.js';
import { paywallSettingsQuery } from '../paywalls.queries.js';
import { usePaywallDocument } from './paywall-editor-context.js';

/** The paywall on a phone. */
export function PhoneColumn() {
  const { projectId, paywall, document, locale } = usePaywallDocument();
  const { data: settings } = useQuery(paywallSettingsQuery(projectId));
  const { data: offering } = useQuery(offeringQuery(projectId, paywall.offering_id));
  if (!settings || !offering) return null;
  return (
    <PaywallPreview
      document={document}
      uiConfig={settings}
      packages={offering.packages?.items ?? []}
      locale={locale}
      dark={false}
    />
  );
}
