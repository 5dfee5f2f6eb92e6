/** Parts of the API documentation, as the OpenAPI document names them. */
export type DocsTag =
  | 'Apps'
  | 'API keys'
  | 'Audit log'
  | 'Blocked customers'
  | 'Customer sign-in'
  | 'Customers'
  | 'Entitlements'
  | 'Events'
  | 'Experiments'
  | 'Imports'
  | 'Invites'
  | 'Offerings'
  | 'Products'
  | 'Targeting'
  | 'Test clocks'
  | 'Transactions'
  | 'Virtual currencies'
  | 'Web purchases'
  | 'Webhook deliveries'
  | 'Webhook integrations';

/** Where the documentation describes the calls of a page. */
export const docsOf = (tag: DocsTag): string => `/docs#/${encodeURIComponent(tag)}`;
