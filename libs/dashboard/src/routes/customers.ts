import { createRoute } from '@tanstack/react-router';
import type { ChartState } from '../charts/chart-state.js';
import type { CustomersSearch } from '../customers/list/customer-filters.js';
import { oneOf, search, text } from '../frame/search.js';
import { page, project } from './parents.js';

const overview = createRoute({
  getParentRoute: () => project,
  path: '/overview',
  staticData: { operation: 'getOverviewMetrics' },
  component: page(() => import('../overview/overview-page.js')),
});
const setup = createRoute({
  getParentRoute: () => project,
  path: '/setup',
  staticData: { operation: 'listApps' },
  validateSearch: search({ app: text() }),
  component: page(() => import('../setup/setup-page.js')),
});
const customers = createRoute({
  getParentRoute: () => project,
  path: '/customers',
  staticData: { operation: 'listFilteredCustomers' },
  // The page parses its own search parameters, so that the first load need not contain the filters.
  validateSearch: (given: Record<string, unknown>) => given as CustomersSearch,
  component: page(() => import('../customers/list/customers-page.js')),
});
const customer = createRoute({
  getParentRoute: () => project,
  path: '/customer',
  staticData: { operation: 'getCustomer' },
  validateSearch: search({
    id: text(),
    tab: oneOf('purchases', 'balances', 'aliases', 'links', 'json'),
    kind: oneOf('payments', 'problems', 'changes', 'identity', 'other', 'notes'),
    events: oneOf('production', 'sandbox'),
    event: text(),
  }),
  component: page(() => import('../customers/customer-page.js')),
});
const events = createRoute({
  getParentRoute: () => project,
  path: '/events',
  staticData: { operation: 'listEvents' },
  validateSearch: search({
    type: text(),
    app: text(),
    customer: text(),
    event: text(),
    follow: oneOf('yes'),
  }),
  component: page(() => import('../events/events-page.js')),
});
const transactions = createRoute({
  getParentRoute: () => project,
  path: '/transactions',
  staticData: { operation: 'listTransactions' },
  validateSearch: search({ customer: text() }),
  component: page(() => import('../transactions/transactions-page.js')),
});
const charts = createRoute({
  getParentRoute: () => project,
  path: '/charts',
  staticData: { operation: 'getChart' },
  validateSearch: (given: Record<string, unknown>) => given as ChartState,
  component: page(() => import('../charts/charts-page.js')),
});
const chart = createRoute({
  getParentRoute: () => project,
  path: '/charts/$chart',
  staticData: { operation: 'getChart' },
  // The page parses its own search parameters, so that the first load need not contain the parser.
  validateSearch: (given: Record<string, unknown>) => given as ChartState,
  component: page(() => import('../charts/chart-page.js')),
});
const board = createRoute({
  getParentRoute: () => project,
  path: '/board',
  staticData: { operation: 'getChartBoard' },
  component: page(() => import('../charts/board/board-page.js')),
});
const refunds = createRoute({
  getParentRoute: () => project,
  path: '/refunds',
  staticData: { operation: 'listRefundRequests' },
  validateSearch: search({
    tab: oneOf('policies'),
    status: oneOf('waiting', 'held', 'sent', 'refused', 'expired', 'not_wanted'),
  }),
  component: page(() => import('../refunds/refunds-page.js')),
});
const refund = createRoute({
  getParentRoute: () => project,
  path: '/refunds/$refundRequestId',
  staticData: { operation: 'getRefundRequest' },
  component: page(() => import('../refunds/request-page.js')),
});
const blocked = createRoute({
  getParentRoute: () => project,
  path: '/blocked',
  staticData: { operation: 'listBlockedCustomers' },
  component: page(() => import('../blocked/blocked-page.js')),
});
const storeReports = createRoute({
  getParentRoute: () => project,
  path: '/store-reports',
  staticData: { operation: 'listExternalPurchaseReports' },
  validateSearch: search({
    tab: oneOf('months', 'tokens'),
    state: oneOf('due', 'sent', 'refused', 'needs_tax', 'needs_token', 'needs_data', 'manual'),
    month: text(),
  }),
  component: page(() => import('../store-reports/store-reports-page.js')),
});
export const customersRoutes = [
  overview,
  setup,
  customers,
  customer,
  events,
  transactions,
  charts,
  chart,
  board,
  refunds,
  refund,
  blocked,
  storeReports,
] as const;
