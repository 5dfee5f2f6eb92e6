import { once } from 'node:events';
import pg from 'pg';
import { startDatabase } from './database.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server.mjs';
import { call } from './world.mjs';

const PORT = 18_796;
const DOMAIN = 'bench.example';
/** Members of the large group, with room for those who join; others have 100. */
const LARGE = 49_900;

const people = `
INSERT INTO users (id, email, name, email_verified, alert_emails, created_at, origin)
SELECT 'usr_b' || n, 'u' || n || '@${DOMAIN}', 'User ' || n, true, true, now(), 'scim' FROM generate_series(1, $2::int) n
WHERE $1 <> ''`;
const members = `
INSERT INTO organization_members (org_id, user_id, role, source, created_at)
SELECT $1, 'usr_b' || n, 'member', 'scim', now() FROM generate_series(1, $2::int) n`;
const users = `
INSERT INTO scim_users (org_id, id, user_id, user_name, external_id, active, email, resource, version, created_at, updated_at)
SELECT $1, 'scu_' || lpad(n::text, 16, '0'), 'usr_b' || n, 'u' || n || '@${DOMAIN}', 'ext-' || n, true,
  'u' || n || '@${DOMAIN}', jsonb_build_object('userName', 'u' || n || '@${DOMAIN}', 'externalId', 'ext-' || n, 'active', true,
    'displayName', 'User ' || n, 'name', jsonb_build_object('givenName', 'User', 'familyName', n::text),
    'emails', jsonb_build_array(jsonb_build_object('value', 'u' || n || '@${DOMAIN}', 'type', 'work', 'primary', true)),
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', jsonb_build_object('department', 'D' || n % 50)),
  1, now() - interval '1 day' + n * interval '1 millisecond', now() FROM generate_series(1, $2::int) n`;
const emails = `
INSERT INTO scim_user_emails (org_id, email, scim_user_id) SELECT org_id, email, id FROM scim_users
WHERE org_id = $1 AND $2::int > 0`;
const groups = `
INSERT INTO scim_groups (org_id, id, display_name, resource, version, created_at, updated_at)
SELECT $1, 'scg_' || lpad(n::text, 16, '0'), 'Group ' || n, jsonb_build_object('displayName', 'Group ' || n), 1,
  now() - interval '1 day' + n * interval '1 millisecond', now() FROM generate_series(1, $2::int) n`;
const groupMembers = `
INSERT INTO scim_group_members (org_id, group_id, scim_user_id)
SELECT $1, 'scg_' || lpad(g::text, 16, '0'), 'scu_' || lpad(n::text, 16, '0')
FROM generate_series(1, $2::int) g,
  LATERAL generate_series(CASE WHEN g = 1 THEN 1 ELSE g * 50 END, CASE WHEN g = 1 THEN $3::int ELSE g * 50 + 99 END) n`;

/** An organization with this many people and groups, and what identity providers ask for. */
export async function benchScim({ nodeOn, until, log, quick }) {
  const peopleCount = quick ? 10_000 : 100_000;
  const groupCount = quick ? 100 : 1_000;
  const large = Math.min(LARGE, peopleCount / 2);
  const database = await startDatabase();
  const client = new pg.Client({ connectionString: database.url });
  const url = `http://127.0.0.1:${PORT}`;
  const server = startServer(nodeOn, {
    database,
    port: PORT,
    core: 0,
    env: {
      SERVICE_EE_DEV: 'true',
    },
  });
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    await client.connect();
    const { cookie } = await call(
      url,
      'POST',
      '/auth/signup',
      {},
      { email: `boss@${DOMAIN}`, password: 'a long password of the bench' },
    );
    const { json: organization } = await call(
      url,
      'POST',
      '/v2/organizations',
      { cookie },
      { name: 'Bench' },
    );
    const { json: created } = await call(
      url,
      'POST',
      `/v2/organizations/${organization.id}/scim/tokens`,
      { cookie },
      { name: 'bench' },
    );
    const { json: projects } = await call(url, 'GET', '/v2/projects', { cookie });
    await client.query(
      `INSERT INTO organization_projects (org_id, project_id, region, added_at) VALUES ($1, $2, 'us', now())`,
      [organization.id, projects.items[0].id],
    );
    await client.query(
      `INSERT INTO role_mappings (org_id, id, group_name, project_id, role, created_at) VALUES ($1, 'map_bench', 'Group 1', $2, 'viewer', now())`,
      [organization.id, projects.items[0].id],
    );
    log(`${peopleCount} users, ${groupCount} groups, one of ${large} members`);
    for (const sql of [people, members, users, emails])
      await client.query(sql, [organization.id, peopleCount]);
    await client.query(groups, [organization.id, groupCount]);
    await client.query(groupMembers, [organization.id, groupCount, large]);
    await client.query('VACUUM ANALYZE');

    const headers = { authorization: `Bearer ${created.token}`, 'content-type': 'application/scim+json' };
    const ask = async (method, path, body) => {
      const startedAt = performance.now();
      const response = await fetch(`${url}/scim/v2${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return { ms: performance.now() - startedAt, text };
    };
    const filter = (text) => `/Users?filter=${encodeURIComponent(text)}`;
    const patch = (...Operations) => ({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations,
    });
    const anyone = () => 1 + Math.floor(Math.random() * peopleCount);
    let joining = large;
    const nobodyYet = () => `scu_${String(++joining).padStart(16, '0')}`;
    const largeGroup = '/Groups/scg_0000000000000001';
    const runs = {
      'userName eq': () => ask('GET', filter(`userName eq "U${anyone()}@${DOMAIN}"`)),
      'externalId eq': () => ask('GET', filter(`externalId eq "ext-${anyone()}"`)),
      'emails[type eq "work"].value eq': () =>
        ask('GET', filter(`emails[type eq "work"].value eq "u${anyone()}@${DOMAIN}"`)),
      'first page of 100': () => ask('GET', '/Users?count=100'),
      'last page of 100': () => ask('GET', `/Users?startIndex=${peopleCount - 99}&count=100`),
      'a filter without an index': () => ask('GET', filter('name.familyName eq "77"')),
      [`add a member to a group of ${large}`]: () =>
        ask(
          'PATCH',
          largeGroup,
          patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: nobodyYet() }] }),
        ),
      [`remove a member of a group of ${large}`]: () =>
        ask(
          'PATCH',
          largeGroup,
          patch({
            op: 'remove',
            path: `members[value eq "scu_${String(anyone() % large).padStart(16, '0')}"]`,
          }),
        ),
      'change a user': () =>
        ask(
          'PATCH',
          `/Users/scu_${String(anyone()).padStart(16, '0')}`,
          patch({ op: 'Replace', path: 'title', value: String(Math.random()) }),
        ),
      'deactivate a user': () =>
        ask(
          'PATCH',
          `/Users/scu_${String(anyone()).padStart(16, '0')}`,
          patch({ op: 'Replace', path: 'active', value: 'False' }),
        ),
    };
    const rows = [];
    for (const [name, run] of Object.entries(runs)) {
      const times = [];
      const count = name.includes('without an index') ? 5 : 50;
      for (let n = 0; n < 5; n++) await run();
      for (let n = 0; n < count; n++) times.push((await run()).ms);
      const {
        rows: [wal],
      } = await client.query('SELECT pg_current_wal_insert_lsn() AS lsn');
      await run();
      const {
        rows: [{ bytes }],
      } = await client.query('SELECT pg_current_wal_insert_lsn() - $1::pg_lsn AS bytes', [wal.lsn]);
      const ms = (share) => Number(percentile(times, share).toFixed(1));
      rows.push({ what: name, 'p50 ms': ms(0.5), 'p95 ms': ms(0.95), 'wal bytes': Number(bytes) });
    }
    console.table(rows);
  } finally {
    await client.end().catch(() => undefined);
    server.kill('SIGTERM');
    await once(server, 'close');
    await database.stop();
  }
}
