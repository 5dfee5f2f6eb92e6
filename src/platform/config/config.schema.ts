import {
  boolean,
  callableUrl,
  httpUrl,
  integer,
  key32,
  oneOf,
  origins,
  postgresUrl,
  text,
} from './setting-values.js';
import { accountSettings } from './account-settings.js';
import { connectionSettings } from './connection-settings.js';
import { enterpriseSettings } from './enterprise-settings.js';
import { exportSettings } from './export-settings.js';
import { metricsSettings } from './metrics-settings.js';
import { type OutboundAllow, outboundAllow } from './outbound-allow.js';
import { processSettings } from './process-settings.js';
import { setting } from './setting.js';
import { sqlSettings } from './sql-settings.js';
import { storeSettings } from './store-settings.js';
import { traceSettings } from './trace-settings.js';

/** Read once at startup (`loadConfig`); docs/configuration.md is generated from it. */
export const settings = {
  production: setting({
    variable: 'NODE_ENV',
    description:
      '`production` (set in the container image): the server refuses to start with weak or missing secrets and ' +
      'with settings for trials (docs/security.md).',
    default: false,
    defaultNote: 'not production',
    parse: (value) => value.toLowerCase() === 'production',
  }),
  port: setting({
    variable: 'PORT',
    description: 'TCP port to listen on; 0 picks a free one.',
    default: 8787,
    parse: integer(0, 65535),
  }),
  host: setting({
    variable: 'HOST',
    description: 'Address to listen on.',
    default: '0.0.0.0',
    parse: text(255),
  }),
  ...metricsSettings,
  ...processSettings,
  dashboard: setting({
    variable: 'SERVICE_DASHBOARD',
    description: 'Serve the dashboard to browsers. `false` turns its pages off; the APIs stay the same.',
    default: true,
    parse: boolean,
  }),
  apiDocs: setting({
    variable: 'SERVICE_API_DOCS',
    description:
      'Serve `/openapi.json` and, for people, `/docs` (Swagger UI). `false` turns both off; the APIs stay the same.',
    default: true,
    parse: boolean,
  }),
  publicUrl: setting<string | null>({
    variable: 'SERVICE_PUBLIC_URL',
    description: 'Address at which clients reach the server, for links and documentation URLs.',
    default: null,
    defaultNote: '`http://localhost:<PORT>`',
    parse: httpUrl,
  }),
  databaseUrl: setting<string | null>({
    variable: 'DATABASE_URL',
    description:
      'PostgreSQL 15 or later; required in production. If unset, an embedded PostgreSQL runs in ' +
      '`SERVICE_DATA_DIR`.',
    secret: true,
    default: null,
    defaultNote: 'embedded PostgreSQL',
    parse: postgresUrl,
  }),
  directDatabaseUrl: setting<string | null>({
    variable: 'SERVICE_DATABASE_DIRECT_URL',
    description:
      'Address of PostgreSQL itself, for migrations and notifications, if `DATABASE_URL` is a pooler in ' +
      'transaction mode. Without it, other processes notice changed settings and keys a few seconds later.',
    secret: true,
    default: null,
    defaultNote: '`DATABASE_URL`',
    parse: postgresUrl,
  }),
  replicaUrls: setting<string[]>({
    variable: 'SERVICE_DATABASE_REPLICA_URLS',
    description:
      'Streaming replicas of `DATABASE_URL`, separated by commas. They answer metrics, exports and large lists ' +
      'of REST v2 if they have everything committed before the request (docs/scaling.md).',
    secret: true,
    default: [],
    defaultNote: 'none',
    parse: (value) => value.split(',').map((url) => postgresUrl(url.trim())),
  }),
  replicaWaitMs: setting({
    variable: 'SERVICE_DATABASE_REPLICA_WAIT_MS',
    description:
      'How long (ms) a read waits for a replica to catch up before `DATABASE_URL` answers. A replica that does ' +
      'not respond is skipped 100 ms later.',
    default: 100,
    parse: integer(0, 10_000),
  }),
  dataDir: setting({
    variable: 'SERVICE_DATA_DIR',
    description: 'Folder of the embedded PostgreSQL and of the generated encryption key.',
    default: './.data',
    parse: text(1000),
  }),
  ...connectionSettings,
  ...exportSettings,
  ...sqlSettings,
  encryptionKey: setting<Buffer | null>({
    variable: 'SERVICE_ENCRYPTION_KEY',
    description:
      'Encrypts store credentials and webhook secrets at rest: 32 bytes in base64. Required with `DATABASE_URL`.',
    secret: true,
    default: null,
    defaultNote: 'with the embedded PostgreSQL: created once and kept in `SERVICE_DATA_DIR`',
    parse: key32,
  }),
  otherEncryptionKey: setting<Buffer | null>({
    variable: 'SERVICE_OTHER_ENCRYPTION_KEY',
    description:
      'Decrypts data of another key while you change the encryption key (docs/cli.md): 32 bytes in base64. ' +
      'It is never used to encrypt.',
    secret: true,
    default: null,
    parse: key32,
  }),
  signingKey: setting<Buffer | null>({
    variable: 'SERVICE_SIGNING_KEY',
    description:
      'Ed25519 seed that signs answers to SDKs (Trusted Entitlements): 32 bytes in base64. If unset, answers ' +
      'are not signed.',
    secret: true,
    default: null,
    parse: key32,
  }),
  demo: setting({
    variable: 'SERVICE_DEMO',
    description: 'Create a demo project if the database is empty.',
    default: true,
    parse: boolean,
  }),
  ...accountSettings,
  ...enterpriseSettings,
  allowPrivateNetworks: setting<boolean | null>({
    variable: 'SERVICE_ALLOW_PRIVATE_NETWORKS',
    description: 'Allow webhooks to private, loopback and link-local addresses.',
    default: null,
    defaultNote: '`true` with the embedded PostgreSQL and the demo, else `false`',
    parse: boolean,
  }),
  outboundAllow: setting<OutboundAllow>({
    variable: 'SERVICE_OUTBOUND_ALLOW',
    description:
      'Destinations inside your network that webhooks and other user URLs may reach, also in production: host ' +
      'names, `*.suffix`, IP addresses and CIDRs, separated by commas (docs/security.md).',
    default: { names: [], suffixes: [], ranges: [] },
    defaultNote: 'none',
    parse: outboundAllow,
  }),
  mcpOrigins: setting<string[]>({
    variable: 'SERVICE_MCP_ORIGINS',
    description:
      'Web sites whose pages may call `/mcp` (docs/mcp.md), such as `https://inspector.example.com`, separated by ' +
      'commas. The server itself and loopback addresses are always allowed.',
    default: [],
    defaultNote: 'none',
    parse: origins,
  }),
  trustProxy: setting({
    variable: 'SERVICE_TRUST_PROXY',
    description:
      'Number of proxies in front of the server that add to `X-Forwarded-For` and set `X-Forwarded-Proto` (`true` is 1, ' +
      '`false` is 0).',
    default: 0,
    parse: (value) => (value === 'true' ? 1 : value === 'false' ? 0 : integer(0, 10)(value)),
  }),
  logLevel: setting({
    variable: 'SERVICE_LOG_LEVEL',
    description: 'Minimum level that is logged.',
    default: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  logAppUserIds: setting({
    variable: 'SERVICE_LOG_APP_USER_IDS',
    description:
      'Log app user ids in plain text. Otherwise logs contain a keyed hash, which `tenure log-id` computes ' +
      '(docs/logs.md).',
    default: false,
    parse: boolean,
  }),
  ...traceSettings,
  slowRequestMs: setting({
    variable: 'SERVICE_SLOW_REQUEST_MS',
    description:
      'Successful SDK requests are logged only if they take longer (ms). Others are always logged ' +
      '(docs/logs.md).',
    default: 500,
    parse: integer(1, 600_000),
  }),
  maxRequestsInFlight: setting({
    variable: 'SERVICE_MAX_REQUESTS_IN_FLIGHT',
    description:
      'Requests that one process serves at a time. Above it, writes (including receipts) answer 503 with `Retry-After`; above twice as many, reads do too. Health checks and metrics are always answered.',
    default: 500,
    parse: integer(1, 100_000),
  }),
  maxBodiesArriving: setting({
    variable: 'SERVICE_MAX_BODIES_ARRIVING',
    description:
      'Requests of one process whose body is still arriving; they do not count as in flight. Above it, the ' +
      'oldest one is dropped with 503 and `Retry-After`.',
    default: 1000,
    parse: integer(1, 100_000),
  }),
  maxBodiesArrivingPerAddress: setting({
    variable: 'SERVICE_MAX_BODIES_ARRIVING_PER_ADDRESS',
    description:
      'The same for one client address (IPv6: one /64), as `SERVICE_TRUST_PROXY` determines it. A proxy that is not counted there counts as one address.',
    default: 200,
    parse: integer(1, 100_000),
  }),
  bodyTimeoutMs: setting({
    variable: 'SERVICE_BODY_TIMEOUT_MS',
    description:
      'A request is dropped with 503 if no part of its body arrives for this long (ms). After twice that time the body must also have averaged 2 kB a second, as on the slowest mobile networks.',
    default: 5_000,
    parse: integer(100, 120_000),
  }),
  maxBodyBytesInFlight: setting({
    variable: 'SERVICE_MAX_BODY_BYTES_IN_FLIGHT',
    description:
      'Bytes of bodies over 64 KiB that one process holds at a time. More such bodies answer 503 with ' +
      '`Retry-After` before they are read. Parsed, they need a few times as much memory.',
    default: 64 * 1024 * 1024,
    // At least one receipt of the maximum size must fit.
    parse: integer(10 * 1024 * 1024, 100 * 1024 * 1024 * 1024),
  }),
  drainMs: setting({
    variable: 'SERVICE_DRAIN_MS',
    description:
      'How long (ms) a process keeps accepting requests after SIGTERM while `/readyz` answers 503: the time ' +
      'that load balancers need to notice.',
    default: 0,
    parse: integer(0, 60_000),
  }),
  shutdownGraceMs: setting({
    variable: 'SERVICE_SHUTDOWN_GRACE_MS',
    description: 'How long (ms) a stopping server waits for requests and webhook attempts in flight.',
    default: 10_000,
    parse: integer(0, 120_000),
  }),
  fxProvider: setting<'static' | 'http' | 'none'>({
    variable: 'SERVICE_FX_PROVIDER',
    description:
      'Source of USD exchange rates: `static` (the built-in table), `http` (daily from `SERVICE_FX_URL`, the ' +
      'table for other days), `none` (only USD is converted).',
    default: 'static',
    parse: oneOf('static', 'http', 'none'),
  }),
  fxUrl: setting<string | null>({
    variable: 'SERVICE_FX_URL',
    description:
      'Answers a GET with `{"base": "USD", "date": "YYYY-MM-DD", "rates": {"EUR": 0.88, …}}`. Required with ' +
      '`SERVICE_FX_PROVIDER=http`.',
    secret: true,
    default: null,
    parse: callableUrl,
  }),
  rateLimitCustomerInformation: setting({
    variable: 'SERVICE_RATE_LIMIT_CUSTOMER_INFORMATION',
    description:
      'REST v2 requests a minute that one key can make with a `customer_information` permission; 0: no limit.',
    default: 0,
    parse: integer(0, 1_000_000),
  }),
  rateLimitProjectConfiguration: setting({
    variable: 'SERVICE_RATE_LIMIT_PROJECT_CONFIGURATION',
    description: 'The same for `project_configuration` permissions.',
    default: 0,
    parse: integer(0, 1_000_000),
  }),
  rateLimitChartsMetrics: setting({
    variable: 'SERVICE_RATE_LIMIT_CHARTS_METRICS',
    description: 'The same for `charts_metrics` permissions. Dashboard sessions are exempt.',
    default: 0,
    parse: integer(0, 1_000_000),
  }),
  rateLimitMcp: setting({
    variable: 'SERVICE_RATE_LIMIT_MCP',
    description:
      'Tool calls a minute that one key or OAuth client can make at `/mcp` (docs/mcp.md); 0: no limit. A sixth of them can be calls of tools that move money.',
    default: 120,
    parse: integer(0, 1_000_000),
  }),
  rateLimitScim: setting({
    variable: 'SERVICE_RATE_LIMIT_SCIM',
    description:
      'Requests a minute that one SCIM token may make at `/scim/v2` (docs/enterprise-scim.md); 0: no limit.',
    default: 3000,
    parse: integer(0, 1_000_000),
  }),
  dueWorkPerSecond: setting({
    variable: 'SERVICE_DUE_WORK_PER_SECOND',
    description:
      'Expirations, renewals and other due work that one process handles per second. Limits how much a backlog slows down requests.',
    default: 1_100,
    parse: integer(1, 100_000),
  }),
  webhookConcurrency: setting({
    variable: 'SERVICE_WEBHOOK_CONCURRENCY',
    description: 'Webhook requests that one process sends at a time.',
    default: 200,
    parse: integer(1, 1000),
  }),
  webhookEndpointConcurrency: setting({
    variable: 'SERVICE_WEBHOOK_ENDPOINT_CONCURRENCY',
    description: 'Webhook requests that one process sends at a time to one integration.',
    default: 20,
    parse: integer(1, 1000),
  }),
  webhookLeaseMs: setting({
    variable: 'SERVICE_WEBHOOK_LEASE_MS',
    description: 'How long (ms) after a process dies another one takes over its deliveries.',
    default: 90_000,
    parse: integer(3_000, 600_000),
  }),
  webhookCircuitFailures: setting({
    variable: 'SERVICE_WEBHOOK_CIRCUIT_FAILURES',
    description:
      'Failed attempts in a row after which an endpoint gets one probe at a time until one succeeds.',
    default: 20,
    parse: integer(1, 100_000),
  }),
  webhookReplayRate: setting({
    variable: 'SERVICE_WEBHOOK_REPLAY_RATE',
    description: 'Events a second that a replay sends.',
    default: 50,
    parse: integer(1, 10_000),
  }),
  webhookLogDays: setting({
    variable: 'SERVICE_WEBHOOK_LOG_DAYS',
    description:
      'Minimum number of days for which webhook deliveries and their attempts are stored. They are dropped by calendar month (UTC).',
    default: 30,
    parse: integer(1, 3650),
  }),
  sdkEventDays: setting({
    variable: 'SERVICE_SDK_EVENT_DAYS',
    description:
      'Minimum number of days for which events of SDKs are stored. They are dropped by calendar month (UTC); paywall views stay.',
    default: 400,
    parse: integer(30, 3650),
  }),
  sdkEventLimit: setting({
    variable: 'SERVICE_SDK_EVENT_LIMIT',
    description: 'Events of SDKs that one app can store a minute in one process; more are dropped.',
    default: 60_000,
    parse: integer(1, 10_000_000),
  }),
  ...storeSettings,
};

type Settings = typeof settings;

export type SettingValues = { [Name in keyof Settings]: Settings[Name]['default'] };
