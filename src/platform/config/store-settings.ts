import { setting } from './setting.js';
import { boolean, callableUrl, httpUrl, integer, text } from './setting-values.js';

/** URLs and trusted certificates of stores and tools; all but the first two settings are for tests. */
export const storeSettings = {
  importHoldDays: setting({
    variable: 'SERVICE_IMPORT_HOLD_DAYS',
    description:
      'How long (days) an imported Google Play subscription that renews keeps giving access after its period while ' +
      'its purchase token is missing.',
    default: 60,
    parse: integer(0, 60),
  }),
  appleOnlineChecks: setting({
    variable: 'SERVICE_APPLE_ONLINE_CHECKS',
    description: 'Ask Apple whether the certificates of App Store signatures were revoked.',
    default: false,
    parse: boolean,
  }),
  testStores: setting({
    variable: 'SERVICE_TEST_STORES',
    description: 'For tests only: allows the settings that replace a store or a tool with another server.',
    default: false,
    parse: boolean,
  }),
  appleApiUrl: setting<string | null>({
    variable: 'SERVICE_APPLE_API_URL',
    description: 'App Store Server API, production. Only with `SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: "Apple's own",
    parse: httpUrl,
  }),
  appleSandboxApiUrl: setting<string | null>({
    variable: 'SERVICE_APPLE_SANDBOX_API_URL',
    description: 'App Store Server API, sandbox. Only with `SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: "Apple's own",
    parse: httpUrl,
  }),
  appleConnectUrl: setting<string | null>({
    variable: 'SERVICE_APPLE_CONNECT_URL',
    description: 'App Store Connect API. Only with `SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: "Apple's own",
    parse: httpUrl,
  }),
  testAppleRoots: setting<string | null>({
    variable: 'SERVICE_TEST_APPLE_ROOTS',
    description:
      'Folder of additional root certificates (DER or PEM) for App Store signatures. Only with ' +
      '`SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: 'none',
    parse: text(1000),
  }),
  paddleApiUrl: setting<string | null>({
    variable: 'SERVICE_PADDLE_API_URL',
    description: "Paddle's API, live and sandbox. Only with `SERVICE_TEST_STORES`.",
    default: null,
    defaultNote: "Paddle's own",
    parse: httpUrl,
  }),
  stripeApiUrl: setting<string | null>({
    variable: 'SERVICE_STRIPE_API_URL',
    description: "Stripe's API. Only with `SERVICE_TEST_STORES`.",
    default: null,
    defaultNote: "Stripe's own",
    parse: httpUrl,
  }),
  amazonReceiptsUrl: setting<string | null>({
    variable: 'SERVICE_AMAZON_RVS_URL',
    description: "Amazon's receipt service. Only with `SERVICE_TEST_STORES`.",
    default: null,
    defaultNote: "Amazon's own",
    parse: httpUrl,
  }),
  amazonSnsUrl: setting<string | null>({
    variable: 'SERVICE_AMAZON_SNS_URL',
    description: 'Source of Amazon SNS certificates and confirmations. Only with `SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: "Amazon's own",
    parse: httpUrl,
  }),
  rokuApiUrl: setting<string | null>({
    variable: 'SERVICE_ROKU_API_URL',
    description: "Roku Pay's web service. Only with `SERVICE_TEST_STORES`.",
    default: null,
    defaultNote: "Roku's own",
    parse: httpUrl,
  }),
  rokuKeysUrl: setting<string | null>({
    variable: 'SERVICE_ROKU_KEYS_URL',
    description: 'Source of the keys of Roku push notifications. Only with `SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: "Roku's own",
    parse: httpUrl,
  }),
  playApiUrl: setting<string | null>({
    variable: 'SERVICE_PLAY_API_URL',
    description: 'Google Play Developer API. Only with `SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: "Google's own",
    parse: httpUrl,
  }),
  googleTokenUrl: setting<string | null>({
    variable: 'SERVICE_GOOGLE_TOKEN_URL',
    description: 'Token endpoint for Google service accounts. Only with `SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: "Google's own",
    parse: callableUrl,
  }),
  destinationsUrl: setting<string | null>({
    variable: 'SERVICE_DESTINATIONS_URL',
    description:
      'Receives what destinations send to the hosts of their tools, at `<url>/<type>/...`. Only with ' +
      '`SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: "the tools' own",
    parse: httpUrl,
  }),
  googleCertsUrl: setting<string | null>({
    variable: 'SERVICE_GOOGLE_CERTS_URL',
    description: 'Keys (JWKS) that verify tokens of Pub/Sub pushes. Only with `SERVICE_TEST_STORES`.',
    default: null,
    defaultNote: "Google's own",
    parse: callableUrl,
  }),
};
