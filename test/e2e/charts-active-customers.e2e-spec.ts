import fc from 'fast-check';
import pg from 'pg';
import { Registry } from 'prom-client';
import { CustomerMergeRepository } from '../../src/customers/customers/identity/customer-merge.repository.js';
import type { SeriesAnswer } from '../../src/insights/charts/answers/answer.model.js';
import { ActiveDaysService } from '../../src/insights/charts/activity/active-days.service.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { MetricsRepository } from '../../src/insights/metrics/metrics.repository.js';
import { MetricsService } from '../../src/insights/metrics/metrics.service.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import type { ApiClient } from '../support/api-client.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import { askSeries } from '../support/charts-questions.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-03-20T12:00:00Z');
const seed = fc.readConfigureGlobal().seed ?? 0;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const march = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`;

describe('the chart of active customers', () => {
  let server: TestServer;
  let session: ApiClient;
  let projectId: string;

  beforeAll(async () => {
    server = await startTestServer();
    server.clock.setMs(NOW_MS);
    session = (await signUp(server)).session;
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    server.clock.setMs(NOW_MS);
    projectId = (await session.post('/v2/projects', { name: 'Active' })).body.id;
  });

  const query = <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
    server.dataSource.query<Row[]>(sql, [projectId, ...values]);
  const rollUp = (): Promise<void> => server.app.get(ChartsRollupJob).run();
  /** Also sums days that have just ended. */
  const sumDays = async (): Promise<void> => {
    await rollUp();
    server.clock.advanceMs(5 * MINUTE_MS);
    await rollUp();
  };
  const addCustomer = (id: string, country: string | null = null, platform: string | null = null) =>
    query(
      `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at, first_seen_country,
         first_seen_platform) VALUES ($1, $2, $2, '2026-01-01', '2026-01-01', $3, $4)`,
      id,
      country,
      platform,
    );
  const addDays = (id: string, ...days: string[]) =>
    query(
      `INSERT INTO customer_days (project_id, customer_id, day) SELECT $1, $2, unnest($3::date[]) ON CONFLICT DO NOTHING`,
      id,
      days,
    );
  const rows = async (): Promise<[number, number, number][]> => {
    const found = await query<{ day: number; gap: number; customers: number }>(
      `SELECT extract(day FROM day)::int AS day, gap, customers FROM chart_active_days
       WHERE project_id = $1 AND level = 'all' ORDER BY day, gap`,
    );
    return found.map(({ day, gap, customers }) => [day, gap, customers]);
  };
  /** By bucket, of the total or a segment. */
  const values = (answer: SeriesAnswer, id = 'total'): number[] => {
    const segment = answer.segments?.findIndex((one) => one.id === id) ?? 0;
    return answer.values.filter((one) => one.segment === segment).map(({ value }) => value);
  };
  const active = async (start: string, end: string, more: object = {}): Promise<number[]> => {
    const asked = { resolution: 'year', start_date: start, end_date: end, ...more };
    return values(await askSeries(server, projectId, 'customers_active', asked));
  };
  const merge = (from: string, to: string): Promise<unknown> =>
    server.app
      .get(DatabaseService)
      .transaction((tx) =>
        server.app
          .get(CustomerMergeRepository, { strict: false })
          .merge(tx, projectId, from, to, new Date(server.clock.nowMs())),
      );
  const contents = (): Promise<object[]> =>
    query(`SELECT level, value, day::text, gap, customers FROM chart_active_days WHERE project_id = $1
      ORDER BY level, value, day, gap`);

  /** Two customers: one active on 1, 2 and 9 March, the other on 9 March. */
  const arrangeTwo = async (): Promise<void> => {
    await addCustomer('ann', 'US', 'iOS');
    await addCustomer('bob', 'DE', 'iOS');
    await addDays('ann', march(1), march(2), march(9));
    await addDays('bob', march(9));
    await sumDays();
  };

  it('counts each customer once in a range, from the days since the previous active day', async () => {
    await arrangeTwo();
    expect(await rows()).toEqual([
      [1, 32_767, 1],
      [2, 1, 1],
      [9, 7, 1],
      [9, 32_767, 1],
    ]);
    expect(await active(march(2), march(9))).toEqual([2]);
    expect(await active(march(3), march(9))).toEqual([2]);
    expect(await active(march(1), march(2))).toEqual([1]);
    expect(await active(march(3), march(8))).toEqual([0]);
    // The sums answer, not the days of customers.
    await query(
      "UPDATE chart_active_days SET customers = customers + 10 WHERE project_id = $1 AND level = 'all'",
    );
    expect(await active(march(1), march(2))).toEqual([11]);
  });

  it('splits and filters by country and platform from sums, and by both from the customers', async () => {
    await arrangeTwo();
    const all = { resolution: 'month', start_date: march(2), end_date: march(9) };
    const byCountry = await askSeries(server, projectId, 'customers_active', { ...all, segment: 'country' });
    expect(['total', 'US', 'DE'].map((id) => values(byCountry, id))).toEqual([[2], [1], [1]]);
    const filters = [{ name: 'country', values: ['DE', 'FR'] }];
    expect(await active(march(2), march(9), { filters })).toEqual([1]);
    expect(await active(march(2), march(9), { filters, segment: 'country' })).toEqual([1]);
    expect(await active(march(2), march(9), { filters, segment: 'platform' })).toEqual([1]);
    await query(
      "UPDATE chart_active_days SET customers = customers + 10 WHERE project_id = $1 AND value = 'DE'",
    );
    expect(await active(march(2), march(9), { filters })).toEqual([11]);
    expect(await active(march(2), march(9), { filters, segment: 'platform' })).toEqual([1]);
  });

  it('counts in the history of the overview like the chart', async () => {
    await arrangeTwo();
    await addDays('bob', march(20));
    const request = { metric: 'active_users', days: 12, environment: 'production', currency: 'USD' } as const;
    const history = await server.app.get(MetricsService).history(projectId, request);
    expect(history).toMatchObject({ value: 2, previousValue: 1 });
    expect(history.values.filter(({ value }) => value > 0)).toEqual([
      { day: march(9), value: 2 },
      { day: march(20), value: 1 },
    ]);
  });

  it('counts days live until they are summed again after a change', async () => {
    await arrangeTwo();
    await addDays('bob', march(2));
    const marked = () =>
      query('SELECT DISTINCT day::text FROM chart_active_marks WHERE project_id = $1 ORDER BY 1');
    // Also the next active day, whose gap is shorter now.
    expect(await marked()).toEqual([{ day: march(2) }, { day: march(9) }]);
    expect(await active(march(2), march(9))).toEqual([2]);
    await rollUp();
    expect(await marked()).toEqual([]);
    expect((await rows()).filter(([day]) => day === 9)).toEqual([[9, 7, 2]]);
    await merge('bob', 'ann');
    expect(await active(march(2), march(9))).toEqual([1]);
    await rollUp();
    expect(await rows()).toEqual([
      [1, 32_767, 1],
      [2, 1, 1],
      [9, 7, 1],
    ]);
    const { client } = await createSecretKey(session, projectId);
    await query(
      `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
       VALUES ($1, 'ann', 'ann', false, now())
       ON CONFLICT DO NOTHING`,
    );
    expect((await client.delete(`/v2/projects/${projectId}/customers/ann`)).status).toBe(200);
    await rollUp();
    expect(await contents()).toEqual([]);
  });

  it('moves the past days of a customer whose country becomes known', async () => {
    await addCustomer('ann');
    await addDays('ann', march(1), march(20));
    await sumDays();
    await query("UPDATE customers SET first_seen_country = 'FR' WHERE project_id = $1");
    await rollUp();
    const found = await query(
      'SELECT value FROM chart_active_days WHERE project_id = $1 AND level = $2',
      'customer_country',
    );
    expect(found).toEqual([{ value: 'FR' }]);
  });

  it('includes a day that is written by a transaction that began before the day ended', async () => {
    await arrangeTwo();
    const late = new pg.Client({ connectionString: server.databaseUrl });
    await late.connect();
    await late.query('BEGIN');
    await late.query('INSERT INTO customer_days (project_id, customer_id, day) VALUES ($1, $2, $3)', [
      projectId,
      'ann',
      march(20),
    ]);
    server.clock.setMs(Date.parse(`${march(21)}T00:00:01Z`));
    await rollUp();
    expect(await active(march(20), march(20))).toEqual([0]);
    await late.query('COMMIT');
    await late.end();
    expect(await active(march(20), march(20))).toEqual([1]);
    server.clock.advanceMs(5 * MINUTE_MS);
    await rollUp();
    expect((await rows()).at(-1)).toEqual([20, 11, 1]);
  });

  it('keeps its sums when old days of customers are deleted', async () => {
    await addCustomer('ann');
    const old = NOW_MS - 729 * DAY_MS;
    await addDays('ann', dayOf(old), dayOf(old + 100 * DAY_MS));
    await sumDays();
    server.clock.advanceMs(DAY_MS);
    await sumDays();
    const before = await contents();
    expect(before).toMatchObject(Array(3).fill({ day: dayOf(old + 100 * DAY_MS), gap: 100, customers: 1 }));
    server.clock.advanceMs(DAY_MS);
    const until = new Date(server.clock.nowMs() - 730 * DAY_MS);
    expect(await server.app.get(MetricsRepository).pruneCustomerDays(until, 100)).toBe(1);
    expect(await query('SELECT FROM chart_active_marks WHERE project_id = $1 AND due_at IS NULL')).toEqual(
      [],
    );
    await sumDays();
    expect(await contents()).toEqual(before);
    expect(await query('SELECT FROM chart_active_marks WHERE project_id = $1')).toEqual([]);
    expect(await active(dayOf(old + DAY_MS), dayOf(NOW_MS), { resolution: 'month' })).toContain(1);
  });

  it('finds and repairs a difference in the daily check', async () => {
    await addCustomer('ann');
    await addDays('ann', march(1));
    await sumDays();
    const before = await contents();
    await query('UPDATE chart_active_days SET customers = 7 WHERE project_id = $1');
    const counted = async (): Promise<number> => {
      const text = await server.app.get(Registry).getSingleMetricAsString('tenure_chart_differences_total');
      return Number(/of="active_days"\} (\d+)/.exec(text)?.[1]);
    };
    const differences = await counted();
    server.clock.advanceMs(DAY_MS);
    await sumDays();
    expect(await counted()).toBe(differences + 1);
    expect(await contents()).toEqual(before);
  });

  it('answers a day with many customers as of its last sums', async () => {
    server.app.get(ActiveDaysService).manyCustomers = 2;
    for (const id of ['ann', 'bob', 'cem', 'dia']) await addCustomer(id);
    for (const id of ['bob', 'cem', 'dia']) await addDays(id, march(20));
    await sumDays();
    await query('UPDATE chart_projects SET customers = 200001 WHERE project_id = $1');
    await rollUp();
    const summedAtMs = server.clock.nowMs();
    const ask = () =>
      askSeries(server, projectId, 'customers_active', { start_date: march(19), end_date: march(20) });
    await addDays('ann', march(20));
    server.clock.advanceMs(MINUTE_MS);
    await rollUp();
    const first = await ask();
    expect([values(first), first.lastComputedAtMs]).toEqual([[0, 3], summedAtMs]);
    server.clock.advanceMs(5 * MINUTE_MS);
    await rollUp();
    expect(values(await ask())).toEqual([0, 4]);
  });

  const people = ['ann', 'bob', 'cem', 'dia'];
  const change = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('add' as const), who: fc.nat(3), ago: fc.nat(60) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('remove' as const), who: fc.nat(3), ago: fc.nat(60) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('country' as const),
        who: fc.nat(3),
        to: fc.constantFrom('US', 'DE'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('merge' as const), who: fc.nat(3), other: fc.nat(3) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), who: fc.nat(3) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('rollup' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.nat(40) }) },
  );
  const asked = fc.record({
    start: fc.nat(70),
    days: fc.nat(70),
    resolution: fc.constantFrom('day', 'week', 'month', 'year'),
    split: fc.constantFrom(null, 'segment', 'filter'),
  });

  it(`counts distinct customers in any world and range, and a rebuild changes nothing (seed ${seed})`, async () => {
    const worlds = fc.tuple(
      fc.array(change, { minLength: 5, maxLength: 40 }),
      fc.array(asked, { minLength: 8, maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(worlds, async ([changes, questions]) => {
        server.clock.setMs(NOW_MS);
        projectId = (await session.post('/v2/projects', { name: 'World' })).body.id;
        const countries = new Map<string, string>(people.map((id) => [id, '']));
        const days = new Map<string, Set<string>>(people.map((id) => [id, new Set<string>()]));
        for (const id of people) await addCustomer(id, '');
        await sumDays();
        const check = async ({ start, days: length, resolution, split }: (typeof questions)[number]) => {
          const nowMs = server.clock.nowMs();
          const from = nowMs - start * DAY_MS;
          const to = Math.min(from + length * DAY_MS, nowMs);
          const more =
            split === null
              ? {}
              : split === 'segment'
                ? { segment: 'country' }
                : { filters: [{ name: 'country', values: ['US', ''] }] };
          const answer = await askSeries(server, projectId, 'customers_active', {
            resolution,
            start_date: dayOf(from),
            end_date: dayOf(to),
            ...more,
          });
          const buckets = [...new Set(answer.values.map(({ bucketMs }) => bucketMs))];
          const distinct = (passes: (country: string) => boolean): number[] =>
            buckets.map((bucket, index) => {
              const [first, next] = [dayOf(Math.max(bucket, from)), buckets[index + 1]];
              const last = next === undefined ? dayOf(to) : dayOf(next - DAY_MS);
              return [...days].filter(
                ([id, own]) =>
                  passes(countries.get(id) ?? '') && [...own].some((day) => day >= first && day <= last),
              ).length;
            });
          if (split === 'filter') expect(values(answer)).toEqual(distinct((country) => country !== 'DE'));
          else expect(values(answer)).toEqual(distinct(() => true));
          for (const { id, isTotal } of answer.segments ?? [])
            if (!isTotal) expect(values(answer, id)).toEqual(distinct((country) => country === id));
        };
        for (const [index, step] of changes.entries()) {
          const present = [...days.keys()];
          const who = 'who' in step ? (present[step.who % present.length] ?? '') : '';
          const own = days.get(who) ?? new Set<string>();
          switch (step.do) {
            case 'add':
            case 'remove': {
              const day = dayOf(server.clock.nowMs() - step.ago * DAY_MS);
              if (step.do === 'add') await addDays(who, day);
              else
                await query(
                  'DELETE FROM customer_days WHERE project_id = $1 AND customer_id = $2 AND day = $3',
                  who,
                  day,
                );
              own[step.do === 'add' ? 'add' : 'delete'](day);
              break;
            }
            case 'country':
              await query(
                'UPDATE customers SET first_seen_country = $3 WHERE project_id = $1 AND id = $2',
                who,
                step.to,
              );
              countries.set(who, step.to);
              break;
            case 'merge': {
              const other = present[step.other % present.length] ?? '';
              if (other === who) break;
              await merge(who, other);
              own.forEach((day) => days.get(other)?.add(day));
              // Both were seen first on one day: the one that remains has a country already, even an empty one.
              days.delete(who);
              break;
            }
            case 'erase':
              if (present.length < 3) break;
              await query('DELETE FROM customers WHERE project_id = $1 AND id = $2', who);
              days.delete(who);
              break;
            case 'rollup':
              await rollUp();
              break;
            case 'wait':
              server.clock.advanceMs(step.hours * 60 * MINUTE_MS);
          }
          const question = questions[index % questions.length];
          if (question) await check(question);
        }
        await sumDays();
        for (const question of questions) await check(question);
        const before = await contents();
        await query('UPDATE chart_projects SET active_days_until = NULL WHERE project_id = $1');
        await sumDays();
        expect(await contents()).toEqual(before);
      }),
      { numRuns: 8 },
    );
  });
});
