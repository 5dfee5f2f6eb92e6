/** Tags of the OpenAPI document. */
export type DocsTag =
  | 'Apps'
  | 'API keys'
  | 'Audit log'
  | 'Blocked customers'
  | 'Customer sign-in'
  | 'Customers'
  | 'Destination deliveries'
  | 'Destinations'
  | 'Digests'
  | 'Entitlements'
  | 'Events'
  | 'Experiments'
  | 'Exports'
  | 'Imports'
  | 'Invites'
  | 'Offerings'
  | 'Outside purchases'
  | 'Paywalls'
  | 'Products'
  | 'Refunds'
  | 'SQL access'
  | 'Targeting'
  | 'Test clocks'
  | 'Transactions'
  | 'Virtual currencies'
  | 'Web purchases'
  | 'Webhook deliveries'
  | 'Webhook integrations';

/** Link to the documentation of a page's calls. */
export const docsOf = (tag: DocsTag): string => `/docs#/${encodeURIComponent(tag)}`;
