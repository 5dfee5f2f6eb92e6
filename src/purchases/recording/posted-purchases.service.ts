import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { prepareSnapshot } from '../../customers/customers/customer-info/customer-info.js';
import {
  type AttributeRow,
  type CustomerRow,
  timeOf,
} from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { LastSeenRecorder } from '../../customers/customers/last-seen/last-seen.recorder.js';
import type { StoreUrls } from '../../customers/customers/customer-info/management-url.js';
import type { PreparedSnapshot } from '../../customers/customers/customer-info/snapshots.repository.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { SharedTransactions } from '../../platform/database/shared-transactions.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { applyAttributes, applyOwned, applyReported } from './apply-purchases.js';
import type { ChangeBuilder } from './change-builder.js';
import type { PostedPurchases } from './posted-purchases.js';
import {
  type ClaimedPurchases,
  PurchaseClaims,
  type RefusedClaim,
} from '../ownership/purchase-claims.service.js';
import { PurchaseMovesService } from './purchase-moves.service.js';
import { PurchaseRecorder } from './purchase.recorder.js';

export interface PosterAnswer {
  /** JSON text of `subscriber` without `last_seen`. */
  subscriber: string;
  storeUrls: StoreUrls | null;
  lastSeenAtMs: number;
  /** See `CustomerRow`. */
  testClockMs: number | null;
  /** Includes deleted attributes. */
  attributes: AttributeRow[];
  tooManyAttributes: string[];
}

interface Item {
  posted: PostedPurchases;
  catalog: Catalog;
}

interface Applied {
  poster: CustomerRow;
  tooManyAttributes: string[];
}

/**
 * Records purchases posted by apps: locks and decides the owner, applies the engine, saves. Receipts that arrive
 * together share one transaction if they have nothing in common. A receipt that needs a decision about its owner, or
 * whose shared transaction failed, gets its own. Either way, each receipt is durable before it is answered.
 */
@Injectable()
export class PostedPurchasesService {
  private readonly shared: SharedTransactions<Item, PosterAnswer>;

  constructor(
    private readonly claims: PurchaseClaims,
    private readonly recorder: PurchaseRecorder,
    private readonly moves: PurchaseMovesService,
    private readonly customers: CustomersService,
    private readonly lastSeen: LastSeenRecorder,
    private readonly database: DatabaseService,
  ) {
    this.shared = new SharedTransactions(
      database,
      (tx, items) => this.recordAll(tx, items),
      ({ posted: { projectId, store, environment } }) => `${projectId} ${store} ${environment}`,
    );
  }

  /** @throws ApiError 400, code 7102, if a purchase belongs to another customer and may not move */
  async record(posted: PostedPurchases, catalog: Catalog): Promise<PosterAnswer> {
    const since = performance.now();
    return (await this.shared.submit({ posted, catalog })) ?? this.recordAlone(posted, catalog, since);
  }

  private async recordAlone(posted: PostedPurchases, catalog: Catalog, since: number): Promise<PosterAnswer> {
    const answer = await this.database.transaction((tx) => this.recordOne(tx, { posted, catalog }), {
      retryUniqueViolation: true,
      since,
    });
    if (answer === null) {
      throw new ApiError('parameter', 'The purchase belongs to another customer.', { code: 7102 });
    }
    return answer;
  }

  /** Null if a purchase belongs to another customer and may not move. */
  private async recordOne(tx: Transaction, item: Item): Promise<PosterAnswer | null> {
    const { posted, catalog } = item;
    const claimed = await this.claims.claim(tx, posted, catalog);
    if (claimed.kind === 'refused') {
      await this.recordRefused(tx, item, claimed);
      return null;
    }
    const { customer: poster, nowMs } = claimed;
    const own = await asOfTestClock(posted, poster);
    const scope = { catalog, nowMs, seenCustomerIds: [poster.id] };
    const { result, answers } = await this.recorder.record(tx, scope, (change) =>
      this.apply(tx, change, own, poster, nowMs, claimed),
    );
    return this.answer(tx, item, result, answers.get(poster.id), nowMs);
  }

  /** Null for receipts that need a separate transaction. */
  private async recordAll(tx: Transaction, items: Item[]): Promise<(PosterAnswer | null)[]> {
    const catalog = items.map((item) => item.catalog).reduce((a, b) => (a.version >= b.version ? a : b));
    const { posters, nowMs } = await this.claims.claimFree(
      tx,
      items.map(({ posted }) => posted),
      catalog,
    );
    const seenCustomerIds = posters.flatMap((poster) => poster?.id ?? []);
    const scope = { catalog, nowMs, seenCustomerIds };
    const { result, answers } = await this.recorder.record(tx, scope, async (change) => {
      const all: (Applied | null)[] = [];
      for (const [index, { posted }] of items.entries()) {
        const poster = posters[index];
        all.push(poster ? await this.apply(tx, change, posted, poster, nowMs) : null);
      }
      return all;
    });
    return items.map(({ posted }, index) => {
      const applied = result[index];
      if (!applied) return null;
      return this.answer(tx, { posted, catalog }, applied, answers.get(applied.poster.id), nowMs);
    });
  }

  private async apply(
    tx: Transaction,
    change: ChangeBuilder,
    posted: PostedPurchases,
    poster: CustomerRow,
    nowMs: number,
    claimed?: ClaimedPurchases,
  ): Promise<Applied> {
    // Attributes first, so that the purchase events include them.
    const tooManyAttributes = applyAttributes(change, posted, poster, nowMs);
    if (claimed) await this.moves.moveClaimed(tx, change, claimed);
    applyOwned(change, posted, poster, nowMs, claimed?.others);
    const { projectId, installation } = posted;
    if (installation && (await this.customers.recordInstallation(tx, projectId, poster, installation))) {
      change.touch(poster);
    }
    return { poster, tooManyAttributes };
  }

  /**
   * Even a refused receipt contains newer store data, and the device finishes the transaction. Purchases without an
   * owner therefore go to the owner of the rest of the store account.
   */
  private async recordRefused(
    tx: Transaction,
    { posted, catalog }: Item,
    { owners, accountOwner, nowMs }: RefusedClaim,
  ): Promise<void> {
    await this.recorder.record(tx, { catalog, nowMs }, (change) =>
      applyReported(change, posted, owners, accountOwner, nowMs),
    );
  }

  /** `written` is the saved answer; undefined if nothing changed. */
  private answer(
    tx: Transaction,
    { posted: { projectId, device }, catalog }: Item,
    { poster, tooManyAttributes }: Applied,
    written: PreparedSnapshot | undefined,
    nowMs: number,
  ): PosterAnswer {
    if (device) tx.afterCommit(() => this.lastSeen.recordContactOf(projectId, poster, nowMs, device));
    const { subscriber, storeUrls } = written ?? prepareSnapshot(poster, catalog, timeOf(poster, nowMs));
    const { testClockMs, attributes } = poster;
    return { subscriber, storeUrls, lastSeenAtMs: nowMs, testClockMs, attributes, tooManyAttributes };
  }
}

/** @throws ApiError 503, so that the SDK retries the purchase, if the store supports only real time */
async function asOfTestClock(
  posted: PostedPurchases,
  { testClockMs }: CustomerRow,
): Promise<PostedPurchases> {
  if (testClockMs === null || posted.purchases.length === 0) return posted;
  if (posted.atTestClock) return { ...posted, purchases: await posted.atTestClock(testClockMs) };
  throw new ApiError(
    'store_unreachable',
    'The customer is attached to a test clock and can have only Test Store purchases.',
    {
      retryAfterS: 3600,
    },
  );
}
