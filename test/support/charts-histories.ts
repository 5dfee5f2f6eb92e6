import fc from 'fast-check';
import type { Clock } from '../../libs/kernel/index.js';
import { CustomerMergeRepository } from '../../src/customers/customers/identity/customer-merge.repository.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { CLOCK } from '../../src/platform/config/clock.token.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { addCustomer } from './charts-world.js';
import {
  sellOnce,
  sellSubscription,
  type SoldOnce,
  type SoldPeriod,
  type SoldSubscription,
} from './sales.js';
import { changeProducts, publishCatalogChange } from './catalog-changes.js';
import type { TestServer } from './test-server.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Where every history ends, but for its own waiting. */
export const HISTORY_NOW_MS = Date.parse('2026-05-10T12:00:00Z');

/** Lengths of the products, by name; the catalog does not know the one of `week`, nor anything of `unknown`. */
const durations = { monthly: 'P1M', yearly: 'P1Y', weekly: 'P1W', week: null, 'pro:base': 'P1M' };
const people = ['ann', 'bob', 'cem', 'dia', 'eve'];
/** Attributes that every history chooses for its charts. */
export const historyAttributes = ['$attConsentStatus', 'team'];

export type Sale =
  | { subscription: Omit<SoldSubscription, 'projectId' | 'appId'> }
  | { once: Omit<SoldOnce, 'projectId' | 'appId'> };
export type Step =
  | { do: 'sell'; sale: Sale; who: number }
  | {
      do: 'refund';
      which: number;
      kind: 'full' | 'partial' | 'prorated';
      hours: number;
      isReversed: boolean;
      isUnknown: boolean;
    }
  | { do: 'renew'; which: number; product: string; gap: number }
  | { do: 'replace' | 'cancel'; which: number }
  | { do: 'move' | 'merge'; which: number; who: number }
  | { do: 'erase'; who: number }
  | { do: 'attribute'; who: number; name: string; value: string | null }
  | { do: 'choose'; names: readonly string[] }
  | { do: 'duration'; product: string; duration: string }
  | {
      do: 'view';
      who: number;
      which: number;
      minutes: number;
      paywall: string;
      initiated: number | null;
      environment: string;
    }
  | { do: 'rollup' }
  | { do: 'wait'; hours: number };
export type Sold = Sale & { id: string; customerId: string };

const product = fc.constantFrom('monthly', 'yearly', 'weekly', 'week', 'unknown');
const amount = fc.oneof(fc.integer({ min: 1, max: 100_000_000 }), fc.constantFrom(9_990_000, 0, null));
const gap = fc.constantFrom(0, 0, 0, -30, 1, 50, 400);
const which = fc.nat(20);
const seldom = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );

const subscriptionSale = fc
  .record({
    environment: seldom<'production' | 'sandbox'>('production', 'sandbox'),
    currency: fc.constantFrom('USD', 'EUR', 'JPY', 'XXX'),
    store: fc.constantFrom(
      'app_store' as const,
      'app_store' as const,
      'play_store' as const,
      'stripe' as const,
    ),
    ownership: seldom<'purchased' | 'family_shared'>('purchased', 'family_shared'),
    isGrant: seldom(false, false, false, true),
    storeProductId: product,
    country: fc.constantFrom(null, null, 'US', 'FR'),
    commissionBps: fc.constantFrom(0, 1_500, 3_000),
    taxBps: fc.constantFrom(0, 0, 1_900),
    offering: fc.constantFrom(undefined, 'main'),
    start: fc.integer({ min: -150 * 24, max: 24 }),
    periods: fc.array(fc.record({ amountMicros: amount, product, gap, days: fc.constantFrom(7, 30, 31) }), {
      minLength: 1,
      maxLength: 5,
    }),
    first: fc.constantFrom('normal' as const, 'trial' as const, 'intro' as const, 'prepaid' as const),
    graceHours: fc.option(fc.integer({ min: 1, max: 200 })),
    isCancelled: fc.boolean(),
    isPaused: seldom(false, true),
    changesProduct: fc.boolean(),
    hasPlan: seldom(false, true),
    imported: seldom(0, 1, 2),
  })
  .map((made): Sale => {
    const {
      start,
      periods,
      first,
      graceHours,
      changesProduct,
      currency,
      hasPlan,
      imported,
      isGrant,
      ...sale
    } = made;
    let startMs = HISTORY_NOW_MS + start * HOUR_MS;
    const sold: SoldPeriod[] = [];
    for (const [index, period] of periods.entries()) {
      // Stores charge at most a day ahead.
      if (index > 0 && startMs > HISTORY_NOW_MS + DAY_MS) break;
      const endMs = startMs + period.days * DAY_MS;
      const kind = index === 0 ? first : 'normal';
      const one: SoldPeriod = { startMs, endMs, kind, currency, amountMicros: period.amountMicros };
      // Some charges pay for less than a whole period.
      const isProrated = kind === 'normal' && period.amountMicros !== null && period.amountMicros % 4 === 1;
      if (isProrated) one.wholeMicros = 120_000_000;
      if (changesProduct && !hasPlan) one.storeProductId = period.product;
      sold.push(one);
      startMs = endMs + period.gap * HOUR_MS;
    }
    const graceUntilMs = (sold.at(-1)?.endMs ?? 0) + (graceHours ?? 0) * HOUR_MS;
    return {
      subscription: {
        ...sale,
        ...(hasPlan ? { storeProductId: 'pro', planId: 'base', store: 'play_store' as const } : {}),
        ...(isGrant ? { store: 'promotional' as const } : {}),
        importedPeriods: imported,
        periods: sold,
        ...(graceHours === null ? {} : { graceUntilMs, isCancelled: false, isPaused: false }),
      },
    };
  });

const oneTimeSale = fc
  .record({
    start: fc.integer({ min: -150 * 24, max: 0 }),
    amountMicros: amount,
    environment: seldom<'production' | 'sandbox'>('production', 'sandbox'),
    currency: fc.constantFrom('USD', 'EUR', 'JPY'),
    store: fc.constantFrom('app_store' as const, 'play_store' as const, 'stripe' as const),
    commissionBps: fc.constantFrom(0, 3_000),
  })
  .map(({ start, ...sale }): Sale => ({
    once: { ...sale, storeProductId: 'coins', atMs: HISTORY_NOW_MS + start * HOUR_MS },
  }));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('sell' as const), who: which, sale: subscriptionSale }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sell' as const), who: which, sale: oneTimeSale }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      which,
      kind: fc.constantFrom('full' as const, 'partial' as const, 'prorated' as const),
      hours: fc.integer({ min: 0, max: 900 }),
      isReversed: fc.boolean(),
      isUnknown: seldom(false, true),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('renew' as const), which, product, gap }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('replace' as const, 'cancel' as const), which }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('move' as const, 'merge' as const), which, who: which }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), who: which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('duration' as const),
      product: fc.constantFrom('monthly', 'week', 'weekly'),
      duration: fc.constantFrom('P1M', 'P3M'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('attribute' as const),
      who: which,
      name: fc.constantFrom('team', 'team', '$attConsentStatus', '$mediaSource', 'unused'),
      value: fc.constantFrom('red', 'blue', 'denied', 'ads', 'Other', null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('choose' as const),
      names: fc.constantFrom(['unused'], ['team'], []),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'rollup' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }),
  },
);

export const steps = fc.noBias(fc.array(step, { minLength: 15, maxLength: 35, size: 'max' }));

const view = fc.record({
  do: fc.constant('view' as const),
  who: which,
  which,
  // Mostly before a period, which may be a renewal.
  minutes: fc.oneof(
    fc.integer({ min: -100 * 60, max: 300 }),
    fc.constantFrom(4, 5, 6, -72 * 60, -96 * 60, -200 * 60),
  ),
  paywall: fc.constantFrom('pwa', 'pwb', 'pwc', ''),
  initiated: fc.option(fc.integer({ min: 0, max: 120 * 60 })),
  environment: seldom('production', 'sandbox'),
});

/** The same with views of paywalls between them. */
export const stepsWithViews = fc
  .tuple(steps, fc.noBias(fc.array(view, { minLength: 8, maxLength: 20, size: 'max' })))
  .map(([taken, views]) =>
    views.reduce((all, one) => all.toSpliced(Math.floor((one.who / 21) * all.length), 0, one), taken),
  );

/** One project whose purchases happen step by step. */
export class ChartHistory {
  readonly sold: Sold[] = [];
  private present = [...people];

  private constructor(
    private readonly server: TestServer,
    readonly projectId: string,
  ) {}

  static async create(server: TestServer, projectId: string): Promise<ChartHistory> {
    const { dataSource } = server;
    const weekStart = projectId.length % 2 === 0 ? 'monday' : 'sunday';
    await dataSource.query(
      `INSERT INTO projects (id, name, week_starts_on, chart_attributes, created_at) VALUES ($1, $1, $2, $3, now())`,
      [projectId, weekStart, historyAttributes],
    );
    await dataSource.query(
      `INSERT INTO apps (project_id, id, type, name, public_key, custom_url_scheme, created_at)
       VALUES ($1, 'app', 'app_store', 'App', $1, $1, now())`,
      [projectId],
    );
    await dataSource.query("INSERT INTO project_anchors VALUES ($1, ''), ($1, 'app')", [projectId]);
    for (const [name, duration] of Object.entries(durations)) {
      await dataSource.query(
        `INSERT INTO products (project_id, id, app_id, store_identifier, type, duration, created_at)
         VALUES ($1, $2, 'app', $2, 'subscription', $3, now())`,
        [projectId, name, duration],
      );
    }
    for (const [index, id] of people.entries()) {
      const country = ['US', 'DE', null][index % 3] ?? null;
      await addCustomer(server, projectId, { id, seenMs: HISTORY_NOW_MS - index * 23 * DAY_MS, country });
      await dataSource.query(
        `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
         VALUES ($1, $2, $2, false, now())`,
        [projectId, id],
      );
      await dataSource.query(
        `INSERT INTO customer_days (project_id, customer_id, day)
         SELECT $1, $2, $3::date - n * $4 FROM generate_series(0, 20) AS n`,
        [projectId, id, '2026-05-10', index + 1],
      );
    }
    await dataSource.query(
      `UPDATE customers SET first_seen_platform = CASE WHEN id < 'c' THEN 'iOS' WHEN id < 'e' THEN 'Android' END
       WHERE project_id = $1`,
      [projectId],
    );
    return new ChartHistory(server, projectId);
  }

  /** Records a sale, or what is new of it. */
  async sell(sale: Sale & { id?: string; customerId: string }): Promise<string> {
    const { id, customerId } = sale;
    const place = {
      projectId: this.projectId,
      appId: 'app',
      customerId,
      ...(id === undefined ? {} : { id }),
    };
    return 'subscription' in sale
      ? sellSubscription(this.server, { ...place, ...sale.subscription })
      : sellOnce(this.server, { ...place, ...sale.once });
  }

  addCustomer(id: string, seenMs: number): Promise<void> {
    return addCustomer(this.server, this.projectId, { id, seenMs, country: 'US' });
  }

  rollUp(): Promise<void> {
    return this.server.app.get(ChartsRollupJob).run();
  }

  async erase(who: string): Promise<void> {
    for (const table of ['subscriptions', 'one_time_purchases', 'store_transactions']) {
      await this.query(`DELETE FROM ${table} WHERE project_id = $1 AND customer_id = $2`, who);
    }
    await this.query('DELETE FROM customer_aliases WHERE project_id = $1 AND customer_id = $2', who);
    await this.query('DELETE FROM customers WHERE project_id = $1 AND id = $2', who);
    this.present = this.present.filter((name) => name !== who);
    this.sold.splice(0, this.sold.length, ...this.sold.filter(({ customerId }) => customerId !== who));
  }

  async setAttribute(who: string, name: string, value: string | null): Promise<void> {
    await this.query(
      `INSERT INTO customer_attributes (project_id, customer_id, name, value, updated_at_ms, source, set_at)
       VALUES ($1, $2, $3, $4, $5, 'api', now())
       ON CONFLICT (project_id, customer_id, name) DO UPDATE SET value = excluded.value, updated_at_ms = $5`,
      who,
      name,
      value,
      this.server.clock.nowMs(),
    );
  }

  async choose(names: readonly string[]): Promise<void> {
    await this.query('UPDATE projects SET chart_attributes = $2 WHERE id = $1', names);
    await publishCatalogChange(this.server, this.projectId, { kind: 'chart_attributes' });
  }

  /** An event says that an app user id saw a paywall, and perhaps started a purchase. */
  async view(
    appUserId: string,
    view: { environment?: string; paywall: string; atMs: number; initiatedAtMs?: number | null },
  ): Promise<void> {
    const { environment = 'production', paywall, atMs, initiatedAtMs = null } = view;
    await this.query(
      `INSERT INTO paywall_views AS v (project_id, environment, app_user_id, paywall_id, first_at, initiated_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (project_id, environment, app_user_id, paywall_id) DO UPDATE SET
         first_at = least(v.first_at, excluded.first_at), initiated_at = least(v.initiated_at, excluded.initiated_at)`,
      environment,
      appUserId,
      paywall,
      new Date(atMs),
      initiatedAtMs === null ? null : new Date(initiatedAtMs),
    );
  }

  async play(all: readonly Step[]): Promise<void> {
    for (const taken of structuredClone(all)) await this.take(taken);
  }

  private query(sql: string, ...values: unknown[]): Promise<unknown> {
    return this.server.dataSource.query(sql, [this.projectId, ...values]);
  }

  private async own(id: string, customerId: string): Promise<void> {
    for (const [table, column] of [
      ['subscriptions', 'id'],
      ['one_time_purchases', 'id'],
      ['store_transactions', 'coalesce(subscription_id, purchase_id)'],
    ]) {
      const sql = `UPDATE ${table} SET customer_id = $3 WHERE project_id = $1 AND ${column} = $2`;
      await this.query(sql, id, customerId);
    }
  }

  private async take(taken: Step): Promise<void> {
    const who = 'who' in taken ? this.present[taken.who % this.present.length] : undefined;
    const target = 'which' in taken ? this.sold[taken.which % Math.max(1, this.sold.length)] : undefined;
    switch (taken.do) {
      case 'sell': {
        if (who === undefined) return;
        const made = { ...taken.sale, customerId: who };
        this.sold.push({ ...made, id: await this.sell(made) });
        return;
      }
      case 'view': {
        const periods = target && 'subscription' in target ? target.subscription.periods : [];
        const period = periods[taken.who % periods.length];
        const bought = target && 'once' in target ? target.once.atMs : period?.startMs;
        const atMs = (bought ?? HISTORY_NOW_MS - 3 * DAY_MS) + taken.minutes * MINUTE_MS;
        const initiatedAtMs = taken.initiated === null ? null : atMs + taken.initiated * MINUTE_MS;
        const appUserId = target?.customerId ?? people[taken.who % people.length] ?? '';
        return this.view(appUserId, { ...taken, atMs, initiatedAtMs });
      }
      case 'rollup':
        return this.rollUp();
      case 'wait':
        this.server.clock.advanceMs(taken.hours * HOUR_MS);
        return;
      case 'duration':
        await changeProducts(this.server, this.projectId, () =>
          this.query(
            'UPDATE products SET duration = $3 WHERE project_id = $1 AND id = $2',
            taken.product,
            taken.duration,
          ),
        );
        await this.query('UPDATE projects SET catalog_version = catalog_version + 1 WHERE id = $1');
        return this.rollUp();
      case 'attribute':
        if (who !== undefined) await this.setAttribute(who, taken.name, taken.value);
        return;
      case 'choose':
        // Others for a while.
        for (const names of [taken.names, historyAttributes]) {
          await this.choose(names);
          await this.rollUp();
        }
        return;
      case 'erase':
        if (who !== undefined && this.present.length > 2) await this.erase(who);
        return;
      case 'move':
        if (!target || who === undefined) return;
        await this.own(target.id, who);
        target.customerId = who;
        return;
      case 'merge':
        if (target && who !== undefined) await this.merge(target.customerId, who);
        return;
      case 'refund':
      case 'renew':
      case 'replace':
      case 'cancel':
        if (target && this.change(target, taken)) await this.sell(target);
    }
  }

  private async merge(gone: string, who: string): Promise<void> {
    if (gone === who) return;
    const { app } = this.server;
    await app
      .get(DatabaseService)
      .transaction((tx) =>
        app
          .get(CustomerMergeRepository, { strict: false })
          .merge(tx, this.projectId, gone, who, new Date(app.get<Clock>(CLOCK).nowMs())),
      );
    this.present = this.present.filter((name) => name !== gone);
    for (const sale of this.sold) if (sale.customerId === gone) sale.customerId = who;
  }

  /** Returns whether anything changed. */
  private change(
    target: Sold,
    taken: Extract<Step, { do: 'refund' | 'renew' | 'replace' | 'cancel' }>,
  ): boolean {
    if ('once' in target) {
      if (taken.do !== 'refund') return false;
      target.once.refundAtMs = Math.min(target.once.atMs + taken.hours * HOUR_MS, HISTORY_NOW_MS);
      return true;
    }
    const { subscription } = target;
    const { periods, ownership } = subscription;
    const last = periods.at(-1);
    if (!last || last.endMs === null) return false;
    switch (taken.do) {
      case 'cancel':
        if (subscription.graceUntilMs !== undefined) return false;
        subscription.isCancelled = true;
        return true;
      case 'replace': {
        // By the next sale of the same customer, if there is one.
        const later = this.sold.find(
          (other) => other !== target && 'subscription' in other && other.customerId === target.customerId,
        );
        subscription.replacedAtMs = last.startMs + 2 * DAY_MS;
        if (later) subscription.replacedBy = later.id;
        return true;
      }
      case 'renew': {
        const startMs = last.endMs + taken.gap * HOUR_MS;
        if (periods.length > 6 || startMs > HISTORY_NOW_MS + DAY_MS) return false;
        periods.push({
          ...last,
          refund: undefined,
          laterRefund: undefined,
          wholeMicros: undefined,
          reversedAtMs: undefined,
          kind: 'normal',
          amountMicros: 9_990_000,
          startMs,
          endMs: startMs + 30 * DAY_MS,
          ...(subscription.planId === undefined ? { storeProductId: taken.product } : {}),
        });
        return true;
      }
      case 'refund': {
        const period = periods[taken.which % periods.length];
        if (!period || period.refund || period.amountMicros === null || period.kind === 'trial') return false;
        if (ownership === 'family_shared' || period.amountMicros === 0) return false;
        const part = taken.kind === 'full' ? 1 : 0.5;
        // Nothing goes back in the future.
        const atMs = Math.min(period.startMs + taken.hours * HOUR_MS, HISTORY_NOW_MS);
        if (atMs < period.startMs) return false;
        const amountMicros = Math.round(period.amountMicros * part);
        period.refund = { kind: taken.kind, atMs, amountMicros: taken.isUnknown ? null : amountMicros };
        // Some amounts are reported later, with a date that may be earlier.
        if (taken.isUnknown && taken.hours % 2 === 1) {
          const knownAtMs = Math.max(period.startMs, atMs + ((taken.hours % 61) - 20) * HOUR_MS);
          period.laterRefund = { atMs: Math.min(knownAtMs, HISTORY_NOW_MS), amountMicros };
        }
        if (taken.isReversed) period.reversedAtMs = atMs + DAY_MS;
        return true;
      }
    }
  }
}

export async function playHistory(
  server: TestServer,
  projectId: string,
  taken: readonly Step[],
): Promise<ChartHistory> {
  const history = await ChartHistory.create(server, projectId);
  await history.play(taken);
  return history;
}

export const chartTables = [
  'chart_facts',
  'chart_days',
  'chart_customers',
  'chart_buyers',
  'chart_payers',
  'chart_runs',
  'chart_cohort_counts',
  'chart_cohort_money',
  'chart_cohort_days',
  'chart_cohort_sums',
];

/** Everything that is stored for the charts of a project. */
export async function chartContents(
  { dataSource }: TestServer,
  projectId: string,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of chartTables) {
    const rows = await dataSource.query<{ row: string }[]>(
      `SELECT (to_jsonb(t) - 'project_id')::text AS row FROM ${table} t WHERE project_id = $1 ORDER BY 1`,
      [projectId],
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}
