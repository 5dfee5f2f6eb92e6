/**
 * The areas of src, from the ground up. Each may import those before it; the program itself (main, startup, cli) may
 * import them all, and none imports it.
 */
const areas = [
  'platform',
  'catalog',
  'workspace',
  'customers',
  'webhooks',
  'purchases',
  'stores',
  'support',
  'targeting',
  'test-store',
  'sdk',
  'redemption',
  'insights',
  'exports',
  'imports',
  'dashboard',
  'agents',
  'enterprise',
];
/**
 * SQL fragments that a statement of another feature must contain, because it reads or writes both at once. All others are
 * as private as the repository beside them; those of the platform are for everybody.
 */
const publishedSql = [
  'platform/.*',
  'customers/customers/identity/customer-names', // joins the customer's ids to a row
  'customers/customers/identity/customer-state', // the self-check reads state and facts in one snapshot
  'purchases/lookups/purchase-columns', // access explanations read whole purchases of the past
  'webhooks/events/history-lock', // replays and erasures wait for each other
  'webhooks/deliveries/delivery-matching', // deliveries commit in the statement that writes their events
  'exports/sql-users/sql-warnings', // doctor asks PostgreSQL what a new SQL user is warned of
].map((file) => `^src/${file}\\.sql\\.ts$`);
const program = '^src/(startup/|cli/|[^/]+\\.ts$)';

/** The only file that imports the enterprise edition, when it is licensed. */
const enterpriseLoader = '^src/load-enterprise\\.ts$';

const oneWay = areas.map((area, index) => ({
  name: `area-${area}`,
  comment: 'Areas depend one way, downwards.',
  severity: 'error',
  from: { path: `^src/${area}/` },
  to: { path: [program, ...areas.slice(index + 1).map((higher) => `^src/${higher}/`)] },
}));

/** Which part may import which: dependencies run one way, downwards. */
module.exports = {
  forbidden: [
    ...oneWay,
    {
      name: 'startup-gets-the-application',
      comment: 'main.ts passes the root module on; startup never imports it.',
      severity: 'error',
      from: { path: '^src/startup/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'enterprise-by-its-loader',
      comment: 'A server without the enterprise edition loads none of its code.',
      severity: 'error',
      from: { path: '^(src|libs)/', pathNot: ['^src/enterprise/', enterpriseLoader] },
      to: { path: '^src/enterprise/' },
    },
    {
      name: 'every-folder-is-of-an-area',
      severity: 'error',
      from: { path: '^src/', pathNot: [program, ...areas.map((area) => `^src/${area}/`)] },
      to: {},
    },
    {
      name: 'features-one-way',
      comment:
        'A feature is a folder of an area; no two of them need each other, whichever files it goes through.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/[^/]+/[^/]+$' },
      to: { path: '^src/[^/]+/[^/]+$', circular: true },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'libs-know-no-application',
      comment: 'Libraries are framework-free.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^src/|node_modules/(@nestjs|typeorm|express)/' },
    },
    {
      name: 'libs-know-no-database',
      comment: 'Only the launcher of PostgreSQL connects to it.',
      severity: 'error',
      from: { path: '^libs/', pathNot: '^libs/embedded-postgres/' },
      to: { path: 'node_modules/pg/' },
    },
    {
      name: 'packages-on-first-use',
      comment: 'A process loads these packages when it first needs them, because most never do.',
      severity: 'error',
      from: { path: '^(src|libs)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: 'node_modules/(sharp|stripe|nodemailer|ssh2|ssh2-sftp-client|hyparquet-writer|@modelcontextprotocol/server|@opentelemetry/(sdk|exporter)-[^/]+)/',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'libs-by-their-door',
      comment: 'A library is imported through its index.ts.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^libs/', pathNot: '^libs/[^/]+/index\\.ts$' },
    },
    {
      name: 'libs-by-their-door-from-libs',
      severity: 'error',
      from: { path: '^libs/([^/]+)/', pathNot: '^libs/dashboard/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/index\\.ts$'] },
    },
    {
      name: 'dashboard-stands-alone',
      comment:
        'The dashboard knows the server by its OpenAPI document only; its preview of paywalls computes texts as SDKs get them.',
      severity: 'error',
      from: { path: '^libs/dashboard/' },
      to: {
        path: '^(src|libs)/',
        pathNot: ['^libs/dashboard/', '^libs/paywalls/wire/period-texts\\.ts$'],
      },
    },
    {
      name: 'nothing-imports-the-dashboard',
      severity: 'error',
      from: { path: '^(src|libs)/', pathNot: '^libs/dashboard/' },
      to: { path: '^libs/dashboard/' },
    },
    {
      name: 'dashboard-ui-knows-no-product',
      severity: 'error',
      from: { path: '^libs/dashboard/src/ui/' },
      to: { path: '^libs/dashboard/src/(?!ui/)' },
    },
    {
      name: 'dashboard-features-apart',
      comment: 'A feature of the dashboard uses ui, api and frame; links go by route.',
      severity: 'error',
      from: { path: '^libs/dashboard/src/(?!ui/|api/|frame/|routes/)((?:settings/|testing/)?[^/]+)/' },
      to: {
        path: '^libs/dashboard/src/[^/]+/',
        pathNot: '^libs/dashboard/src/(ui|api|frame|$1)/',
      },
    },
    {
      name: 'dashboard-frame-knows-no-feature',
      severity: 'error',
      from: { path: '^libs/dashboard/src/(api|frame)/' },
      to: { path: '^libs/dashboard/src/(?!ui/|api/|frame/)[^/]+/' },
    },
    {
      name: 'engine-is-pure',
      severity: 'error',
      from: { path: '^libs/engine/', pathNot: '\\.spec\\.ts$|^libs/engine/testing/' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    {
      name: 'features-by-their-service',
      comment: "A feature uses another feature's service, never its repository, its entity or its SQL.",
      severity: 'error',
      from: { path: '^src/([^/]+/[^/]+)/' },
      to: {
        path: '^src/[^/]+/[^/]+/.*\\.(repository|entity|sql)\\.ts$',
        pathNot: ['^src/$1/', ...publishedSql],
        // The shape of a row may be known; its queries may not be run.
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: '\\.(d|spec)\\.ts$|(^|/)\\.[^/]+$|vite\\.config\\.ts$',
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
