/** The sections of the API in the order of Swagger UI: the most commonly needed come first. */
export const openApiTags: readonly { name: string; description: string }[] = [
  { name: 'Accounts', description: 'Sign up, sign in and out, and your own account. Start here.' },
  {
    name: 'OAuth',
    description: 'OAuth 2.1 for programs, such as MCP clients, that access one project on behalf of a user.',
  },
  {
    name: 'Enterprise',
    description: 'The enterprise edition: its licence, and which of its features this server has.',
  },
  {
    name: 'Organizations',
    description:
      'An organization has projects and members, and decides how they sign in (enterprise edition).',
  },
  {
    name: 'Single sign-on',
    description: 'Single sign-on of an organization by SAML or OpenID Connect (enterprise edition).',
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
      'Tokens that identity providers use to provision people and groups by SCIM 2.0 (enterprise edition).',
  },
  { name: 'Projects', description: 'A project holds the apps, products and customers of one business.' },
  { name: 'API keys', description: 'Secret keys, which backends use to call this API.' },
  { name: 'Collaborators', description: 'The people of a project and their roles.' },
  { name: 'Invites', description: 'Invite people to a project by mail.' },
  {
    name: 'Apps',
    description:
      'An app belongs to one store. It has a public key for the SDKs and credentials of its store.',
  },
  {
    name: 'Retention messages',
    description: 'What the App Store shows to customers who are about to cancel.',
  },
  { name: 'Products', description: 'Products of the stores: subscriptions and one-time products.' },
  { name: 'Entitlements', description: 'Levels of access that products unlock and that your app checks.' },
  { name: 'Offerings', description: 'Sets of packages that your app shows; one of them is the current one.' },
  { name: 'Paywalls', description: 'Screens that show an offering, with drafts and published versions.' },
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
  { name: 'Subscriptions', description: 'Subscriptions of customers: read, cancel, extend, refund.' },
  { name: 'Purchases', description: 'One-time purchases of customers.' },
  {
    name: 'Web purchases',
    description: 'Links that redeem web purchases in an app.',
  },
  {
    name: 'Outside purchases',
    description: 'Tokens for purchases outside the App Store and Google Play, and reports about them.',
  },
  { name: 'Transactions', description: 'The ledger: every payment and refund of the project.' },
  {
    name: 'Refunds',
    description:
      'Refund requests of the App Store and chargebacks of Google Play, and how they are answered.',
  },
  {
    name: 'Virtual currencies',
    description: 'Coins, credits and the like: definitions, and balances of customers.',
  },
  {
    name: 'Customer sign-in',
    description: 'Identity providers for customer sign-in, and the customers who signed in.',
  },
  { name: 'Blocked customers', description: 'App user ids without access, regardless of their purchases.' },
  { name: 'Imports', description: 'Import of customers and purchases from another system.' },
  { name: 'Events', description: 'Events about purchases, as sent to webhooks.' },
  { name: 'Webhook integrations', description: 'URLs to which the events of a project are sent.' },
  {
    name: 'Webhook deliveries',
    description: 'Deliveries to webhooks: status, attempts, and sending them again.',
  },
  {
    name: 'Destinations',
    description:
      'Tools that receive the events of a project in their own form: analytics, attribution, chats.',
  },
  {
    name: 'Destination deliveries',
    description: 'Deliveries to destinations: status, the reason if an event is not sent, and requests.',
  },
  { name: 'Metrics', description: 'Key figures of a project: revenue, subscriptions, trials, customers.' },
  { name: 'Setup', description: 'Checks that a project is set up completely.' },
  { name: 'Audit log', description: 'Who changed what in a project.' },
  { name: 'Test Store', description: 'Purchases without a store or money, for development.' },
  { name: 'Test clocks', description: 'Clocks that you control: months of renewals in seconds.' },
  {
    name: 'SDK',
    description: 'Calls of the mobile and web SDKs. Send the public key of an app.',
  },
  {
    name: 'Signed-in customers',
    description: "Calls of the SDKs for a signed-in customer. Send the customer's access token.",
  },
  { name: 'REST v1', description: 'Calls of existing backends. Send a secret key.' },
  { name: 'Store notifications', description: 'Addresses to which stores send their notifications.' },
  {
    name: 'Charts',
    description: 'Revenue, subscriptions, trials and retention over time, with filters and segments.',
  },
  { name: 'Digests', description: 'Figures of a day or a week, sent to a channel or to members by mail.' },
  {
    name: 'SQL access',
    description: 'Read-only database users for BI tools, each with the data of one project.',
  },
  { name: 'Exports', description: 'Files of the data of a project, delivered to a bucket or a server.' },
  { name: 'Invoices', description: 'The stores issue the invoices: there are none here.' },
  { name: 'Server', description: 'Health checks, and where to find the documentation.' },
];
