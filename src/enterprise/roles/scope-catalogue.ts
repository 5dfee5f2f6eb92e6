import { allPermissions, type Permission } from '../../platform/principal/permissions.js';

/** Only admins create keys, invite people and change roles, so custom roles could not use these. */
const NOT_FOR_ROLES = /^project_configuration:(api_keys|collaborators):read_write$/;

/** Groups for the areas of the permission registry. Other areas belong to `Project`. */
const groupOfArea: Record<string, string> = {
  customers: 'Customers',
  subscriptions: 'Customers',
  purchases: 'Customers',
  invoices: 'Customers',
  products: 'Product catalog',
  entitlements: 'Product catalog',
  offerings: 'Product catalog',
  packages: 'Product catalog',
  virtual_currencies: 'Product catalog',
  discounts: 'Product catalog',
  overview: 'Charts',
  charts: 'Charts',
  experiment_results: 'Charts',
  targeting_rules: 'Targeting',
  experiments: 'Targeting',
};

const groupOrder = ['Customers', 'Product catalog', 'Charts', 'Targeting', 'Project'] as const;

const areaLabels: Record<string, string> = { api_keys: 'API keys', overview: 'Overview metrics' };

export interface ScopeGroup {
  group: string;
  scopes: { scope: Permission; label: string }[];
}

function areaOf(scope: Permission): string {
  return scope.split(':')[1] as string;
}

function labelOf(scope: Permission): string {
  const area = areaOf(scope);
  const words = area.replaceAll('_', ' ');
  const name = areaLabels[area] ?? words.charAt(0).toUpperCase() + words.slice(1);
  return `${name}: ${scope.endsWith(':read_write') ? 'read and write' : 'read'}`;
}

/** Every scope that a custom role can hold. */
export const assignableScopes: readonly Permission[] = allPermissions.filter(
  (scope) => !NOT_FOR_ROLES.test(scope),
);

/** Scopes by group, in the dashboard's order, without empty groups. */
export const scopeGroups: readonly ScopeGroup[] = groupOrder
  .map((group) => ({
    group,
    scopes: assignableScopes
      .filter((scope) => (groupOfArea[areaOf(scope)] ?? 'Project') === group)
      .map((scope) => ({ scope, label: labelOf(scope) })),
  }))
  .filter(({ scopes }) => scopes.length > 0);
