/** The sections of the API in the order of Swagger UI: the most commonly needed come first. */
export const openApiTags: readonly { name: string; description: string }[] = [
  { name: 'Accounts', description: 'Sign up, sign in and out, and your own account. Start here.' },
  {
    name: 'OAuth',
    description: 'How programs such as MCP clients ask people for access to one project.',
  },
  {
    name: 'Enterprise',
    description: 'The enterprise edition: its licence, and which of its features this server has.',
  },
  {
    name: 'Organizations',
    description:
      'An organization has projects and people, and decides how they sign in (enterprise edition).',
  },
  {
    name: 'Single sign-on',
    description:
      'How people of an organization sign in with its identity provider, by SAML or OpenID Connect (enterprise edition).',
  },
  {
    name: 'Custom roles',
    description: 'Roles with chosen permissions, and roles by group (enterprise edition).',
  },
  {
    name: 'Compliance exports',
    description: 'Signed files for auditors (enterprise edition).',
  },
  {
    name: 'Provisioning',
    description:
      'Tokens with which identity providers provision people and groups by SCIM 2.0 (enterprise edition).',
  },
  { name: 'Projects', description: 'A project holds the apps, products and customers of one business.' },
  { name: 'API keys', description: 'Secret keys, with which backends call this API.' },
  { name: 'Collaborators', description: 'The people of a project and their roles.' },
  { name: 'Invites', description: 'Invite people to a project by mail.' },
  {
    name: 'Apps',
    description:
      'An app is sold through one store. Each has a public key for the SDKs, and its store credentials.',
  },
  { name: 'Products', description: 'What the stores sell: subscriptions and one-time products.' },
  { name: 'Entitlements', description: 'Levels of access that products unlock and that your app checks.' },
  { name: 'Offerings', description: 'Sets of packages that your app shows; one of them is the current one.' },
  { name: 'Packages', description: 'A place in an offering, filled with one product for each app.' },
  {
    name: 'Targeting',
    description: 'Rules that decide which offering a customer sees, by country, app, version and more.',
  },
  {
    name: 'Experiments',
    description: 'A/B tests: customers are divided among two to four offerings.',
  },
  { name: 'Customers', description: 'People who use your app: their ids, attributes, access and history.' },
  { name: 'Subscriptions', description: 'Subscriptions of customers, and what can be done with them.' },
  { name: 'Purchases', description: 'One-time purchases of customers.' },
  {
    name: 'Web purchases',
    description: 'Links with which purchases made on the web are redeemed in an app.',
  },
  { name: 'Transactions', description: 'The ledger: every payment and refund of the project.' },
  {
    name: 'Virtual currencies',
    description: 'Coins, credits and the like: definitions, and balances of customers.',
  },
  {
    name: 'Customer sign-in',
    description: 'Identity providers with whose accounts customers sign in, and who did.',
  },
  { name: 'Blocked customers', description: 'App user ids that get no access, whatever they bought.' },
  { name: 'Imports', description: 'Customers of another system, with what they own there.' },
  { name: 'Events', description: 'Everything that happened to purchases, as webhooks report it.' },
  { name: 'Webhook integrations', description: 'URLs to which the events of a project are sent.' },
  {
    name: 'Webhook deliveries',
    description: 'What was sent to webhooks, whether it arrived, and sending it again.',
  },
  { name: 'Metrics', description: 'Key figures of a project: revenue, subscriptions, trials, customers.' },
  { name: 'Setup', description: 'Checks that a project is set up completely.' },
  { name: 'Audit log', description: 'Who changed what in a project.' },
  { name: 'Test Store', description: 'Purchases without a store and without money, for development.' },
  { name: 'Test clocks', description: 'Clocks under your control: months of renewals in seconds.' },
  {
    name: 'SDK',
    description: 'What the mobile and web SDKs call. Send the public key of an app.',
  },
  {
    name: 'Signed-in customers',
    description: 'What SDKs call for a customer who signed in. Send the access token of the customer.',
  },
  { name: 'REST v1', description: 'Calls that existing backends make. Send a secret key.' },
  { name: 'Store notifications', description: 'Addresses that stores send their notifications to.' },
  {
    name: 'Charts',
    description: 'Revenue, subscriptions, trials and retention over time, with filters and segments.',
  },
  { name: 'Invoices', description: 'The stores issue the invoices: there are none here.' },
  { name: 'Server', description: 'Health checks, and where to find the documentation.' },
];
