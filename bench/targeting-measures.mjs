import { once } from 'node:events';
import { startDatabase } from './database.mjs';
import { serverArgs } from './server.mjs';
import { withMemory } from './memory.mjs';
import { buildWorld, call } from './world.mjs';

const URL = 'http://127.0.0.1:18795';
const COUNTRIES =
  'AT BE BR CA CH CL CN CZ DE DK EE ES FI FR GB GR HU IE IN IT JP KR MX NL NO PL PT SE TR US'.split(' ');
const APPS = 10;

/** Offerings by what decides about them, and the results of many enrolments: see docs/targeting.md. */
export async function benchTargeting(tools) {
  const { nodeOn, until, rssMb, log, onDatabase, quick, customers, enrollments } = tools;
  const database = await startDatabase();
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    SERVICE_DEMO: 'false',
    SERVICE_ROLE: 'api',
    SERVICE_LOG_LEVEL: 'warn',
    SERVICE_TRUST_PROXY: 'true',
    PORT: '18795',
  };
  const server = nodeOn(0, serverArgs, { stdio: ['ignore', 'ignore', 'inherit'], env });
  try {
    await until('the server', async () => (await fetch(`${URL}/readyz`)).ok);
    const world = await buildWorld(URL, customers, null);
    const { path, backendHeaders, projectId } = world;
    const send = async (method, suffix, body) =>
      (await call(URL, method, path + suffix, backendHeaders, body)).json;
    const post = (suffix, body = {}) => send('POST', suffix, body);
    const rows = [];
    const measure = async (what, plan) => {
      const load = {
        headers: world.sdkHeaders,
        connections: 64,
        customers,
        url: URL,
        kind: 'offerings',
        ...plan,
      };
      // Newcomers are new in the measured run, too.
      await tools.loadOnce({ ...load, seconds: quick ? 2 : 10 });
      const before = tools.cpuMs(server.pid);
      const seconds = quick ? 2 : 10;
      const { perSecond, p50, p99, failed } = await tools.loadOnce({ ...load, seconds });
      const micros = ((tools.cpuMs(server.pid) - before) * 1000) / (perSecond * seconds);
      rows.push({ what, 'req/s': Math.round(perSecond), p50, p99, failed, 'cpu us/req': Math.round(micros) });
      log(`${what}: ${Math.round(perSecond)}/s`);
    };

    await measure('no rules, no experiments');
    const offerings = [];
    for (const key of ['control', 'treatment'])
      offerings.push((await post('/offerings', { lookup_key: key, display_name: key })).id);
    const rule = (conditions) =>
      post('/targeting_rules', {
        display_name: 'Rule',
        state: 'active',
        offering_id: offerings[0],
        conditions,
      });
    const rules = [];
    for (let place = 1; place <= 20; place++) {
      const last = { field: 'country', operator: place === 20 ? 'not in' : 'in', value: ['AQ'] };
      const others = ['BV', 'HM', 'GS', 'TF'].map((code) => ({
        field: 'country',
        operator: 'not in',
        value: [code],
      }));
      rules.push(await rule([...others, last]));
    }
    await measure('20 rules of 5 conditions, the last one matches');
    for (const { id } of rules) await send('DELETE', `/targeting_rules/${id}`);

    for (const code of COUNTRIES) await rule([{ field: 'country', operator: 'in', value: [code] }]);
    const keys = [];
    for (let count = 0; count < APPS; count++) {
      const app = await post('/apps', { name: `App ${count}`, type: 'test_store' });
      keys.push((await send('GET', `/apps/${app.id}/public_api_keys`)).items[0].key);
    }
    await measure(`${APPS * COUNTRIES.length} distinct outcomes`, {
      kind: 'outcomes',
      keys,
      countries: COUNTRIES,
    });

    const experiment = await post('/experiments', {
      display_name: 'Bench',
      offering_a_id: offerings[0],
      offering_b_id: offerings[1],
      enrollment_mode: 'new_and_existing',
    });
    await post(`/experiments/${experiment.id}/actions/start`);
    await measure('an experiment, every request joins', { kind: 'newcomers' });
    await measure('an experiment, all joined, known');
    // With an override in the project, each request reads its customer.
    await post('/customers/customer-1/actions/assign_offering', { offering_id: offerings[0] });
    await measure('an experiment, all joined, each is read');
    console.table(rows);

    await onDatabase(database.url, async (client) => {
      await client.query(
        `INSERT INTO experiment_enrollments (project_id, customer_id, experiment_id, variant, enrolled_at, app_user_id, is_sandbox)
         SELECT $1, 'made-' || n, $2, CASE n % 2 WHEN 0 THEN 'a' ELSE 'b' END, now(), 'made-' || n, false
         FROM generate_series(1, $3::int) n`,
        [projectId, experiment.id, enrollments],
      );
      await client.query('VACUUM ANALYZE');
    });
    const results = [];
    const { beforeMb, mostMb } = await withMemory(server.pid, rssMb, async () => {
      for (const what of ['computed', 'known']) {
        const startMs = performance.now();
        await send('GET', `/experiments/${experiment.id}/results`);
        results.push({
          'results of enrolments': enrollments,
          what,
          ms: Math.round(performance.now() - startMs),
        });
      }
    });
    console.table(results);
    log(`memory of the server: ${beforeMb} MB before the results, at most ${mostMb} MB`);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
    await database.stop();
  }
}
