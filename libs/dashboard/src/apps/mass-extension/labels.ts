import type { MassExtension } from './mass-extension.queries.js';

export const someCountriesText = (codes: readonly string[]) => codes.join(', ');

export const reasonLabels = {
  service_issue_or_outage: 'Service issue or outage',
  customer_satisfaction: 'Customer satisfaction',
  other: 'Other',
  undeclared: 'Not declared',
} satisfies Record<MassExtension['extend_reason_code'], string>;

export const environmentLabels = { production: 'Production', sandbox: 'Sandbox' };
