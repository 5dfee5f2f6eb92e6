import { createHash } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { startDatabase } from './database.mjs';
import { withMemory } from './memory.mjs';
import { startServer } from './server.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_797;
/** Memory (MB) that an export may take beside its file, which is signed in memory. */
const LIMIT_MB = 64;
const MB = 1024 ** 2;

/** Rows of an organization, and as many of one of its projects. $1: organization or project, $2: how many. */
const rowsOfOrganization = `
  INSERT INTO organization_audit_logs (org_id, id, occurred_at, action, actor_type, actor_id, actor_email, target_type,
    target_id, data)
  SELECT $1, 'logo' || lpad(n::text, 12, '0'), now() - n * interval '1 second', 'member_role_changed', 'user',
    'usr_0mjwaidke05c1232', 'somebody-' || n % 1000 || '@example.com', 'member', 'usr_' || lpad(n::text, 16, '0'),
    json_build_object('changes', json_build_object('role', json_build_array('member', 'admin')), 'request_id', md5(n::text))
  FROM generate_series(1, $2::int) n`;
const rowsOfProject = `
  INSERT INTO audit_logs (project_id, id, occurred_at, action_type, target_type, target_identifier, actor_type,
    actor_identifier, additional_data)
  SELECT $1, 'logp' || lpad(n::text, 12, '0'), now() - n * interval '1 second', 'product_updated', 'product',
    'prod' || lpad(n::text, 10, '0'), 'user', 'somebody-' || n % 1000 || '@example.com',
    json_build_object('method', 'POST', 'status', 200, 'changed_fields', json_build_array('display_name', md5(n::text)))
  FROM generate_series(1, $2::int) n`;

/** Downloads an export without keeping it; the hash in its headers must be that of its bytes. */
async function download(url, path, headers) {
  const answer = await fetch(url + path, { headers });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of answer.body) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  if (hash.digest('hex') !== answer.headers.get('x-service-export-sha256'))
    throw new Error(`${path}: the hash differs`);
  return bytes;
}

/** How long exports of `rows` rows take, and how much memory of the server; fails above 64 MB beside the file. */
export async function benchExports({ nodeOn, until, rssMb, log, rows, runs }) {
  const database = await startDatabase();
  const url = `http://127.0.0.1:${PORT}`;
  const server = startServer(nodeOn, {
    database,
    port: PORT,
    env: {
      SERVICE_EE_DEV: 'true',
      SERVICE_LOG_LEVEL: 'error',
    },
  });
  const client = new pg.Client({ connectionString: database.url });
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const { account, projectId } = await buildWorld(url, 100, null);
    const { cookie } = await call(url, 'POST', '/auth/login', {}, account);
    const headers = { cookie };
    const { id } = (await call(url, 'POST', '/v2/organizations', headers, { name: 'Bench' })).json;
    await call(url, 'POST', `/v2/organizations/${id}/projects`, headers, { project_id: projectId });
    await client.connect();
    // A few are written by the set-up and by the exports themselves.
    const half = Math.floor(rows / 2) - 100;
    await client.query(rowsOfOrganization, [id, half]);
    await client.query(rowsOfProject, [projectId, half]);
    await client.query('VACUUM ANALYZE');
    const path = `/v2/organizations/${id}/exports/audit_logs`;
    const measured = [];
    for (const format of ['csv', 'json']) {
      // Warms up; code is compiled and pools are filled.
      for (let run = 0; run < 3; run++)
        await download(url, `${path}?format=${format}&start_time=${Date.now() - 3_600_000}`, headers);
      for (let run = 0; run < runs; run++) {
        const startedAt = performance.now();
        const {
          result: bytes,
          beforeMb,
          mostMb,
        } = await withMemory(server.pid, rssMb, () => download(url, `${path}?format=${format}`, headers));
        const seconds = (performance.now() - startedAt) / 1_000;
        measured.push({
          format,
          rows: 2 * half,
          MB: Math.round(bytes / MB),
          seconds: Number(seconds.toFixed(1)),
          'memory before': beforeMb,
          'memory more': mostMb - beforeMb,
        });
        log(
          `${format}: ${Math.round(bytes / MB)} MB in ${seconds.toFixed(1)} s, ${mostMb - beforeMb} MB of memory`,
        );
      }
    }
    console.table(measured);
    if (measured.some((row) => row['memory more'] > LIMIT_MB + row.MB)) process.exitCode = 1;
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
    await client.end().catch(() => undefined);
    await database.stop();
  }
}
