/**
 * Reads the names of all statements known so far.
 *
 * @own-modules
 */
import { getMetadataArgsStorage } from 'typeorm';
import '../../src/app.module.js';
import { registeredCustomerRows } from '../../src/customers/customers/identity/customer-rows.js';
import { loadEnterprise } from '../../src/load-enterprise.js';
import { knownStatements } from '../../src/platform/database/statement.js';
import { loadParser, tablesOf } from '../support/sql-tenancy.js';
import {
  areaOf,
  areas,
  customerRowPlaces,
  filesWithSql,
  ownersByEntity,
  statementPlaces,
} from '../support/statement-places.js';

/** Files with SQL that are neither repositories nor texts for them (`*.sql.ts`), or folders of such files. */
const sqlElsewhere: Record<string, string> = {
  'catalog/shared/catalog-version.ts': 'functions that run inside the write of any feature',
  'cli/': 'commands work without the application',
  'insights/charts/answers/': 'the query of a chart is composed for each question',
  'platform/database/': 'manages connections and the schema',
  'platform/jobs/': 'composes the clean-ups and queues of other features',
};

/** Tables with customers whose rows neither move nor are erased with them, with the reason. */
const withoutCustomerRows: Record<string, string> = {
  chart_buyers: 'computed again from the purchases',
  chart_changes: 'a queue of what is computed again',
  chart_customers: 'computed again from the customer',
  chart_facts: 'computed again from the purchases',
  chart_payers: 'computed again from the purchases',
  chart_pieces: 'an id to divide customers at, whether or not the customer exists',
  chart_runs: 'computed again from the purchases',
  customer_erasures: 'a queue of customers who are deleted',
  customer_list_exports: 'an id to continue after; an erasure deletes the files of the project',
  listed_customer_changes: 'a queue of what is computed again',
  listed_customer_fills: 'an id to continue after, whether or not the customer exists',
  report_changes: 'a queue of what is computed again',
  report_customers: 'computed again from the customer; a trigger deletes it with the customer',
  report_subscriptions: 'computed again from the purchases; a trigger deletes it with the customer',
  report_transactions: 'computed again from the purchases; a trigger deletes it with the customer',
  self_checks: 'an id to continue after, whether or not the customer exists',
  test_clocks: 'the customer at whom a failed clock stopped, for its error message',
};

/** Tables that statements of any higher feature may name, with the reason. */
const shared: Record<string, string> = {
  project_anchors: 'the row of a project that an INSERT … SELECT of any feature starts at',
  project_locations: 'every claim of a job asks whether the project is here (`isHere`)',
  projects: 'whatever finds a project from outside requires that it is not deleted',
};

/** Tables that statements of a feature name although another one owns them, by reason. */
const foreign: Record<string, Record<string, string[]>> = {
  'decides by the row of another owner in the statement that claims or changes its own': {
    'catalog/apps': ['credential_routes'],
    'purchases/due-work': ['customers', 'entitlements', 'subscriptions'],
    'purchases/store-tasks': ['apps'],
    'targeting/enrollments': ['customers', 'experiments'],
    'targeting/evaluation': ['experiments', 'targeting_rules'],
    'targeting/experiments': ['experiment_enrollments'],
    'targeting/shared': ['experiments', 'targeting_rules'],
    'test-store/demo': ['apps', 'users'],
    'test-store/test-clocks': ['customers', 'entitlements', 'subscriptions'],
    'webhooks/deliveries': ['event_keys', 'events'],
  },
  'the catalog in one statement, so that all its parts have one version': {
    'catalog/snapshot': [
      'apps',
      'entitlements',
      'offerings',
      'package_products',
      'packages',
      'paywall_settings',
      'paywalls',
      'product_entitlements',
      'product_prices',
      'products',
    ],
  },
  'everything of one customer in one statement, so that it is one snapshot or one change': {
    'customers/blocked-customers': ['customer_aliases'],
    'customers/customers': ['blocked_customers', 'offerings'],
    'purchases/self-check': [
      'blocked_customers',
      'customer_aliases',
      'customer_attributes',
      'customer_snapshots',
      'customers',
      'one_time_purchases',
      'store_transactions',
      'subscriptions',
    ],
    'support/export': ['customer_aliases', 'customers'],
    'support/lifecycle': [
      'customer_aliases',
      'customer_days',
      'customers',
      'events',
      'one_time_purchases',
      'ownership_changes',
      'sdk_events',
      'store_transactions',
      'subscriptions',
      'virtual_currency_lots',
      'virtual_currency_transactions',
      'webhook_attempts',
      'webhook_deliveries',
    ],
  },
  'people, roles and projects of an organization in one statement': {
    'enterprise/access': [
      'custom_roles',
      'organization_projects',
      'project_members',
      'scim_users',
      'sso_domains',
      'users',
    ],
    'enterprise/exports': [
      'audit_logs',
      'custom_roles',
      'organization_audit_logs',
      'organization_members',
      'organization_projects',
      'organizations',
      'project_members',
      'scim_users',
      'users',
    ],
    'enterprise/organizations': [
      'custom_roles',
      'organization_members',
      'organizations',
      'project_members',
      'role_mappings',
      'scim_groups',
      'scim_tokens',
      'scim_users',
      'sessions',
      'sso_connections',
      'sso_domains',
      'users',
    ],
    'enterprise/retention': [
      'audit_logs',
      'organization_audit_logs',
      'organization_projects',
      'organizations',
    ],
    'enterprise/roles': [
      'organization_members',
      'organization_projects',
      'project_members',
      'scim_group_members',
      'scim_groups',
      'scim_users',
      'users',
    ],
    'enterprise/sso': ['organizations'],
  },
  'looks up purchases of all kinds by the ids of their store': {
    'imports/customers': [
      'audit_logs',
      'customers',
      'one_time_identifiers',
      'one_time_purchases',
      'subscription_identifiers',
      'subscriptions',
    ],
    'imports/resolve': [
      'one_time_identifiers',
      'one_time_purchases',
      'subscription_identifiers',
      'subscriptions',
    ],
    'purchases/erased': ['one_time_purchases', 'subscriptions'],
    'purchases/lookups': [
      'one_time_identifiers',
      'one_time_purchases',
      'store_transactions',
      'subscription_aliases',
      'subscription_identifiers',
      'subscriptions',
    ],
    'stores/notifications': ['apps', 'one_time_purchases', 'subscriptions'],
    'stores/paddle': ['store_notification_keys', 'store_notifications'],
    'stores/shared': ['one_time_purchases', 'store_notifications', 'subscriptions'],
  },
  'counts or aggregates rows of many owners': {
    'exports/report-rows': [
      'customer_aliases',
      'customer_attributes',
      'customers',
      'experiment_enrollments',
      'one_time_purchases',
      'store_transactions',
      'subscriptions',
    ],
    'imports/status': [
      'customers',
      'import_key_misses',
      'store_tasks',
      'store_transactions',
      'subscriptions',
    ],
    'insights/charts': [
      'apps',
      'chart_changes',
      'customer_attributes',
      'customer_days',
      'customers',
      'experiment_enrollments',
      'experiments',
      'one_time_purchases',
      'paywall_views',
      'products',
      'store_transactions',
      'subscriptions',
    ],
    'insights/experiment-results': [
      'chart_dims',
      'chart_facts',
      'chart_runs',
      'customer_aliases',
      'experiment_enrollments',
      'experiments',
      'one_time_purchases',
      'ownership_changes',
      'package_products',
      'packages',
      'products',
      'subscriptions',
    ],
    'insights/metrics': ['customer_days', 'customers'],
  },
  'files of a project hold the rows of many owners, read in pages': {
    'exports/datasets': [
      'events',
      'report_customers',
      'report_deletions',
      'report_subscriptions',
      'report_transactions',
      'store_transactions',
    ],
  },
  'compares reports with the ledger rows of the purchases that are bound to a token': {
    'purchases/external-reports': [
      'external_purchase_bindings',
      'external_purchase_tokens',
      'store_transaction_keys',
      'store_transactions',
    ],
  },
  'lists rows with the app user id of their customer, or those of a customer': {
    'purchases/currencies': ['customer_aliases', 'customers'],
    'purchases/external-purchases': ['customers'],
    'purchases/subscriptions': ['store_transactions'],
    'purchases/transactions': ['customer_aliases', 'store_transactions'],
    'redemption/links': ['customers'],
    'support/access-explanation': [
      'blocked_customers',
      'customer_aliases',
      'one_time_purchases',
      'ownership_changes',
      'subscriptions',
    ],
    'stores/refund-requests': ['customers'],
    'support/attributes': ['customers'],
    'webhooks/events': ['customer_aliases', 'customers'],
  },
  'records of transfers go with the purchases of an erased customer': {
    'purchases/ownership': ['one_time_purchases'],
  },
  'everything that one change of a purchase writes, together': {
    'purchases/recording': [
      'customer_attributes',
      'customer_snapshots',
      'customers',
      'events',
      'one_time_identifiers',
      'one_time_purchases',
      'ownership_changes',
    ],
  },
  'a credential leads to its project, app and person in one statement, on the path of every request': {
    'sdk/customer-sessions': ['app_routes', 'apps'],
    'workspace/api-keys': ['apps', 'credential_routes'],
  },
  'erases what has an app user id of the customer': {
    'customers/sdk-events': ['customer_aliases'],
    'sdk/auth-providers': ['customer_aliases'],
    'sdk/customer-sessions': ['customer_aliases'],
  },
  'evaluates rules for customers in one statement, on the path of every app start': {
    'targeting/offerings': [
      'blocked_customers',
      'customer_aliases',
      'customer_attributes',
      'customers',
      'experiment_enrollments',
    ],
  },
  'finds people by their projects': {
    'workspace/alerts': ['project_members', 'users'],
    'workspace/members': ['project_members', 'users'],
  },
};

/** Tables of higher areas that statements name. Nothing may be added here. */
const upward: Record<string, Record<string, string[]>> = {
  'the projects of each worker of Citus, read while one is down': {
    'platform/database': ['projects'],
  },
  "the state of an app's credentials": {
    'catalog/apps': ['projects', 'store_tasks'],
  },
  "the project's row carries the version of its catalog": {
    'catalog/shared': ['projects'],
  },
  'the catalog in one statement, so that all its parts have one version': {
    'catalog/snapshot': [
      'experiments',
      'projects',
      'targeting_rules',
      'virtual_currencies',
      'virtual_currency_grants',
    ],
  },
  'a customer, their purchases and experiments in one statement, so that they are one snapshot': {
    'customers/customers': [
      'experiment_enrollments',
      'experiments',
      'one_time_purchases',
      'subscription_identifiers',
      'subscriptions',
    ],
    'purchases/self-check': ['experiment_enrollments', 'experiments'],
  },
  'a merge keeps the first contact of the customer whom charts counted first, by purchases': {
    'customers/customers': ['store_transactions'],
  },
  'moves and erases stored answers by all ids of a customer': {
    'platform/idempotency': ['customer_aliases'],
  },
  'a deleted project sends nothing more': {
    'workspace/projects': ['webhook_integrations'],
  },
};

/** Areas with statements about each other's tables. Nothing may be added here. */
const twoWay: string[] = ['catalog purchases', 'customers purchases', 'customers targeting'];

type Uses = Record<string, string[]>;

function merged(groups: Record<string, Uses>): Uses {
  const uses: Uses = {};
  for (const group of Object.values(groups)) {
    for (const [feature, tables] of Object.entries(group)) {
      uses[feature] = [...(uses[feature] ?? []), ...tables].sort();
    }
  }
  return uses;
}

/** Other features ask the owner's service. Then one folder shows all statements about a table. */
describe('every table has an owner', () => {
  let owners: Map<string, string>;
  /** Tables that statements name, by feature. */
  let named: Map<string, Set<string>>;
  let places: ReturnType<typeof statementPlaces>;

  beforeAll(async () => {
    await loadParser();
    await loadEnterprise();
    owners = ownersByEntity();
    places = statementPlaces();
    const registering = customerRowPlaces();
    named = new Map();
    for (const { name, text } of knownStatements()) {
      const feature = places.find(({ pattern }) => pattern.test(name))?.feature ?? name;
      const tables = named.get(feature) ?? new Set();
      for (const table of tablesOf(text)) if (owners.has(table)) tables.add(table);
      named.set(feature, tables);
    }
    const stepNames = new Set(
      [...registeredCustomerRows().values()].flatMap(({ merge, erase }) =>
        [merge, erase].flatMap((own) => (typeof own === 'string' ? [] : Object.keys(own))),
      ),
    );
    for (const [table, { merge, erase }] of registeredCustomerRows()) {
      const feature = registering.get(table) ?? table;
      const steps = [merge, erase].filter((own) => typeof own !== 'string');
      const tables = named.get(feature) ?? new Set();
      for (const sql of steps.flatMap((own) => Object.values(own))) {
        // Steps that read another step's result name it like a table.
        for (const found of tablesOf(sql)) if (owners.has(found) && !stepNames.has(found)) tables.add(found);
      }
      named.set(feature, tables);
    }
  });

  const foreignUses = (counts: (feature: string, table: string) => boolean): Uses => {
    const uses: Uses = {};
    for (const [feature, tables] of named) {
      const found = [...tables].filter((table) => owners.get(table) !== feature && counts(feature, table));
      if (found.length > 0) uses[feature] = found.sort();
    }
    return uses;
  };
  const ownerArea = (table: string): string => areaOf(owners.get(table) ?? '');
  const isUpward = (feature: string, table: string): boolean =>
    areas.indexOf(areaOf(feature)) < areas.indexOf(ownerArea(table));

  it('merges and erases the rows of each table about customers by what its owner registers', () => {
    const { columns, tables } = getMetadataArgsStorage();
    const about = columns
      .filter(
        ({ propertyName }) => /customerId$/i.test(propertyName) && propertyName !== 'originalCustomerId',
      )
      .map(({ target }) => tables.find((table) => table.target === target)?.name ?? '');
    const registering = customerRowPlaces();
    expect([...new Set(about)].filter((table) => !registering.has(table)).sort()).toEqual(
      Object.keys(withoutCustomerRows).sort(),
    );
    expect([...registering].filter(([table, feature]) => owners.get(table) !== feature)).toEqual([]);
    expect([...registering.keys()].sort()).toEqual([...registeredCustomerRows().keys()].sort());
  });

  it('has SQL in repositories only, except the listed files', () => {
    const found = filesWithSql().filter((file) => !/\.(repository|sql)\.ts$/.test(file));
    expect(
      found.filter((file) => !Object.keys(sqlElsewhere).some((place) => file.startsWith(place))),
    ).toEqual([]);
  });

  it('finds the feature of each statement by its name', () => {
    const lost = knownStatements().filter(({ name }) => {
      const features = places.filter(({ pattern }) => pattern.test(name)).map(({ feature }) => feature);
      return new Set(features).size !== 1;
    });
    expect(lost.map(({ name }) => name)).toEqual([]);
    expect(named.size).toBeGreaterThan(50);
  });

  it('knows the area of each feature and the owner of each table', () => {
    expect([...named.keys()].filter((feature) => !areas.includes(areaOf(feature)))).toEqual([]);
    const tables = new Set(knownStatements().flatMap(({ text }) => tablesOf(text)));
    expect([...tables].filter((table) => !owners.has(table) && !table.startsWith('pg_'))).toEqual([]);
  });

  it('names only tables of its own folder, except the listed ones, all of which are needed', () => {
    const found = foreignUses((feature, table) => !isUpward(feature, table) && !(table in shared));
    expect(found).toEqual(merged(foreign));
  });

  it('names no table of a higher area, except the listed ones, all of which are needed', () => {
    expect(foreignUses(isUpward)).toEqual(merged(upward));
  });

  it('has no two areas with statements about each other, except the listed ones', () => {
    const links = new Set(
      Object.entries(foreignUses((_, table) => !(table in shared))).flatMap(([feature, tables]) =>
        tables.map((table) => `${areaOf(feature)} ${ownerArea(table)}`),
      ),
    );
    const pairs = areas.flatMap((lower, index) =>
      areas
        .slice(index + 1)
        .filter((higher) => links.has(`${lower} ${higher}`) && links.has(`${higher} ${lower}`))
        .map((higher) => `${lower} ${higher}`),
    );
    expect(pairs).toEqual(twoWay);
  });
});
