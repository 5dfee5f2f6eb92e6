import type { AccountProject } from '../../api/account.queries.js';
import { allowanceIn } from '../../api/permissions.js';
import type { IconName } from '../../ui/icons.js';
import type { Preferences } from '../preferences.js';

interface PageEntry {
  /** Relative to the address of the project or organization. */
  path: string;
  label: string;
  /** Path of pages that belong to this entry without being below its path. */
  detail?: string;
  /** Pages that are tabs of this entry's page. */
  tabs?: readonly PageEntry[];
}

export interface NavigationEntry extends PageEntry {
  /** The operation that the page requires. Entries without its permission are hidden. */
  operation: string;
}

export interface PageGroup<Entry extends PageEntry = PageEntry> {
  label: string;
  icon: IconName;
  /** Placed below the others, behind a line. */
  isApart?: boolean;
  entries: Entry[];
}

export type NavigationGroup = PageGroup<NavigationEntry>;

/** The tabs of Integrations, the entry's own page first. */
export const integrationPages: readonly NavigationEntry[] = [
  { path: '/integrations', label: 'Destinations', operation: 'listDestinations' },
  { path: '/webhooks', label: 'Webhooks', operation: 'listWebhookIntegrations' },
  { path: '/integrations/digests', label: 'Digests', operation: 'listDigests' },
  { path: '/integrations/exports', label: 'Exports', operation: 'listExports' },
  { path: '/integrations/sql-access', label: 'SQL access', operation: 'listSqlUsers' },
];

export const navigation: NavigationGroup[] = [
  {
    label: 'Overview',
    icon: 'overview',
    entries: [{ path: '/overview', label: 'Overview', operation: 'getOverviewMetrics' }],
  },
  {
    label: 'Charts',
    icon: 'chart',
    entries: [
      { path: '/charts', label: 'All charts', operation: 'getChart' },
      { path: '/board', label: 'Board', operation: 'getChartBoard' },
    ],
  },
  {
    label: 'Customers',
    icon: 'users',
    entries: [
      { path: '/customers', label: 'All customers', operation: 'listFilteredCustomers', detail: '/customer' },
      { path: '/blocked', label: 'Blocked', operation: 'listBlockedCustomers' },
    ],
  },
  {
    label: 'Activity',
    icon: 'activity',
    entries: [
      { path: '/events', label: 'Events', operation: 'listEvents' },
      { path: '/transactions', label: 'Transactions', operation: 'listTransactions' },
      { path: '/refunds', label: 'Refunds', operation: 'listRefundRequests' },
      { path: '/store-reports', label: 'Store reports', operation: 'listExternalPurchaseReports' },
    ],
  },
  {
    label: 'Catalog',
    icon: 'product',
    entries: [
      { path: '/catalog/products', label: 'Products', operation: 'listProducts' },
      { path: '/catalog/entitlements', label: 'Entitlements', operation: 'listEntitlements' },
      { path: '/catalog/offerings', label: 'Offerings', operation: 'listOfferings' },
      { path: '/catalog/paywalls', label: 'Paywalls', operation: 'listPaywalls' },
      { path: '/catalog/paywall-settings', label: 'Colors and fonts', operation: 'getPaywallSettings' },
      { path: '/catalog/currencies', label: 'Currencies', operation: 'listVirtualCurrencies' },
    ],
  },
  {
    label: 'Targeting',
    icon: 'target',
    entries: [
      { path: '/targeting', label: 'Targeting rules', operation: 'listTargetingRules' },
      { path: '/experiments', label: 'Experiments', operation: 'listExperiments' },
    ],
  },
  {
    label: 'Connect',
    icon: 'link',
    entries: [
      { path: '/apps', label: 'Apps', operation: 'listApps' },
      {
        path: '/integrations',
        label: 'Integrations',
        operation: 'listDestinations',
        tabs: integrationPages.slice(1),
      },
      { path: '/imports', label: 'Imports', operation: 'getImportStatus' },
      { path: '/setup', label: 'Setup', operation: 'listApps' },
    ],
  },
  {
    label: 'Test tools',
    icon: 'flask',
    entries: [
      { path: '/test/purchases', label: 'Test purchases', operation: 'createTestPurchase' },
      { path: '/test/clocks', label: 'Test clocks', operation: 'listTestClocks' },
    ],
  },
  {
    label: 'Settings',
    icon: 'settings',
    isApart: true,
    entries: [
      { path: '/settings/general', label: 'General', operation: 'getProject' },
      { path: '/settings/keys', label: 'API keys', operation: 'listApiKeys' },
      { path: '/settings/members', label: 'Members', operation: 'listCollaborators' },
      { path: '/settings/sign-in', label: 'Customer sign-in', operation: 'getAuthSettings' },
      { path: '/settings/redemption', label: 'Web purchases', operation: 'getRedemptionSettings' },
      { path: '/settings/audit', label: 'Audit log', operation: 'listAuditLogs' },
    ],
  },
];

/** The start page in a project: the board if the person prefers it, else the first page that the person may read. */
export function firstPage(project: AccountProject | undefined, startPage: Preferences['startPage']): string {
  if (startPage === 'board' && allowanceIn(project, 'getChartBoard').allowed) return '/board';
  return (
    navigation
      .flatMap(({ entries }) => entries)
      .find(({ operation }) => allowanceIn(project, operation).allowed)?.path ?? '/overview'
  );
}

/** Keys after `g`. */
export const pageKeys: Record<string, string> = {
  o: '/overview',
  c: '/customers',
  e: '/events',
  t: '/transactions',
  i: '/integrations',
  w: '/webhooks',
  p: '/catalog/products',
  a: '/apps',
  s: '/settings/general',
};
