import { createRoute } from '@tanstack/react-router';
import { oneOf, search, text } from '../frame/search.js';
import { page, project } from './parents.js';

const apps = createRoute({
  getParentRoute: () => project,
  path: '/apps',
  staticData: { operation: 'listApps' },
  component: page(() => import('../apps/apps-page.js')),
});
const app = createRoute({
  getParentRoute: () => project,
  path: '/apps/$appId',
  staticData: { operation: 'getApp' },
  validateSearch: search({ tab: text() }),
  component: page(() => import('../apps/app-page.js')),
});
const massExtension = createRoute({
  getParentRoute: () => project,
  path: '/apps/$appId/extend',
  staticData: { operation: 'getApp' },
  validateSearch: search({ request: text() }),
  component: page(() => import('../apps/mass-extension/mass-extension-page.js')),
});
const destinations = createRoute({
  getParentRoute: () => project,
  path: '/integrations',
  staticData: { operation: 'listDestinations' },
  component: page(() => import('../destinations/destinations-page.js')),
});
const newDestination = createRoute({
  getParentRoute: () => project,
  path: '/integrations/new/$destinationType',
  staticData: { operation: 'listDestinationTypes' },
  component: page(() => import('../destinations/new-destination-page.js')),
});
const destination = createRoute({
  getParentRoute: () => project,
  path: '/integrations/$destinationId',
  staticData: { operation: 'getDestination' },
  validateSearch: search({
    tab: oneOf('deliveries', 'waiting', 'replays', 'settings'),
    status: oneOf('pending', 'waiting', 'delivered', 'failed', 'skipped'),
    type: text(),
    period: oneOf('1h', '24h', '7d', '30d'),
    event: text(),
    replay: text(),
    delivery: text(),
  }),
  component: page(() => import('../destinations/destination-page.js')),
});
const webhooks = createRoute({
  getParentRoute: () => project,
  path: '/webhooks',
  staticData: { operation: 'listWebhookIntegrations' },
  component: page(() => import('../webhooks/webhooks-page.js')),
});
const webhook = createRoute({
  getParentRoute: () => project,
  path: '/webhooks/$webhookId',
  staticData: { operation: 'getWebhookIntegration' },
  validateSearch: search({
    tab: oneOf('deliveries', 'replays', 'settings'),
    status: oneOf('pending', 'delivered', 'failed'),
    type: text(),
    period: oneOf('1h', '24h', '7d', '30d'),
    event: text(),
    replay: text(),
    delivery: text(),
  }),
  component: page(() => import('../webhooks/webhook-page.js')),
});
const digests = createRoute({
  getParentRoute: () => project,
  path: '/integrations/digests',
  staticData: { operation: 'listDigests' },
  component: page(() => import('../digests/digests-page.js')),
});
const digest = createRoute({
  getParentRoute: () => project,
  path: '/integrations/digests/$digestId',
  staticData: { operation: 'getDigest' },
  component: page(() => import('../digests/digest-page.js')),
});
const exports = createRoute({
  getParentRoute: () => project,
  path: '/integrations/exports',
  staticData: { operation: 'listExports' },
  validateSearch: search({ tab: oneOf('exports', 'destinations') }),
  component: page(() => import('../exports/exports-page.js')),
});
const exportOfProject = createRoute({
  getParentRoute: () => project,
  path: '/integrations/exports/$exportId',
  staticData: { operation: 'getExport' },
  validateSearch: search({ run: text() }),
  component: page(() => import('../exports/export-page.js')),
});
const sqlUsers = createRoute({
  getParentRoute: () => project,
  path: '/integrations/sql-access',
  staticData: { operation: 'listSqlUsers' },
  component: page(() => import('../sql-users/sql-users-page.js')),
});
const imports = createRoute({
  getParentRoute: () => project,
  path: '/imports',
  staticData: { operation: 'getImportStatus' },
  component: page(() => import('../imports/imports-page.js')),
});
const testPurchases = createRoute({
  getParentRoute: () => project,
  path: '/test/purchases',
  staticData: { operation: 'createTestPurchase' },
  validateSearch: search({ scenario: text() }),
  component: page(() => import('../testing/purchases/test-purchases-page.js')),
});
const testClocks = createRoute({
  getParentRoute: () => project,
  path: '/test/clocks',
  staticData: { operation: 'listTestClocks' },
  component: page(() => import('../testing/clocks/test-clocks-page.js')),
});
const testClock = createRoute({
  getParentRoute: () => project,
  path: '/test/clocks/$clockId',
  staticData: { operation: 'getTestClock' },
  component: page(() => import('../testing/clocks/test-clock-page.js')),
});
export const connectRoutes = [
  apps,
  app,
  massExtension,
  destinations,
  newDestination,
  destination,
  webhooks,
  webhook,
  digests,
  digest,
  exports,
  exportOfProject,
  sqlUsers,
  imports,
  testPurchases,
  testClocks,
  testClock,
] as const;
