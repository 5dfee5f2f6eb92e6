import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { ReportRollupService } from '../../src/exports/report-rows/report-rollup.service.js';
import { ReportRowsService } from '../../src/exports/report-rows/report-rows.service.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { changeProducts } from '../support/catalog-changes.js';
import { ChartHistory, HISTORY_NOW_MS, type Step, steps } from '../support/charts-histories.js';
import { fullContents, ReportFold } from '../support/report-folds.js';
import { sellOnce } from '../support/sales.js';
import { rollUpReports } from '../support/exports/roll-up-reports.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** The seed is in the name of the test. */
const seed = fc.readConfigureGlobal().seed ?? 0;

describe('report rows of any history', () => {
  let server: TestServer;
  let database: DatabaseService;
  let rows: ReportRowsService;
  let projects = 0;

  beforeAll(async () => {
    server = await startTestServer({
      env: { SERVICE_FX_PROVIDER: 'http', SERVICE_FX_URL: 'http://127.0.0.1:9/' },
    });
    database = server.app.get(DatabaseService);
    rows = server.app.get(ReportRowsService);
  });

  afterAll(() => server.close());

  const query = <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    server.dataSource.query<Row[]>(text, values);

  async function worker(): Promise<void> {
    while (await server.app.get(ReportRollupService, { strict: false }).batch());
  }

  /** Two workers share the work while a consumer reads. */
  async function rollUp(fold: ReportFold): Promise<void> {
    await Promise.all([worker(), worker(), fold.read()]);
    await rollUpReports(server);
  }

  async function enabled(): Promise<{ history: ChartHistory; fold: ReportFold; projectId: string }> {
    server.clock.setMs(HISTORY_NOW_MS);
    const projectId = `projreport${++projects}`;
    const history = await ChartHistory.create(server, projectId);
    await database.transaction((tx) => rows.enable(tx, projectId));
    return { history, fold: new ReportFold(database, projectId), projectId };
  }

  /** Changes that charts do not show. */
  async function decorate(projectId: string, index: number): Promise<void> {
    if (index % 3 === 0) {
      await query(
        `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
         SELECT $1, $2, id, $3, now() FROM customers WHERE project_id = $1 ORDER BY id LIMIT 1`,
        projectId,
        `alias-${index}`,
        index % 2 === 0,
      );
    }
    if (index % 4 === 1) {
      await query(
        `UPDATE customers SET last_seen_country = $2, last_seen_platform = $3, last_seen_at = now()
         WHERE project_id = $1 AND id = (SELECT max(id) FROM customers WHERE project_id = $1)`,
        projectId,
        ['US', 'FR', null][index % 3],
        ['iOS', 'android'][index % 2],
      );
    }
    if (index % 7 === 2) {
      await changeProducts(server, projectId, () =>
        query(
          `UPDATE products SET display_name = $2 WHERE project_id = $1 AND id IN ('monthly', 'pro:base')`,
          projectId,
          `name ${index}`,
        ),
      );
      await query('UPDATE projects SET catalog_version = catalog_version + 1 WHERE id = $1', projectId);
    }
  }

  async function contentsAfterRebuild(projectId: string) {
    for (const table of [
      'report_transactions',
      'report_customers',
      'report_subscriptions',
      'report_deletions',
    ]) {
      await query(`DELETE FROM ${table} WHERE project_id = $1`, projectId);
    }
    expect(await rows.rebuild(projectId)).toBe(true);
    await worker();
    return fullContents(database, projectId);
  }

  const comparable = ({ transactions, customers, subscriptions }: Awaited<ReturnType<typeof fullContents>>) =>
    [transactions, customers, subscriptions].map((contents) =>
      Object.fromEntries([...contents].map(([key, row]) => [key, { ...row, updated_at: null }]).sort()),
    );

  it(`folds incremental reads to what a full read and a rebuild return (seed ${seed})`, async () => {
    const some = steps.map((taken) => taken.filter(({ do: kind }) => kind !== 'wait' && kind !== 'rollup'));
    let found = 0;
    await fc.assert(
      fc.asyncProperty(some, async (taken: Step[]) => {
        const { history, fold, projectId } = await enabled();
        for (const [index, step] of taken.entries()) {
          await history.play([step]);
          await decorate(projectId, index);
          if (index % 3 === 2) await rollUp(fold);
        }
        await rollUp(fold);
        await fold.read();
        const full = await fullContents(database, projectId);
        expect(fold.contents).toEqual(full);
        expect(fold.wrongTimes).toEqual([]);
        const money = await query<object>(
          `SELECT l.id, l.usd, r.usd AS reported FROM (
             SELECT coalesce(subscription_id, purchase_id) AS id, sum(usd_micros)::bigint AS usd,
               bool_or(usd_micros IS NULL) AS "hasUnknown"
             FROM store_transactions WHERE project_id = $1 GROUP BY 1) l
           JOIN (SELECT purchase_id AS id, (sum(price_in_usd) * 1000000)::bigint AS usd FROM report_transactions
             WHERE project_id = $1 GROUP BY 1) r ON r.id = l.id
           WHERE NOT l."hasUnknown" AND l.usd <> r.usd`,
          projectId,
        );
        expect(money).toEqual([]);
        await history.rollUp();
        const days = await query<object>(
          `WITH known AS (
             SELECT coalesce(subscription_id, purchase_id) AS id FROM store_transactions
             WHERE project_id = $1 GROUP BY 1 HAVING bool_and(usd_micros IS NOT NULL))
           SELECT coalesce(f.day, r.day) AS day, f.usd, r.usd AS reported FROM (
             SELECT rate_day AS day, sum(revenue)::bigint AS usd FROM chart_facts
             WHERE project_id = $1 AND environment = 'production' AND purchase_id IN (SELECT id FROM known)
             GROUP BY 1) f
           FULL JOIN (SELECT (start_time AT TIME ZONE 'UTC')::date AS day, (sum(price_in_usd) * 1000000)::bigint AS usd
             FROM report_transactions WHERE project_id = $1 AND NOT is_sandbox AND store <> 'promotional'
               AND ownership_type = 'PURCHASED' AND purchase_id IN (SELECT id FROM known) GROUP BY 1) r ON r.day = f.day
           WHERE coalesce(f.usd, 0) <> coalesce(r.usd, 0)`,
          projectId,
        );
        expect(days).toEqual([]);
        found += full.transactions.size;
        expect(comparable(await contentsAfterRebuild(projectId))).toEqual(comparable(full));
      }),
      { seed, numRuns: 6, endOnFailure: true },
    );
    expect(found).toBeGreaterThan(40);
  });

  it('loses no row while eight writers record purchases and a consumer reads', async () => {
    const { fold, projectId } = await enabled();
    await worker();
    let isOver = false;
    const people = ['ann', 'bob', 'cem', 'dia', 'eve'];
    const writer = async (number: number): Promise<void> => {
      for (let index = 0; index < 12; index++) {
        await sellOnce(server, {
          projectId,
          appId: 'app',
          storeProductId: 'coins',
          customerId: people[(number + index) % people.length] ?? '',
          amountMicros: 990_000,
          atMs: HISTORY_NOW_MS - (number * 100 + index) * 1_000,
        });
      }
    };
    const repeated = async (work: () => Promise<unknown>): Promise<void> => {
      while (!isOver) {
        await work();
        await sleep(5);
      }
    };
    const background = [repeated(worker), repeated(worker), repeated(() => fold.read())];
    await Promise.all(Array.from({ length: 8 }, (_, number) => writer(number)));
    isOver = true;
    await Promise.all(background);
    await worker();
    await fold.read();
    expect(fold.contents.transactions.size).toBe(96);
    expect(fold.contents).toEqual(await fullContents(database, projectId));
  });

  /** Writers that commit late, and a reader that continues after the highest number it saw. Returns the rows it lost. */
  async function lostWith(source: 'counter' | 'sequence'): Promise<number> {
    const { projectId } = await enabled();
    const name = `report_test_${projects}`;
    await query(`CREATE SEQUENCE ${name}`);
    const next =
      source === 'counter'
        ? 'UPDATE report_projects SET seq = seq + 1 WHERE project_id = $1 RETURNING seq'
        : `SELECT nextval('${name}') AS seq FROM projects WHERE id = $1`;
    const writer = async (number: number): Promise<void> => {
      for (let index = 0; index < 15; index++) {
        await server.dataSource.transaction(async (manager) => {
          const answer = (await manager.query(next, [projectId])) as unknown;
          const [{ seq } = { seq: 0 }] = (source === 'counter' ? (answer as [object[]])[0] : answer) as {
            seq: number;
          }[];
          await manager.query(
            `INSERT INTO report_deletions (project_id, seq, dataset, key, deleted_at)
             VALUES ($1, $2, 'customers', $3, now())`,
            [projectId, seq, JSON.stringify({ id: `${number}-${index}` })],
          );
          await sleep((number * 7 + index * 3) % 11);
        });
      }
    };
    const found = new Set<string>();
    let after = 0;
    let isOver = false;
    const read = async (): Promise<void> => {
      const seen = await query<{ seq: string; key: { id: string } }>(
        'SELECT seq, key FROM report_deletions WHERE project_id = $1 AND seq > $2',
        projectId,
        after,
      );
      for (const { seq, key } of seen) {
        found.add(key.id);
        after = Math.max(after, Number(seq));
      }
    };
    const reader = (async () => {
      while (!isOver) await read().then(() => sleep(1));
    })();
    await Promise.all(Array.from({ length: 8 }, (_, number) => writer(number)));
    isOver = true;
    await reader;
    await read();
    return 8 * 15 - found.size;
  }

  it('counts changes so that a reader skips none, unlike a sequence', async () => {
    expect(await lostWith('counter')).toBe(0);
    expect(await lostWith('sequence')).toBeGreaterThan(0);
  });
});
