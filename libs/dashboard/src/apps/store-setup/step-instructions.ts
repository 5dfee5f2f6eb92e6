import type { FieldName } from './setup-fields.js';
import type { StepId } from './setup-steps.js';

interface StepWords {
  title: string;
  why: string;
  /** Location in the store's console. */
  where: string | null;
  link?: { label: string; href: string };
  /** The store's own names for fields. */
  labels?: Partial<Record<FieldName, string>>;
}

const appStoreConnect = { label: 'App Store Connect', href: 'https://appstoreconnect.apple.com' };
const playConsole = { label: 'Play Console', href: 'https://play.google.com/console' };
const googleCloud = { label: 'Google Cloud', href: 'https://console.cloud.google.com' };
const amazonConsole = {
  label: 'Amazon developer console',
  href: 'https://developer.amazon.com/apps-and-games/console',
};
const rokuDashboard = { label: 'Roku Developer Dashboard', href: 'https://developer.roku.com' };
const stripe = { label: 'Stripe Dashboard', href: 'https://dashboard.stripe.com' };

export const stepWords: Record<StepId, StepWords> = {
  bundle: {
    title: 'Bundle ID',
    why: 'Only what Apple signed for this app is accepted.',
    where: 'App › General › App Information',
    link: appStoreConnect,
  },
  appleKey: {
    title: 'In-app purchase key',
    why: 'Lets the server ask Apple for renewal state, history and missed notifications, and extend subscriptions.',
    where: 'Users and Access › Integrations › In-App Purchase: create a key and download its .p8 file',
    link: appStoreConnect,
  },
  appleAddress: {
    title: 'Notification address',
    why: 'Apple reports renewals, cancellations and refunds there.',
    where:
      'App › App Information › App Store Server Notifications: enter it for production and sandbox, version 2',
    link: appStoreConnect,
  },
  appleReceived: {
    title: 'First notification received',
    why: 'Proves that Apple reaches this server.',
    where: 'Buy with a sandbox account, or request a test notification from Apple',
  },
  appleSecret: {
    title: 'Shared secret',
    why: 'Kept for older integrations. This server verifies receipts without it.',
    where: 'App › App Information › App-Specific Shared Secret',
    link: appStoreConnect,
  },
  connectKey: {
    title: 'App Store Connect key',
    why: 'Identifies your team to the App Store Connect API.',
    where: 'Users and Access › Integrations › App Store Connect API: create a key and download its .p8 file',
    link: appStoreConnect,
  },
  refunds: {
    title: 'Refund requests',
    why: 'What is sent to Apple when a customer asks for a refund. An answer states that the customer agreed to it.',
    where: null,
  },
  package: {
    title: 'Package name',
    why: 'Notifications of other apps are ignored.',
    where: 'All apps: below the name of your app',
    link: playConsole,
  },
  account: {
    title: 'Service account',
    why: 'Lets the server look up, acknowledge and refund purchases. New permissions take up to 36 hours.',
    where:
      'APIs & Services: turn on the Google Play Android Developer API. IAM & Admin › Service Accounts: create one, and a JSON key for it. Then Play Console › Users and permissions: invite its email address with “View app information”, “View financial data, orders, and cancellation survey responses” and “Manage orders and subscriptions”',
    link: googleCloud,
  },
  googleTopic: {
    title: 'Notification topic',
    why: 'Google reports renewals, cancellations and refunds through Pub/Sub.',
    where:
      'Pub/Sub › Topics: create one, allow google-play-developer-notifications@system.gserviceaccount.com to publish to it (role Pub/Sub Publisher), and add a push subscription to this address. Then Play Console › your app › Monetization setup: enter the topic and choose “Send all notifications”',
    link: googleCloud,
  },
  googleReceived: {
    title: 'First notification received',
    why: 'Proves that Google reaches this server.',
    where: 'Your app › Monetization setup › Send test notification',
    link: playConsole,
  },
  push: {
    title: 'Verify sender',
    why: 'With both, notifications that Google did not sign for this subscription are refused.',
    where:
      'Pub/Sub › Subscriptions › the push subscription: turn on authentication, and enter its audience and service account here',
    link: googleCloud,
  },
  amazonPackage: {
    title: 'Package name',
    why: 'Notifications of other apps are refused.',
    where: 'Apps & Services › My Apps › your app; it is the applicationId of your build',
    link: amazonConsole,
  },
  amazonSecret: {
    title: 'Shared key',
    why: 'Every receipt and notification is looked up with it.',
    where: 'Settings › Identity › Shared Key',
    link: amazonConsole,
    labels: { shared_secret: 'Shared key' },
  },
  amazonAddress: {
    title: 'Notification address',
    why: 'Amazon reports renewals and cancellations there. The server confirms the topic automatically.',
    where: 'Apps & Services › My Apps › your app › App Services › Real-time notifications',
    link: amazonConsole,
  },
  amazonReceived: {
    title: 'First notification received',
    why: 'Proves that Amazon reaches this server.',
    where: 'Saving the address in the console sends the first one',
  },
  topic: {
    title: 'Accepted topic',
    why: 'Notifications of other topics are refused. Without one, the first topic that sends is accepted.',
    where: null,
  },
  paddleKey: {
    title: 'API key',
    why: 'Every purchase and event is looked up with it. Live and sandbox have their own keys: create an app for each.',
    where: 'Developer tools › Authentication: a key that may read what the check names',
  },
  paddleAddress: {
    title: 'Notification destination',
    why: 'Paddle reports renewals, cancellations and refunds there.',
    where: 'Developer tools › Notifications, for subscription.*, transaction.*, adjustment.*',
  },
  paddleSecret: {
    title: 'Secret key',
    why: 'Proves that an event comes from Paddle.',
    where: 'Developer tools › Notifications › the destination › Edit destination (pdl_ntfset_…)',
  },
  paddleReceived: {
    title: 'First event received',
    why: 'Proves that Paddle reaches this server.',
    where: 'Buy something in the sandbox, or send one from Developer tools › Simulations',
  },
  paddleCustomers: {
    title: 'Customers of tracked purchases',
    why: 'Where to find the app user id of a purchase that only a webhook reports.',
    where: null,
  },
  rokuKey: {
    title: 'Roku Pay API key',
    why: 'Every receipt and notification is looked up with it. One key serves all your channels.',
    where: 'Your account › Roku Pay web services',
    link: rokuDashboard,
  },
  rokuChannel: {
    title: 'Channel',
    why: 'Purchases and notifications of your other channels go to their own apps here.',
    where: 'My channels › your channel: its id is in the address of the page',
    link: rokuDashboard,
  },
  rokuAddress: {
    title: 'Notification address',
    why: 'Roku reports renewals, failed charges, cancellations and refunds there; refunds nowhere else. One address serves all your channels.',
    where: 'Your account › Roku Pay web services › Push notifications',
    link: rokuDashboard,
  },
  rokuSigning: {
    title: 'Signature authentication',
    why: 'Unsigned notifications could come from anyone and are refused. Roku drops each after 72 hours, and blocks the address after 100.',
    where: 'Your account › Roku Pay web services › Push notifications: turn it on for this address',
    link: rokuDashboard,
  },
  rokuReceived: {
    title: 'First notification received',
    why: 'Proves that Roku reaches this server.',
    where: 'Buy something as a test user',
  },
  rokuTests: {
    title: 'Test notifications',
    why: 'Roku signs the messages of its own test page with other keys. They are refused unless you allow them.',
    where: null,
  },
  stripeKey: {
    title: 'Restricted API key',
    why: 'Every purchase and event is looked up with it. Test mode and live mode have their own keys: create an app for each.',
    where:
      'Developers › API keys: a restricted key that may read Subscriptions and their schedules, Invoices, Charges, Disputes, PaymentIntents, Checkout Sessions and Prices',
    link: stripe,
  },
  stripeAddress: {
    title: 'Webhook endpoint',
    why: 'Stripe reports renewals, cancellations and refunds there.',
    where:
      'Developers › Webhooks: add an endpoint with this address and snapshot payloads for customer.subscription.*, subscription_schedule.*, invoice.*, charge.*, refund.* and checkout.session.*; other events do no harm',
    link: stripe,
  },
  stripeSecret: {
    title: 'Signing secret',
    why: 'Proves that an event comes from Stripe.',
    where: 'Developers › Webhooks › the endpoint › Signing secret (whsec_…)',
    link: stripe,
  },
  stripeReceived: {
    title: 'First event received',
    why: 'Proves that Stripe reaches this server.',
    where: 'Make a purchase in test mode, or send a test event',
  },
  stripeAccount: {
    title: 'Account id',
    why: 'Events of other accounts are refused.',
    where: 'Settings › Account details (acct_…)',
    link: stripe,
  },
  receipts: {
    title: 'Who may post purchases',
    why: 'Anyone who learns the id of a purchase can post it with the public key, unless only your backend may.',
    where: null,
  },
  forwarding: {
    title: 'Forwarding and tracking',
    why: 'Forwards each notification to another address, and records purchases that only a notification reports.',
    where: null,
  },
  renewals: {
    title: 'Renewals of test purchases',
    why: 'How fast subscriptions of the Test Store renew, and how often.',
    where: null,
  },
};
