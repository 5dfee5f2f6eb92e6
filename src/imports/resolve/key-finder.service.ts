import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Verified } from '../../../libs/stores/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import { SubscriptionKeysService } from '../../purchases/recording/subscription-keys.service.js';
import { StoreRefreshesService } from '../../stores/shared/store-refreshes.service.js';
import type { AskedApp } from './asked-app.js';
import {
  type UnkeyedSubscription,
  UnkeyedSubscriptionsRepository,
} from './unkeyed-subscriptions.repository.js';

/** The order id of the latest known payment of a Google Play subscription. */
function orderOf({ storeIdentifiers, storeKey }: UnkeyedSubscription): string {
  const numberOf = (id: string): number => Number(/\.\.(\d+)$/.exec(id)?.[1] ?? -1);
  const orders = storeIdentifiers.filter((id) => id.startsWith('GPA.'));
  return (
    orders.toSorted((a, b) => numberOf(b) - numberOf(a))[0] ?? storeKey.replace(/^needs_token_refresh:/, '')
  );
}

/** Asks the store for the keys of imported subscriptions and records the answers. */
@Injectable()
export class KeyFinderService {
  constructor(
    private readonly subscriptions: UnkeyedSubscriptionsRepository,
    private readonly reported: ReportedPurchasesService,
    private readonly keys: SubscriptionKeysService,
    private readonly refreshes: StoreRefreshesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns whether the store answered for any of the batch. The next batch contains none of those. */
  async find(asked: AskedApp, batch: UnkeyedSubscription[]): Promise<boolean> {
    const waiting = batch.filter(({ keyState }) => keyState === 'token_needed');
    const guessed = batch.filter(({ keyState }) => keyState === 'guessed');
    const answered = [
      ...(await this.findTokens(asked, waiting)),
      ...(await this.confirmGuesses(asked, guessed)),
    ];
    await this.recordMisses(asked, answered);
    return answered.length > 0;
  }

  private async findTokens(asked: AskedApp, waiting: UnkeyedSubscription[]): Promise<UnkeyedSubscription[]> {
    const { keys, unknown } = await asked.keysOfOrders(waiting.map(orderOf));
    const isUnknown = new Set(unknown);
    const answered = waiting.filter((row) => isUnknown.has(orderOf(row)));
    // Save this now, so that the orders are not asked again if the process dies.
    await this.recordMisses(asked, answered);
    for (const row of waiting) {
      const token = keys.get(orderOf(row));
      if (token !== undefined && (await this.recordToken(asked, row, token))) answered.push(row);
    }
    return answered;
  }

  /**
   * Records the current state of an open subscription; one that is over only gets its key. Returns false if the store
   * was not asked.
   */
  private async recordToken(asked: AskedApp, row: UnkeyedSubscription, token: string): Promise<boolean> {
    const answer = row.isOver ? null : await asked.lookUp({ id: token }, row.environment);
    if (answer?.kind === 'not_asked') return false;
    if (answer?.kind === 'found') await this.record(asked, row, answer.verified);
    await this.keys.confirm({ ...this.placeOf(asked, row), importedKey: row.storeKey, storeKey: token });
    return true;
  }

  private async confirmGuesses(
    asked: AskedApp,
    guessed: UnkeyedSubscription[],
  ): Promise<UnkeyedSubscription[]> {
    const answered: UnkeyedSubscription[] = [];
    for (const row of guessed) {
      const answer = await asked.identify(row.storeIdentifiers.at(-1) ?? row.storeKey, row.environment);
      if (answer.kind === 'not_asked') break;
      if (answer.kind === 'found') await this.record(asked, row, answer.verified);
      answered.push(row);
    }
    return answered;
  }

  private async record(asked: AskedApp, row: UnkeyedSubscription, verified: Verified): Promise<void> {
    const { environment, purchases } = verified;
    const [purchase] = purchases;
    if (environment !== row.environment || purchase?.kind !== 'subscription') return;
    const place = { ...this.placeOf(asked, row), purchases };
    await this.reported.record(place, { kind: 'owner_of', key: row.storeKey });
    if (!row.isOver && (row.keyState === 'guessed' || (verified.unfinished?.length ?? 0) > 0))
      await this.refreshes.request(place, [purchase.key]);
  }

  private placeOf({ app, store }: AskedApp, { environment }: UnkeyedSubscription) {
    return { projectId: app.projectId, appId: app.id, store, environment };
  }

  private recordMisses({ app }: AskedApp, rows: UnkeyedSubscription[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    return this.subscriptions.recordMisses(null, app.projectId, ids, this.clock.nowMs());
  }
}
