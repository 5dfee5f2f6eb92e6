import fc from 'fast-check';
import { ProjectAlert } from '../../src/workspace/alerts/project-alert.entity.js';
import { ExperimentResultsJob } from '../../src/insights/experiment-results/experiment-results.job.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { sellOnce, sellSubscription, type SoldPeriod } from '../support/sales.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const day = (name: string, hour = '10'): number => Date.parse(`2026-${name}T${hour}:00:00Z`);
const NOW_MS = Date.parse('2026-04-15T00:00:00Z');
const usd = (amount: number): number => amount * 1_000_000;

interface World {
  projectId: string;
  path: string;
  client: ApiClient;
  key: string;
  appId: string;
  products: Record<string, string>;
  offerings: string[];
}

describe('results of experiments', () => {
  let server: TestServer;
  let world: World;
  let count = 0;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    server.clock.setMs(NOW_MS);
    world = await createWorld();
  });
  beforeEach(() => server.clock.setMs(NOW_MS));
  afterAll(() => server.close());

  async function createWorld(): Promise<World> {
    const { session, projectId } = await signUp(server);
    const { client, key } = await createSecretKey(session, projectId);
    const path = `/v2/projects/${projectId}`;
    const app = await client.post(`${path}/apps`, {
      name: 'App',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.app' },
    });
    const products: Record<string, string> = {};
    for (const [name, type, duration] of [
      ['m10', 'subscription', 'P1M'],
      ['y60', 'subscription', 'P1Y'],
      ['coins2', 'consumable', undefined],
      ['elsewhere', 'subscription', 'P1M'],
    ] as const) {
      const made = await client.post(`${path}/products`, {
        store_identifier: name,
        app_id: app.body.id,
        type,
        display_name: name,
        ...(duration === undefined ? {} : { subscription: { duration } }),
      });
      products[name] = made.body.id;
    }
    const offerings: string[] = [];
    for (const name of ['control', 'treatment']) {
      const offering = await client.post(`${path}/offerings`, { lookup_key: name, display_name: name });
      offerings.push(offering.body.id);
      for (const product of ['m10', 'y60', 'coins2']) {
        const made = await client.post(`${path}/offerings/${offering.body.id}/packages`, {
          lookup_key: product,
          display_name: product,
        });
        await client.post(`${path}/packages/${made.body.id}/actions/attach_products`, {
          products: [{ product_id: products[product], eligibility_criteria: 'all' }],
        });
      }
    }
    return { projectId, path, client, key, appId: app.body.id, products, offerings };
  }

  /** Runs since 1 March. */
  async function startExperiment(): Promise<string> {
    server.clock.setMs(day('03-01', '00'));
    const { client, path, offerings } = world;
    const made = await client.post(`${path}/experiments`, {
      display_name: 'Longer trial',
      offering_a_id: offerings[0],
      offering_b_id: offerings[1],
    });
    await client.post(`${path}/experiments/${made.body.id}/actions/start`);
    server.clock.setMs(NOW_MS);
    return made.body.id;
  }

  interface Joined {
    variant: 'a' | 'b';
    atMs?: number;
    platform?: string;
    country?: string;
    isSandbox?: boolean;
    merged?: boolean;
    superseded?: boolean;
  }

  /** A customer who joined, as requests for offerings record it. Returns the id. */
  async function join(experimentId: string, joined: Joined): Promise<string> {
    const id = `person-${++count}`;
    const atMs = joined.atMs ?? day('03-01');
    const { projectId } = world;
    await server.dataSource.query(
      `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at)
       VALUES ($1, $2, $2, $3, $3)`,
      [projectId, id, new Date(atMs)],
    );
    await server.dataSource.query(
      'INSERT INTO customer_aliases (project_id, app_user_id, customer_id, created_at, is_anonymous) VALUES ($1, $2, $2, $3, false)',
      [projectId, id, new Date(atMs)],
    );
    await server.dataSource.query(
      `INSERT INTO experiment_enrollments (project_id, customer_id, experiment_id, variant, enrolled_at, app_user_id,
         platform, country, is_sandbox, merged, superseded_at)
       VALUES ($1, $2, $3, $4, $5, $2, $6, $7, $8, $9, $10)`,
      [
        projectId,
        id,
        experimentId,
        joined.variant,
        new Date(atMs),
        joined.platform ?? null,
        joined.country ?? null,
        joined.isSandbox ?? false,
        joined.merged ?? false,
        joined.superseded ? new Date(NOW_MS) : null,
      ],
    );
    return id;
  }

  function periods(days: string[], amount: number, kinds: SoldPeriod['kind'][] = []): SoldPeriod[] {
    return days.slice(0, -1).map((name, index) => ({
      startMs: day(name),
      endMs: day(days[index + 1] ?? name),
      kind: kinds[index] ?? 'normal',
      amountMicros: kinds[index] === 'trial' ? 0 : usd(amount),
    }));
  }

  const sell = (customerId: string, sold: Partial<Parameters<typeof sellSubscription>[1]>) =>
    sellSubscription(server, {
      projectId: world.projectId,
      appId: world.appId,
      storeProductId: 'm10',
      periods: [],
      customerId,
      ...sold,
    });

  const results = async (id: string, query = ''): Promise<Json> =>
    (await world.client.get(`${world.path}/experiments/${id}/results${query}`)).body;

  /** Values of a metric by variant, of the total or another segment. */
  function values(answer: Json, name: string, segment = 'Total'): unknown[] {
    for (const { metrics, segments, values: list } of answer.sections) {
      const metric = metrics.findIndex((one: Json) => one.name === name);
      if (metric < 0) continue;
      const place = segments.findIndex((one: Json) => one.display_name === segment);
      return list
        .filter((one: Json) => one.metric === metric && one.segment === place)
        .map((one: Json) => one.value);
    }
    throw new Error(`no metric ${name}`);
  }

  describe('of the reference world', () => {
    let id: string;

    beforeAll(async () => {
      id = await startExperiment();
      for (const happens of await reference(id)) await happens();
    });

    /** Lets the customers of the reference world join. Returns what they do then. */
    async function reference(id: string): Promise<(() => Promise<unknown>)[]> {
      const at = (name: string) => day(name, '09');
      const [a1, a2] = [
        await join(id, { variant: 'a', atMs: at('03-01'), platform: 'ios', country: 'US' }),
        await join(id, { variant: 'a', atMs: at('03-01'), platform: 'ios', country: 'DE' }),
      ];
      await join(id, { variant: 'a', atMs: at('03-02'), platform: 'android', country: 'US' });
      await join(id, { variant: 'a', atMs: at('03-02'), platform: 'android' });
      const a5 = await join(id, { variant: 'a', atMs: at('03-05'), platform: 'ios', country: 'US' });
      const b1 = await join(id, { variant: 'b', atMs: at('03-01'), platform: 'ios', country: 'US' });
      const b2 = await join(id, { variant: 'b', atMs: at('03-02'), platform: 'ios', country: 'US' });
      await join(id, { variant: 'b', atMs: at('03-03'), platform: 'android', country: 'US' });
      const b4 = await join(id, { variant: 'b', atMs: at('03-04'), platform: 'android', country: 'DE' });
      await join(id, { variant: 'b', atMs: at('03-05') });

      return [
        () => sell(a1, { periods: periods(['03-02', '04-02', '05-02'], 10) }),
        () => sell(a2, { periods: periods(['03-03', '03-10'], 10, ['trial']), isCancelled: true }),
        () =>
          sellOnce(server, {
            projectId: world.projectId,
            appId: world.appId,
            storeProductId: 'coins2',
            atMs: day('03-06'),
            amountMicros: usd(2),
            refundAtMs: day('03-08'),
            customerId: a5,
          }),
        () => sell(b1, { periods: periods(['03-01', '03-08', '04-08', '05-08'], 10, ['trial']) }),
        () =>
          sell(b2, {
            storeProductId: 'y60',
            periods: [
              { startMs: day('03-04'), endMs: Date.parse('2027-03-04T10:00:00Z'), amountMicros: usd(60) },
            ],
          }),
        () => sell(b4, { periods: periods(['03-05', '04-05'], 10), isCancelled: true }),
      ];
    }

    it('stays the same in whatever order it happens, with figures computed at any time between', async () => {
      const { sections, statistics } = await results(id);
      const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 });
      await fc.assert(
        fc.asyncProperty(order, fc.nat({ max: 5 }), async (places, computedAfter) => {
          server.clock.setMs(NOW_MS);
          const other = await startExperiment();
          const happens = await reference(other);
          for (const [index, place] of places.entries()) {
            await happens[place]?.();
            if (index === computedAfter) await results(other);
          }
          // Older than 15 minutes: the job computes them anew.
          server.clock.setMs(NOW_MS + 16 * 60_000);
          for (let time = 0; time < 2; time++) {
            await results(other);
            await server.app.get(ExperimentResultsJob, { strict: false }).run();
            expect(await results(other)).toMatchObject({ sections, statistics });
          }
        }),
        { numRuns: 3 },
      );
    });

    it.each([
      ['customers', [5, 5]],
      ['initial_conversions', [3, 3]],
      ['initial_conversion_rate', [60, 60]],
      ['trials_started', [1, 1]],
      ['trials_completed', [1, 1]],
      ['trials_converted', [0, 1]],
      ['trial_conversion_rate', [0, 100]],
      ['paid_customers', [2, 3]],
      ['conversion_to_paying', [40, 60]],
      ['active_subscribers', [1, 2]],
      ['active_subscribers_set_to_renew', [1, 2]],
      ['churned_subscribers', [0, 1]],
      ['refunded_customers', [1, 0]],
      ['realized_ltv_revenue', [20, 90]],
      ['realized_ltv_per_customer', [4, 18]],
      ['realized_ltv_per_paying_customer', [10, 30]],
      ['total_mrr', [10, 15]],
      ['mrr_per_customer', [2, 3]],
      ['mrr_per_paying_customer', [5, 5]],
    ])('matches for %s', async (name, expected) => {
      expect(values(await results(id), name)).toEqual(expected);
    });

    it('matches by product, with the variant as the whole', async () => {
      const answer = await results(id);
      const [{ segments }] = answer.sections;
      expect(segments.map((one: Json) => one.display_name)).toEqual(['Total', 'coins2', 'm10', 'y60']);
      expect(values(answer, 'realized_ltv_revenue', 'm10')).toEqual([20, 30]);
      expect(values(answer, 'realized_ltv_revenue', 'y60')).toEqual([0, 60]);
      expect(values(answer, 'paid_customers', 'coins2')).toEqual([1, 0]);
      expect(values(answer, 'conversion_to_paying', 'y60')).toEqual([0, 20]);
    });

    it('narrows them by what was recorded when customers joined', async () => {
      expect(values(await results(id, '?platform=ios'), 'customers')).toEqual([3, 2]);
      expect(values(await results(id, '?platform=ios,android&country=DE'), 'paid_customers')).toEqual([0, 1]);
      expect(values(await results(id, '?country=FR'), 'customers')).toEqual([0, 0]);
      expect(values(await results(id, '?country=FR'), 'conversion_to_paying')).toEqual([null, null]);
    });

    it('hides chances that so few customers would not support', async () => {
      const { statistics, checks } = await results(id);
      const rate = statistics.find((one: Json) => one.metric_name === 'conversion_to_paying');
      expect(
        rate.variants.map((one: Json) => [one.name, one.chance_to_win, one.chance_to_win_status]),
      ).toEqual([
        ['Control', null, 'not_applicable'],
        ['Treatment', null, 'insufficient_data'],
      ]);
      expect(checks).toEqual({
        sample_ratio_mismatch: false,
        p_value: 1,
        contaminated: 0,
        recommended_min_customers: expect.any(Number),
        enough_data: false,
        warnings: [],
      });
    });

    it('converts them at the newest rate', async () => {
      const answer = await results(id, '?currency=EUR');
      const [before, after] = values(answer, 'realized_ltv_revenue') as [number, number];
      expect(answer.currency).toBe('EUR');
      expect(before).not.toBe(20);
      expect(after / before).toBeCloseTo(4.5, 1);
    });

    it('returns them as a CSV file, too', async () => {
      const answer = await fetch(`${server.baseUrl}${world.path}/experiments/${id}/results?format=csv`, {
        headers: { authorization: `Bearer ${world.key}` },
      });
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const lines = (await answer.text()).trimEnd().split('\r\n');
      expect(lines[0]).toMatch(/^section,metric,unit,segment,variant,value,change_percent,chance_to_win,/);
      expect(lines).toContain('Paid customers,conversion_to_paying,%,Total,Treatment,60,50,,,,,');
      expect(lines).toContain('Revenue,total_mrr,USD,y60,Treatment,5,,,,,,');
    });
  });

  it('leaves out what the experiment did not cause', async () => {
    const id = await startExperiment();
    const atMs = day('03-10');
    const early = await join(id, { variant: 'a', atMs });
    await sell(early, { periods: periods(['03-09', '04-09', '05-09'], 10) });
    const clockAhead = await join(id, { variant: 'a', atMs });
    const ahead = atMs - 59_000;
    await sell(clockAhead, { periods: [{ startMs: ahead, endMs: day('04-10'), amountMicros: usd(10) }] });
    const family = await join(id, { variant: 'b', atMs });
    await sell(family, { periods: periods(['03-11', '04-11'], 10), ownership: 'family_shared' });
    const granted = await join(id, { variant: 'b', atMs });
    await sell(granted, { periods: periods(['03-11', '04-11'], 10), store: 'promotional' });
    const tester = await join(id, { variant: 'b', atMs, isSandbox: true });
    await sell(tester, { periods: periods(['03-11', '04-11'], 10), environment: 'sandbox' });
    const twice = await join(id, { variant: 'b', atMs, merged: true });
    await sell(twice, { periods: periods(['03-11', '04-11'], 10) });
    const elsewhere = await join(id, { variant: 'b', atMs, superseded: true });
    await sell(elsewhere, { periods: periods(['03-11', '04-11'], 10) });
    const other = await join(id, { variant: 'b', atMs });
    await sell(other, { storeProductId: 'elsewhere', periods: periods(['03-11', '04-11'], 7) });

    const answer = await results(id);
    expect(values(answer, 'customers')).toEqual([2, 3]);
    expect(values(answer, 'realized_ltv_revenue')).toEqual([10, 7]);
    expect(values(answer, 'realized_ltv_revenue', 'Other')).toEqual([0, 7]);
    expect(answer.checks.contaminated).toBe(1);
    const sandbox = await results(id, '?environment=sandbox');
    expect(values(sandbox, 'customers')).toEqual([2, 4]);
    expect(values(sandbox, 'realized_ltv_revenue')).toEqual([0, 10]);
  });

  it('counts a purchase for the customer who made it', async () => {
    const id = await startExperiment();
    const giver = await join(id, { variant: 'a' });
    const taker = await join(id, { variant: 'b' });
    await sell(giver, { periods: periods(['03-05', '04-05', '05-05'], 10) });
    const moved = await world.client.post(`${world.path}/customers/${giver}/actions/transfer`, {
      target_customer_id: taker,
    });
    expect(moved.status).toBe(200);
    const answer = await results(id);
    expect(values(answer, 'paid_customers')).toEqual([1, 0]);
    expect(values(answer, 'realized_ltv_revenue')).toEqual([20, 0]);
    expect(values(answer, 'active_subscribers_set_to_renew')).toEqual([1, 0]);
  });

  it('counts renewals for 400 days after the end, and nothing that started after it', async () => {
    const id = await startExperiment();
    const loyal = await join(id, { variant: 'a' });
    const late = await join(id, { variant: 'b' });
    await world.client.post(`${world.path}/experiments/${id}/actions/stop`);
    await sell(loyal, { periods: periods(['03-05', '04-05', '05-05'], 10) });
    await sell(late, { periods: periods(['04-16', '05-16'], 10) });
    server.clock.setMs(day('05-06'));
    expect(values(await results(id), 'realized_ltv_revenue')).toEqual([20, 0]);
  });

  it('computes them every hour, and on a request for figures older than 15 minutes', async () => {
    const id = await startExperiment();
    const buyer = await join(id, { variant: 'a' });
    expect(values(await results(id), 'paid_customers')).toEqual([0, 0]);
    await sell(buyer, { periods: periods(['03-05', '04-05', '05-05'], 10) });
    const job = server.app.get(ExperimentResultsJob, { strict: false });
    server.clock.setMs(NOW_MS + 14 * 60_000);
    await results(id);
    await job.run();
    expect(values(await results(id), 'paid_customers')).toEqual([0, 0]);
    server.clock.setMs(NOW_MS + 16 * 60_000);
    const old = await results(id);
    expect([values(old, 'paid_customers'), old.last_updated_at]).toEqual([[0, 0], NOW_MS]);
    await job.run();
    expect((await results(id)).last_updated_at).toBe(NOW_MS + 16 * 60_000);
    expect(values(await results(id), 'paid_customers')).toEqual([1, 0]);
    server.clock.setMs(NOW_MS + 77 * 60_000);
    await job.run();
    expect((await results(id)).last_updated_at).toBe(NOW_MS + 77 * 60_000);
  });

  it('warns of shares that are not chance, and mails about them once a week', async () => {
    const id = await startExperiment();
    const many = async (variant: 'a' | 'b', number: number): Promise<void> => {
      await server.dataSource.query(
        `INSERT INTO experiment_enrollments (project_id, customer_id, experiment_id, variant, enrolled_at, app_user_id, is_sandbox)
         SELECT $1, $3 || n, $2, $3, $4, $3 || n, false FROM generate_series(1, $5::int) n`,
        [world.projectId, id, variant, new Date(day('03-02')), number],
      );
    };
    await many('a', 300);
    await many('b', 200);
    const job = server.app.get(ExperimentResultsJob, { strict: false });
    await job.run();
    const { checks } = await results(id);
    expect(checks.sample_ratio_mismatch).toBe(true);
    expect(checks.warnings).toEqual([
      { code: 'sample_ratio_mismatch', variant: null, message: expect.stringContaining('weights') },
    ]);
    const alert = () =>
      server.dataSource
        .getRepository(ProjectAlert)
        .findOneByOrFail({ projectId: world.projectId, cause: 'experiment_warning', subjectId: id });
    expect((await alert()).problemMailedAt).toEqual(new Date(NOW_MS));
    // An app for which no variant has anything to buy: the next mail says so, too.
    const app = await world.client.post(`${world.path}/apps`, { name: 'Empty', type: 'test_store' });
    const weekMs = 7 * 24 * 3_600_000;
    server.clock.setMs(NOW_MS + weekMs - 1);
    await job.run();
    expect((await alert()).problemMailedAt).toEqual(new Date(NOW_MS));
    expect((await alert()).details.message).toContain(
      `Variant b has no package for the app ${app.body.name}.`,
    );
    server.clock.setMs(NOW_MS + weekMs + 3_600_000);
    await job.run();
    expect((await alert()).problemMailedAt).toEqual(new Date(NOW_MS + weekMs + 3_600_000));
    await world.client.delete(`${world.path}/apps/${app.body.id}`);
    await world.client.post(`${world.path}/experiments/${id}/actions/stop`);
    server.clock.setMs(NOW_MS + weekMs + 2 * 3_600_000);
    await job.run();
    expect((await alert()).resolvedAt).not.toBeNull();
  });

  it('refuses unanswerable requests', async () => {
    const { client, path, offerings } = world;
    const draft = await client.post(`${path}/experiments`, {
      display_name: 'Draft',
      offering_a_id: offerings[0],
      offering_b_id: offerings[1],
    });
    expect((await client.get(`${path}/experiments/${draft.body.id}/results`)).status).toBe(409);
    expect((await client.get(`${path}/experiments/prexp0000000000/results`)).status).toBe(404);
    const id = await startExperiment();
    for (const [query, param] of [
      ['exposure_status=exposed', 'exposure_status'],
      ['currency=XXX', 'currency'],
      ['environment=staging', 'environment'],
      ['format=xml', 'format'],
      ['platform[]=ios', 'platform'],
    ]) {
      const answer = await client.get(`${path}/experiments/${id}/results?${query}`);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    }
    const stranger = await createWorld();
    expect((await stranger.client.get(`${path}/experiments/${id}/results`)).status).toBe(404);
    expect((await stranger.client.get(`${stranger.path}/experiments/${id}/results`)).status).toBe(404);
  });
});
