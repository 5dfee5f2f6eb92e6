/**
 * Reads the names of all statements known so far.
 *
 * @own-modules
 */
import { knownStatements } from '../../src/platform/database/statement.js';
import { loadEnterprise } from '../../src/load-enterprise.js';
import { createTestStore } from '../support/arrange-store.js';
import { arrangeKnownObjects, type KnownObjects } from '../support/known-objects.js';
import { statementsOf } from '../support/query-count.js';
import { loadParser, type TenantColumns, unrestrictedTables } from '../support/sql-tenancy.js';
import { recordedRequests, sdkHeaders } from '../support/sdk-requests.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

/** Statements that read a table of tenants without naming one: which, by reason. All others name them. */
const exceptions: Record<string, Record<string, string[]>> = {
  'leads to a project, from the hash of a key, the id of an app or a person': {
    'exports.project_of': ['exports'],
    'auth.find_credential': ['credential_routes', 'apps', 'api_keys'],
    'auth.find_app_of_token': ['app_routes', 'apps'],
    'invites.find_open': ['invite_routes', 'invites'],
    'oauth_grants.lock': ['oauth_grant_routes', 'oauth_grants'],
    'oauth_grants.find_by_access': ['oauth_grant_routes', 'oauth_grants'],
    'oauth_repeated_access_tokens.find_grant': ['oauth_repeated_access_tokens', 'oauth_grants'],
    'oauth_repeated_access_tokens.lock_grant': ['oauth_repeated_access_tokens', 'oauth_grants'],
    'oauth_grants.page_of_user': ['oauth_grants'],
    'oauth_grants.find_of_user': ['oauth_grants'],
    'oauth_grants.newest_of_client': ['oauth_grants'],
    'oauth_grants.delete_of_user': ['oauth_grants'],
    'redemption_links.project_of_token': ['redemption_link_routes'],
    'apps.project_of_id': ['app_routes'],
    'apps.find_key_user': ['credential_routes'],
    'projects.page_of_member': ['project_members'],
    'projects.all_of_member': ['project_members'],
    'projects.orphans': ['project_members'],
    'demo.find_key': ['apps'],
    'sql_users.of_roles': ['sql_users'],
    'sql_users.seen': ['sql_users'],
    'sql_users.block': ['sql_users'],
    'sql_roles.server_state': ['sql_users'],
  },
  'a job: steps from project to project along an index that begins with it, then works on one': {
    'store_tasks.apps_due': ['store_tasks'],
    'store_refreshes.apps_due': ['store_refreshes'],
    'refund_requests.apps_due': ['refund_requests'],
    'store_notifications.apps_due': ['store_notifications'],
    'store_notification_copies.apps_due': ['store_notification_copies'],
    'webhook_deliveries.poll': [
      'webhook_deliveries',
      'webhook_integrations',
      'webhook_circuits',
      'webhook_deliveries',
    ],
    'due_work.projects': ['project_anchors', 'subscriptions'],
    'metrics.next_customer_changes': ['metric_customer_changes'],
  },
  'a job: takes what is due of a small table, for whatever project': {
    'erasure.free': ['customer_erasures'],
    'experiment_results.due': ['experiment_computations'],
    'experiment_results.unregistered': ['project_anchors', 'experiments', 'experiment_computations'],
    'self_checks.register': ['project_anchors', 'self_checks'],
    'self_checks.due': ['self_checks'],
    'import_counts.due': ['import_counts'],
    'customer_list_exports.next_running': ['customer_list_exports'],
    'customer_list_exports.next_expired': ['customer_list_exports'],
    'listed_customers.next_changed': ['listed_customer_changes'],
    'listed_customers.next_fill': ['listed_customer_fills'],
    'import_counts.forget': ['import_counts'],
    'charts.due_projects': [
      'project_anchors',
      'chart_projects',
      'chart_changes',
      'chart_rebuilds',
      'chart_dirty_days',
      'chart_product_changes',
      'chart_active_marks',
    ],
    'reports.due_projects': ['report_projects', 'report_changes', 'report_subscriptions'],
    'reports.enabled_projects': ['report_projects'],
    'test_clocks.due_clocks': ['test_clocks'],
    'store_tasks.add_for_apps': ['project_anchors', 'apps'],
    'project_alerts.unreported': ['project_alerts'],
    'project_alerts.prune': ['project_alerts'],
    'webhook_replays.forget': ['webhook_replays', 'webhook_replay_deliveries'],
    'webhook_replays.forget_deliveries': ['webhook_replay_deliveries', 'webhook_replays', 'webhook_replays'],
    'mails.claim': ['mails'],
    'digests.due': ['digests'],
    'exports.due': ['exports'],
    'export_runs.due': ['export_runs'],
    'export_runs.prune': ['export_runs', 'exports', 'export_runs'],
    'retention_requests.due_projects': ['retention_requests'],
    'chart_questions.due_projects': ['chart_questions'],
    'paywalls.projects_with_old_address': ['paywalls'],
    'content_blobs.projects_with_unused': ['content_blobs'],
  },
  'a job: deletes what is old, by an index of time': {
    'idempotency_keys.delete_expired': ['idempotency_keys'],
    'rate_limits.delete_ended': ['rate_limits'],
    'mails.delete_old': ['mails'],
    'customer_sessions.delete_expired': ['customer_sessions'],
    'revoked_access_tokens.delete_expired': ['revoked_access_tokens'],
    'replaced_customer_tokens.delete_old': ['replaced_customer_tokens'],
    'replaced_oauth_tokens.delete_old': ['replaced_oauth_tokens'],
    'oauth_grants.delete_expired': ['oauth_grants'],
    'credential_uses.delete_old': ['credential_uses'],
    'redemption_links.delete_expired': ['redemption_links'],
    'redemption_links.delete_expired_routes': ['redemption_link_routes', 'redemption_link_routes'],
    'erased_purchases.delete_old': ['erased_purchases'],
    'external_purchase_reports.delete_old': [
      'external_purchase_reports',
      'external_purchase_reports',
      'external_purchase_reports',
    ],
    'refund_requests.end_open': ['refund_requests'],
    'refund_requests.clear_details': ['refund_requests'],
    'refund_requests.delete_old': ['refund_requests'],
    'store_unknown_values.delete_old': ['store_unknown_values'],
    'retention_requests.delete_old': ['retention_requests'],
  },
  'a figure of the whole server, at each scrape': {
    'exports.overview': ['exports', 'exports', 'export_runs'],
    'jobs.oldest_due.notifications': ['project_anchors', 'store_notifications'],
    'jobs.oldest_due.copies': ['project_anchors', 'store_notification_copies'],
    'jobs.oldest_due.refreshes': ['project_anchors', 'store_refreshes'],
    'jobs.oldest_due.tasks': ['project_anchors', 'store_tasks'],
    'due_work.oldest_due': ['project_anchors', 'subscriptions'],
    'charts.oldest_mark': ['project_anchors', 'chart_changes'],
    'reports.waiting': ['report_projects', 'report_changes'],
    'webhook_circuits.count': ['webhook_circuits', 'webhook_integrations'],
    'webhook_deliveries.count_waiting': ['webhook_deliveries'],
    'webhook_deliveries.projects_with_ended_waits': ['webhook_deliveries'],
    'webhook_deliveries.oldest_due': [
      'webhook_integrations',
      'webhook_circuits',
      'webhook_deliveries',
      'webhook_deliveries',
    ],
  },
};
const excepted = Object.assign({}, ...Object.values(exceptions)) as Record<string, string[]>;

const deletesByAge = [
  ...Object.keys(exceptions['a job: deletes what is old, by an index of time'] ?? {}),
  'import_counts.forget',
  'project_alerts.prune',
  'webhook_replays.forget',
  'webhook_replays.forget_deliveries',
];

/** The same for the enterprise edition, whose tenants are organizations: these are not distributed. */
const exceptionsOfEnterprise: Record<string, Record<string, string[]>> = {
  'leads to an organization, from a person, a project or a domain': {
    'organization_access.find_roles': [
      'organization_projects',
      'organization_members',
      'custom_roles',
      'sso_domains',
    ],
    'organization_access.requiring_organization': ['sso_domains', 'organization_members'],
    'organization_members.owned_by': ['organization_members'],
    'organizations.page': [
      'organization_members',
      'organization_members',
      'organization_projects',
      'organization_members',
      'organization_projects',
      'project_members',
    ],
  },
  'leads to an organization, from the hash of a token': {
    'scim_tokens.find_by_hash': ['scim_tokens'],
  },
  'leads from an organization to its projects, and their people': {
    'organization_members.leave_projects': ['project_members'],
    'organization_projects.find': ['project_members', 'project_members'],
    'organization_projects.page': ['project_members', 'project_members'],
    'organizations.find': ['project_members'],
    'custom_roles.page': ['project_members'],
    'custom_roles.find': ['project_members'],
    'custom_roles.projects_using': ['project_members'],
    'custom_roles.make_viewers': ['project_members'],
    'project_roles.page': ['project_members'],
    'project_roles.find': ['project_members'],
    'exports.count_access_review': ['project_members', 'project_members'],
    'exports.count_audit_logs': ['audit_logs'],
  },
  'whose domain it is, of all organizations': {
    'sso_connections.for_domain': ['sso_domains'],
    'sso_domains.verified_by_other': ['sso_domains'],
  },
  'deletes what has expired, of all organizations': {
    'sso_login_states.delete_expired': ['sso_login_states'],
    'sso_seen_assertions.delete_expired': ['sso_seen_assertions'],
  },
  'read at the start, for every request to come': {
    'organization_projects.elsewhere': ['organization_projects'],
  },
};
const exceptedOfEnterprise = Object.assign({}, ...Object.values(exceptionsOfEnterprise)) as Record<
  string,
  string[]
>;

/** Data can then be sharded by project: a statement without a project would have to query every shard. */
describe('every statement names the project', () => {
  let server: TestServer;
  let columns: TenantColumns;
  /** Names and texts of what requests sent. */
  let sent: Set<string>;

  beforeAll(async () => {
    await loadParser();
    // Statements of jobs belong to no request.
    server = await startTestServer({ env: { SERVICE_ROLE: 'api' } });
    columns = await tenantColumns();
    const store = await createTestStore(server);
    const known = await arrangeKnownObjects(store, server.clock.nowMs());
    sent = new Set(
      await statementsOf(server, async () => {
        for (const url of readPaths(known)) {
          for (const client of [store.backend, store.session]) await client.get(url);
        }
        for (const { key = 'test', method, url, body, sdk, headers } of recordedRequests(TEST_START_MS)) {
          const all = { ...sdkHeaders[sdk], ...headers };
          if (key === 'test') await store.sdk.send(method, url, body, all);
        }
        const { body: made } = await store.backend.post(`${store.path}/products`, {
          store_identifier: 'more',
          app_id: store.appId,
          type: 'consumable',
        });
        await store.backend.post(`${store.path}/products/${made.id}`, { display_name: 'More' });
        await store.backend.delete(`${store.path}/products/${made.id}`);
        await store.backend.post(`${store.path}/customers/ada/actions/grant_entitlement`, {
          entitlement_id: known.entitlement_id,
          expires_at: server.clock.nowMs() + 86_400_000,
        });
        await store.backend.post(`${store.path}/customers/ada/actions/transfer`, {
          target_customer_id: 'bob',
        });
        await store.backend.post(`${store.path}/subscriptions/${known.subscription_id}/actions/refund`);
        await store.backend.delete(`${store.path}/customers/bob`);
      }),
    );
  });

  afterAll(() => server.close());

  async function tenantColumns(names = ['project_id', 'tenant_id']): Promise<TenantColumns> {
    const rows = await server.dataSource.query<{ table: string; column: string }[]>(
      `SELECT c.relname AS "table", a.attname AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND a.attname = ANY ($1) AND NOT a.attisdropped`,
      [names],
    );
    const tables = new Map(rows.map(({ table, column }) => [table, column]));
    // Every statement of a job reads this small table; on a cluster each node has all of it.
    tables.delete('project_locations');
    return { tables, origin: { table: 'projects', column: 'id' } };
  }

  /** Every list and object of the project. */
  function readPaths(known: KnownObjects): string[] {
    return Object.entries(server.document.paths).flatMap(([path, methods]) => {
      const { get } = methods as { get?: { parameters?: { name: string }[] } };
      if (!path.startsWith('/v2/projects/{project_id}') || !get) return [];
      const url = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => known[name] ?? 'unknown');
      return get.parameters?.some(({ name }) => name === 'limit') ? [url, `${url}?limit=1`] : [url];
    });
  }

  const findings = (statements: Iterable<{ name: string; text: string }>): Record<string, string[]> =>
    Object.fromEntries(
      [...statements].flatMap(({ name, text }) => {
        const tables = unrestrictedTables(text, columns);
        return tables.length > 0 ? [[name, tables]] : [];
      }),
    );

  it('names it for each table, except for documented exceptions that are all needed', () => {
    const statements = knownStatements();
    expect(statements.length).toBeGreaterThan(250);
    expect(findings(statements)).toEqual(excepted);
  });

  it('asks in each claim and age of jobs whether the project is here, unless it deletes by age', () => {
    const groups = Object.keys(exceptions).filter((group) => /^a (job|figure)/.test(group));
    const names = groups.flatMap((group) => Object.keys(exceptions[group] ?? {}));
    const asking = new Set(
      knownStatements()
        .filter(({ text }) => text.includes('FROM project_locations l WHERE l.project_id ='))
        .map(({ name }) => name),
    );
    expect(names.filter((name) => !asking.has(name) && !deletesByAge.includes(name))).toEqual([]);
    expect(deletesByAge.filter((name) => asking.has(name) || !names.includes(name))).toEqual([]);
  });

  it('names the organization in the enterprise edition', async () => {
    const before = new Set(knownStatements().map(({ name }) => name));
    await loadEnterprise();
    const statements = knownStatements().filter(({ name }) => !before.has(name));
    const ofOrganizations = await tenantColumns(['org_id']);
    const origin = { table: 'organizations', column: 'id' };
    const tables = new Map([...columns.tables, ...ofOrganizations.tables]);
    const found = statements.flatMap(({ name, text }) => {
      const open = unrestrictedTables(text, { tables, origin, mayFollow: true });
      return open.length > 0 ? [[name, open] as const] : [];
    });
    expect(statements.length).toBeGreaterThan(20);
    expect(Object.fromEntries(found)).toEqual(exceptedOfEnterprise);
  });

  it("includes the ORM's statements in requests to REST v2 and of SDKs", () => {
    const names = new Set(knownStatements().map(({ name }) => name));
    const written = [...sent].filter(
      (text) => !names.has(text) && /^(SELECT|INSERT|UPDATE|DELETE)/.test(text),
    );
    expect(sent.size).toBeGreaterThan(120);
    expect(written.length).toBeGreaterThan(20);
    expect(findings(written.map((text) => ({ name: text, text })))).toEqual({});
  });

  it('sends none of the exceptions in a request, except to find its project', () => {
    const meant = ['auth.find_credential', 'projects.page_of_member', 'projects.all_of_member'];
    expect([...sent].filter((name) => name in excepted && !meant.includes(name))).toEqual([]);
  });

  describe('as the check understands it', () => {
    const check = (text: string): string[] =>
      unrestrictedTables(text, {
        tables: new Map([
          ['a', 'project_id'],
          ['b', 'project_id'],
        ]),
        origin: { table: 'projects', column: 'id' },
      });

    it.each([
      ['SELECT FROM a WHERE project_id = $1'],
      ['SELECT FROM a x WHERE x.project_id = ANY($1) AND x.id > $2'],
      ['SELECT FROM a JOIN b ON b.project_id = $1 WHERE a.project_id = $1'],
      ['SELECT FROM a LEFT JOIN b ON b.project_id = $1 AND b.id = a.id WHERE a.project_id = $1'],
      [
        'SELECT FROM a WHERE (project_id, id) IN (SELECT p, i FROM unnest($1::text[], $2::text[]) AS u (p, i))',
      ],
      ['SELECT FROM a WHERE (a.project_id, a.id) = ($1, $2)'],
      ['UPDATE a SET x = 1 FROM (SELECT $1::text AS project_id) n WHERE a.project_id = n.project_id'],
      ['INSERT INTO a (project_id, id) SELECT project_id, id FROM b WHERE b.project_id = $1'],
      [
        'SELECT (SELECT count(*) FROM b WHERE b.project_id = $1 AND b.id = a.id) FROM a WHERE a.project_id = $1',
      ],
      [
        'WITH c AS (DELETE FROM a WHERE project_id = $1 RETURNING *) SELECT FROM c JOIN b ON b.project_id = c.project_id',
      ],
    ])('lets pass: %s', (text) => expect(check(text)).toEqual([]));

    it.each([
      ['SELECT FROM a', ['a']],
      ['SELECT FROM a WHERE id = $1', ['a']],
      ['SELECT FROM a WHERE project_id = $1 OR id = $2', ['a']],
      ['SELECT FROM a WHERE NOT project_id = $1', ['a']],
      ['SELECT FROM a WHERE project_id > $1', ['a']],
      ['SELECT FROM a WHERE project_id = a.other AND project_id IS NOT NULL', ['a']],
      ['SELECT FROM a JOIN b ON b.project_id = a.project_id', ['a', 'b']],
      ['SELECT FROM a JOIN b ON b.project_id = a.project_id WHERE a.project_id = $1', ['b']],
      ['SELECT FROM a JOIN b USING (project_id) WHERE b.project_id = $1', ['a']],
      ['SELECT FROM a LEFT JOIN b ON b.project_id = a.project_id WHERE a.project_id = $1', ['b']],
      ['SELECT FROM projects p JOIN a ON a.project_id = p.id WHERE p.id = $1', ['a']],
      [
        'SELECT (SELECT count(*) FROM b WHERE b.project_id = a.project_id) FROM a WHERE a.project_id = $1',
        ['b'],
      ],
      ['SELECT FROM a LEFT JOIN b ON b.project_id = $1 AND a.project_id = b.project_id', ['a']],
      ['SELECT FROM a JOIN b USING (id) WHERE a.project_id = $1', ['b']],
      ['SELECT FROM a WHERE a.project_id = $1 AND EXISTS (SELECT FROM b WHERE b.id = a.id)', ['b']],
      ['SELECT FROM projects p JOIN a ON a.project_id = p.id', ['a']],
      ['SELECT FROM a WHERE project_id = $1 UNION ALL SELECT FROM b', ['b']],
      ['UPDATE a SET project_id = $1', ['a']],
      ['DELETE FROM a USING b WHERE a.project_id = b.project_id', ['a', 'b']],
      ['INSERT INTO a SELECT $1', ['a']],
      ['WITH c AS (SELECT * FROM a) SELECT FROM c WHERE c.project_id = $1', ['a']],
      ['SELECT FROM (SELECT * FROM a) x WHERE x.project_id = $1', ['a']],
    ])('refuses: %s', (text, tables) => expect(check(text)).toEqual(tables));
  });
});
