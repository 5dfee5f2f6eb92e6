/** Formats `entitlement_products_attached` for display. */
export function actionWords(action: string): string {
  const text = action.replaceAll('_', ' ').replace(/^api\b/, 'API');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const places: Record<string, (id: string) => string> = {
  app: (id) => `/apps/${id}`,
  product: (id) => `/catalog/products/${id}`,
  entitlement: (id) => `/catalog/entitlements/${id}`,
  offering: (id) => `/catalog/offerings/${id}`,
  destination: (id) => `/integrations/${id}`,
  webhook_integration: (id) => `/webhooks/${id}`,
  targeting_rule: () => '/targeting',
  experiment: (id) => `/experiments/${id}`,
  test_clock: (id) => `/test/clocks/${id}`,
  customer: (id) => `/customer?id=${encodeURIComponent(id)}`,
  virtual_currency: () => '/catalog/currencies',
  api_key: () => '/settings/keys',
  collaborator: () => '/settings/members',
  invite: () => '/settings/members',
  project: () => '/settings/general',
  auth_provider: () => '/settings/sign-in',
  auth_settings: () => '/settings/sign-in',
  blocked_customer: (id) => `/customer?id=${encodeURIComponent(id)}`,
};

/**
 * Returns the path of a changed object's page, relative to the project; null if it has none or was deleted. The target
 * of a new order is the project.
 */
export function pageOfTarget(target: { type: string; id: string; action: string }): string | null {
  const place = places[target.type];
  if (!place || /_(deleted|erased|reordered)$/.test(target.action)) return null;
  return place(target.id);
}
