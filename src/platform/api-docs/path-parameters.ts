interface PathParameter {
  name: string;
  in: string;
  description?: string;
  example?: string;
  schema?: { example?: unknown };
}

/** Ids that this server makes: there is no example that every project has. */
const ids: Record<string, string> = {
  project_id: 'Id of the project: `GET /v2/projects`.',
  app_id: 'Id of an app: `GET /v2/projects/{project_id}/apps`.',
  delivery_id: 'Id of a delivery: the list of deliveries of the webhook integration.',
  audit_log_id: 'Id of an entry of the audit log: `GET /v2/projects/{project_id}/audit_logs`.',
  experiment_id: 'Id of an experiment: `GET /v2/projects/{project_id}/experiments`.',
  event_id: 'Id of an event: `GET /v2/projects/{project_id}/events`.',
  replay_id: 'Id of a replay: the list of replays of the webhook integration.',
  discount_id: 'Id of a discount. There are none.',
  entitlement_id: 'Id of an entitlement: `GET /v2/projects/{project_id}/entitlements`.',
  grant_id: 'Id of a grant: `GET /auth/oauth_tokens`.',
  invite_id: 'Id of an invite: `GET /v2/projects/{project_id}/invites`.',
  invoice_id: 'Id of an invoice. There are none.',
  key_id: 'Id of a secret key: `GET /v2/projects/{project_id}/api_keys`.',
  link_id: 'Id of a redemption link: the list of redemption links of a customer.',
  offering_id: 'Id of an offering: `GET /v2/projects/{project_id}/offerings`.',
  operation: 'Id of a checkout. There are none.',
  org_id: 'Id of an organization: `GET /v2/organizations`.',
  package_id: 'Id of a package: the list of packages of an offering.',
  paywall_id: 'Id of a paywall. There are none.',
  product_id: 'Id of a product: `GET /v2/projects/{project_id}/products`.',
  provider_id: 'Id of an identity provider: `GET /v2/projects/{project_id}/auth/providers`.',
  purchase_id: 'Id of a one-time purchase: the list of purchases of a customer.',
  request_id: 'Id of a mass extension, from the answer that started it.',
  rule_id: 'Id of a targeting rule: `GET /v2/projects/{project_id}/targeting_rules`.',
  session_id: 'Id of a session: `GET /auth/sessions`.',
  subscription_id: 'Id of a subscription: the list of subscriptions of a customer.',
  test_clock_id: 'Id of a test clock: `GET /v2/projects/{project_id}/test_clocks`.',
  token: 'The token of the link in the mail.',
  token_id: 'Id of a SCIM token: `GET /v2/organizations/{org_id}/scim/tokens`.',
  transaction_id: 'Id of a payment: the list of payments of the subscription.',
  user_id: 'Id of a person: `GET /v2/projects/{project_id}/collaborators`.',
  webhook_integration_id:
    'Id of a webhook integration: `GET /v2/projects/{project_id}/integrations/webhooks`.',
  workflow_id: 'Id of a workflow. There are none.',
};

/** Names that people choose: the examples are those of the demo, and customers whom SDKs create on first sight. */
const names: Record<string, [description: string, example?: string]> = {
  app_user_id: ['An app user id of the customer, URL-encoded.', 'ada'],
  chart_name: ['Name of a chart.', 'revenue'],
  client_transaction_id: ['Id that the SDK gave the reward.', '1'],
  customer_id: ['Any app user id of the customer, URL-encoded.', 'ada'],
  domain: ['What the configuration is for.', 'app'],
  entitlement_identifier: ['Lookup key or id of an entitlement.', 'pro'],
  offering_identifier: ['Lookup key or id of an offering.', 'default'],
  product_identifier: ['Identifier of the product in its store.', 'pro_monthly'],
  receipt_id: ['Id of the receipt at Amazon.'],
  store: ['The store that sends the notification.'],
  store_transaction_identifier: ['Transaction or order id of the store.'],
  store_user_id: ['Id of the user at Amazon.'],
  subject: ['`sub` of the ID tokens of an identity, URL-encoded.', 'ada'],
  virtual_currency_code: ['Code of a virtual currency.', 'GLD'],
};

export function describePathParameters(parameters: readonly PathParameter[]): void {
  for (const parameter of parameters) {
    if (parameter.in !== 'path') continue;
    const [description, example] = names[parameter.name] ?? [ids[parameter.name]];
    if (description !== undefined) parameter.description ??= description;
    if (example !== undefined && parameter.schema?.example === undefined) parameter.example ??= example;
  }
}
