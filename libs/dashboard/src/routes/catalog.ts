import { createRoute } from '@tanstack/react-router';
import { oneOf, search, text } from '../frame/search.js';
import { page, project } from './parents.js';

const products = createRoute({
  getParentRoute: () => project,
  path: '/catalog/products',
  staticData: { operation: 'listProducts' },
  validateSearch: search({ app: text(), state: oneOf('archived') }),
  component: page(() => import('../catalog/products/products-page.js')),
});
const product = createRoute({
  getParentRoute: () => project,
  path: '/catalog/products/$productId',
  staticData: { operation: 'getProduct' },
  component: page(() => import('../catalog/products/product-page.js')),
});
const importProducts = createRoute({
  getParentRoute: () => project,
  path: '/catalog/products/import',
  staticData: { operation: 'listStoreProducts' },
  validateSearch: search({ app: text() }),
  component: page(() => import('../catalog/products/import/import-products-page.js')),
});
const entitlements = createRoute({
  getParentRoute: () => project,
  path: '/catalog/entitlements',
  staticData: { operation: 'listEntitlements' },
  validateSearch: search({ state: oneOf('archived'), view: oneOf('matrix'), find: text() }),
  component: page(() => import('../catalog/entitlements/entitlements-page.js')),
});
const entitlement = createRoute({
  getParentRoute: () => project,
  path: '/catalog/entitlements/$entitlementId',
  staticData: { operation: 'getEntitlement' },
  component: page(() => import('../catalog/entitlements/entitlement-page.js')),
});
const offerings = createRoute({
  getParentRoute: () => project,
  path: '/catalog/offerings',
  staticData: { operation: 'listOfferings' },
  validateSearch: search({ state: oneOf('archived') }),
  component: page(() => import('../catalog/offerings/offerings-page.js')),
});
const offering = createRoute({
  getParentRoute: () => project,
  path: '/catalog/offerings/$offeringId',
  staticData: { operation: 'getOffering' },
  validateSearch: search({ app: text() }),
  component: page(() => import('../catalog/offerings/offering-page.js')),
});
const paywall = createRoute({
  getParentRoute: () => project,
  path: '/catalog/paywalls/$paywallId',
  staticData: { operation: 'getPaywall' },
  validateSearch: search({ tab: oneOf('texts', 'json') }),
  component: page(() => import('../catalog/paywalls/editor/paywall-page.js')),
});
const paywalls = createRoute({
  getParentRoute: () => project,
  path: '/catalog/paywalls',
  staticData: { operation: 'listPaywalls' },
  component: page(() => import('../catalog/paywalls/list/paywalls-page.js')),
});
const paywallSettings = createRoute({
  getParentRoute: () => project,
  path: '/catalog/paywall-settings',
  staticData: { operation: 'getPaywallSettings' },
  component: page(() => import('../catalog/paywalls/settings/paywall-settings-page.js')),
});
const currencies = createRoute({
  getParentRoute: () => project,
  path: '/catalog/currencies',
  staticData: { operation: 'listVirtualCurrencies' },
  validateSearch: search({ state: oneOf('archived') }),
  component: page(() => import('../catalog/currencies/currencies-page.js')),
});
const targeting = createRoute({
  getParentRoute: () => project,
  path: '/targeting',
  staticData: { operation: 'listTargetingRules' },
  component: page(() => import('../targeting/targeting-page.js')),
});
const experiments = createRoute({
  getParentRoute: () => project,
  path: '/experiments',
  staticData: { operation: 'listExperiments' },
  validateSearch: search({ status: oneOf('draft', 'running', 'paused', 'stopped') }),
  component: page(() => import('../targeting/experiments-page.js')),
});
const experiment = createRoute({
  getParentRoute: () => project,
  path: '/experiments/$experimentId',
  staticData: { operation: 'getExperiment' },
  component: page(() => import('../targeting/experiment-page.js')),
});
export const catalogRoutes = [
  products,
  product,
  importProducts,
  entitlements,
  entitlement,
  offerings,
  offering,
  paywall,
  paywalls,
  paywallSettings,
  currencies,
  targeting,
  experiments,
  experiment,
] as const;
