import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { prepareSnapshot } from '../../customers/customers/customer-info.js';
import { type AttributeRow, type CustomerRow, timeOf } from '../../customers/customers/customer-state.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/customers.service.js';
import { LastSeenRecorder } from '../../customers/customers/last-seen.recorder.js';
import { accountName, StoreAccountsService } from '../../customers/customers/store-accounts.service.js';
import type { StoreUrls } from '../../customers/customers/management-url.js';
import type { PreparedSnapshot } from '../../customers/customers/snapshots.repository.js';
import { Batcher } from '../../platform/database/batcher.js';
import { isConnectionLoss, isPoolExhausted } from '../../platform/database/database-errors.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { owns } from '../../customers/customers/customer-purchases.js';
import { hasAccountOf } from './ownership.service.js';
import { accountsOf, newAccountsOf, PurchaseClaims, type RefusedClaim } from './purchase-claims.service.js';
import { type PostedPurchases, PurchaseRecorder } from './purchase-recorder.js';

/** What the poster owns after the purchases were recorded. */
export interface PosterAnswer {
  /** JSON text of `subscriber` without `last_seen`. */
  subscriber: string;
  storeUrls: StoreUrls | null;
  lastSeenAtMs: number;
  /** As of `CustomerRow`. */
  testClockMs: number | null;
  /** Deleted ones too. */
  attributes: AttributeRow[];
  /** Names of posted attributes that were refused: the customer has too many. */
  tooManyAttributes: string[];
}

interface Item {
  posted: PostedPurchases;
  catalog: Catalog;
}

/** Receipts in one transaction: enough to share its cost, few enough to keep its locks short. */
const MAX_TOGETHER = 24;
/** A customer that somebody else holds for longer than this must not keep the others waiting. */
const LOCK_TIMEOUT_MS = 250;

/**
 * Records what apps post. Receipts that arrive at the same moment share one transaction (locks, one write, one
 * commit) when they do not touch each other; one that needs a decision about ownership, or that was in the
 * transaction of a failure, gets its own. Either way each is durable before it is answered.
 */
@Injectable()
export class PostedPurchasesService {
  private readonly batcher: Batcher<Item, PosterAnswer | null>;

  constructor(
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly claims: PurchaseClaims,
    private readonly accounts: StoreAccountsService,
    private readonly lastSeen: LastSeenRecorder,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.batcher = new Batcher((items, since) => this.together(items, since), {
      maxRunning: 2,
      maxItems: MAX_TOGETHER,
      groupOf: ({ posted: { projectId, store, environment } }) => `${projectId} ${store} ${environment}`,
    });
  }

  /** @throws ApiError 400, code 7102, when a purchase belongs to another customer and stays there */
  async record(posted: PostedPurchases, catalog: Catalog): Promise<PosterAnswer> {
    const since = performance.now();
    return (await this.batcher.submit({ posted, catalog })) ?? this.alone(posted, catalog, since);
  }

  private async alone(posted: PostedPurchases, catalog: Catalog, since: number): Promise<PosterAnswer> {
    const answer = await this.decided(posted, catalog, since);
    if (answer === null) {
      throw new ApiError('parameter', 'The purchase belongs to another customer.', { code: 7102 });
    }
    return answer;
  }

  /** Null when a purchase belongs to another customer and stays there. */
  private decided(posted: PostedPurchases, catalog: Catalog, since: number): Promise<PosterAnswer | null> {
    return this.database.transaction(
      async (tx) => {
        const claimed = await this.claims.claim(tx, posted, catalog, { isSeen: true, attributes: posted });
        if (claimed.kind === 'refused') {
          await this.recordRefused(tx, posted, catalog, claimed);
          return null;
        }
        const { customer: poster, nowMs } = claimed;
        const builder = this.recorder.newChange(catalog, nowMs);
        const own = await asOfTestClock(posted, poster);
        const tooManyAttributes = this.recorder.apply(builder, own, poster, nowMs);
        await this.recorder.applyInstallation(tx, builder, posted, poster);
        const { answers } = await this.recorder.save(tx, posted.projectId, builder, [poster.id], nowMs);
        const applied = { poster, tooManyAttributes };
        return this.answer(tx, { posted, catalog }, applied, answers.get(poster.id), nowMs);
      },
      { retryUniqueViolation: true, since },
    );
  }

  /**
   * Even a refused receipt carries newer store data, and the phone finishes what it bought: what has no owner yet goes
   * to the customer who owns the rest of the store account.
   */
  private async recordRefused(
    tx: Transaction,
    posted: PostedPurchases,
    catalog: Catalog,
    { owners, newOwner, nowMs }: RefusedClaim,
  ): Promise<void> {
    const builder = this.recorder.newChange(catalog, nowMs);
    this.recorder.applyReported(builder, posted, owners, newOwner, nowMs);
    await this.recorder.save(tx, posted.projectId, builder, [], nowMs);
  }

  /** Null for those that need a transaction of their own. */
  private async together(items: Item[], since: number): Promise<(PosterAnswer | null)[]> {
    try {
      return await this.database.transaction((tx) => this.recordAll(tx, items), {
        lockTimeoutMs: LOCK_TIMEOUT_MS,
        since,
      });
    } catch (error) {
      // One connection each would keep a database from coming back.
      if (isConnectionLoss(error) || isPoolExhausted(error)) throw error;
      return items.map(() => null);
    }
  }

  private async recordAll(tx: Transaction, items: Item[]): Promise<(PosterAnswer | null)[]> {
    const catalog = items.map((item) => item.catalog).reduce((a, b) => (a.version >= b.version ? a : b));
    const { projectId, store, environment } = (items[0] as Item).posted;
    const locks = items.map(({ posted }) => ({
      ...posted,
      keys: keysOf(posted),
      accounts: accountsOf(posted),
    }));
    await this.accounts.lock(tx, locks);
    const locked = await this.customers.lock(tx, projectId, {
      appUserIds: items.map(({ posted }) => posted.appUserId),
      purchaseKeys: { store, environment, keys: locks.flatMap(({ keys }) => keys) },
      accounts: locks.flatMap(({ accounts }) => accounts),
    });
    const nowMs = this.clock.nowMs();
    const free = new Set(withoutDecisions(items, locked));
    const newcomers = [...free].map(({ posted }) => posted);
    const created = await this.customers.createMissing(tx, projectId, locked, newcomers, nowMs);
    const rows = [...locked, ...created];
    const builder = this.recorder.newChange(catalog, nowMs);
    const posters = items.map((item) => {
      const poster = free.has(item) && rows.find((row) => hasAppUserId(row, item.posted.appUserId));
      if (!poster || poster.testClockId !== null) return null;
      return { poster, tooManyAttributes: this.recorder.apply(builder, item.posted, poster, nowMs) };
    });
    for (const [index, { posted }] of items.entries()) {
      const applied = posters[index];
      if (applied) await this.recorder.applyInstallation(tx, builder, posted, applied.poster);
    }
    const seen = posters.flatMap((applied) => (applied ? applied.poster.id : []));
    const { answers } = await this.recorder.save(tx, projectId, builder, seen, nowMs);
    const noted = posters.flatMap((applied, index) => {
      if (!applied) return [];
      const { poster } = applied;
      const accounts = newAccountsOf((items[index] as Item).posted, poster);
      return accounts.map((account) => ({ ...account, customerId: poster.id }));
    });
    await this.accounts.note(tx, projectId, noted, nowMs);
    return posters.map((applied, index) => {
      if (!applied) return null;
      const { posted } = items[index] as Item;
      return this.answer(tx, { posted, catalog }, applied, answers.get(applied.poster.id), nowMs);
    });
  }

  /** `written` is the answer that was saved; without one nothing changed. */
  private answer(
    tx: Transaction,
    { posted: { projectId, device }, catalog }: Item,
    { poster, tooManyAttributes }: { poster: CustomerRow; tooManyAttributes: string[] },
    written: PreparedSnapshot | undefined,
    nowMs: number,
  ): PosterAnswer {
    if (device) tx.afterCommit(() => this.lastSeen.seenIn(projectId, poster, nowMs, device));
    const { subscriber, storeUrls } = written ?? prepareSnapshot(poster, catalog, timeOf(poster, nowMs));
    const { testClockMs, attributes } = poster;
    return { subscriber, storeUrls, lastSeenAtMs: nowMs, testClockMs, attributes, tooManyAttributes };
  }
}

function keysOf({ purchases }: PostedPurchases): string[] {
  return purchases.map(({ key }) => key);
}

/**
 * Purchases as of the poster's own time.
 * @throws ApiError 503, so that the SDK keeps the purchase, when the store knows no other time than the real one
 */
async function asOfTestClock(
  posted: PostedPurchases,
  { testClockMs }: CustomerRow,
): Promise<PostedPurchases> {
  if (testClockMs === null || posted.purchases.length === 0) return posted;
  if (posted.atTestClock) return { ...posted, purchases: await posted.atTestClock(testClockMs) };
  throw new ApiError(
    'store_unreachable',
    'The customer lives by a test clock: only the Test Store sells to them.',
    {
      retryAfterS: 3600,
    },
  );
}

/** Items whose purchases and accounts are in no other item before them, and belong to the poster or to nobody. */
function withoutDecisions(items: Item[], locked: CustomerRow[]): Item[] {
  const seen = new Set<string>();
  return items.filter(({ posted }) => {
    const { purchases, appUserId } = posted;
    const accounts = accountsOf(posted);
    const names = [...keysOf(posted), ...accounts.map((account) => `account ${accountName(account)}`)];
    const isRepeated = names.some((name) => seen.has(name));
    for (const name of names) seen.add(name);
    const others = locked.filter((row) => !hasAppUserId(row, appUserId));
    return (
      !isRepeated &&
      !others.some((row) => hasAccountOf(row, accounts) || purchases.some((name) => owns(row, posted, name)))
    );
  });
}
