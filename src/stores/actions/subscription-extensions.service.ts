import { Inject, Injectable } from '@nestjs/common';
import {
  type SubscriptionFacts,
  deriveState,
  type Environment,
  isSamePeriod,
  noSubscriptionFacts,
  type PeriodFact,
  type Register,
  type Store,
} from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { SubscriptionRow } from '../../customers/customers/identity/customer-state.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import { assertKeyKnown } from './known-key.js';
import { StoreConnectionsService } from '../shared/store-connections.service.js';
import { StoreRefreshesService } from '../shared/store-refreshes.service.js';

export interface ExtensionOptions {
  /** Moves the end by whole days, or to a time (epoch ms). */
  by: { days: number } | { untilMs: number };
  /** 0 undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage; null if not given. */
  reasonCode: number | null;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

function lengthOf({ by }: ExtensionOptions, endMs: number): number {
  if ('days' in by) return by.days * DAY_MS;
  if (by.untilMs <= endMs) {
    throw ApiError.parameter('extend_until_ms', 'The new end must be later than the current one.');
  }
  return by.untilMs - endMs;
}

@Injectable()
export class SubscriptionExtensionsService {
  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly refreshes: StoreRefreshesService,
    private readonly reported: ReportedPurchasesService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Records the new end at once, with the actor who requested it. The store's own notification changes nothing
   * afterwards.
   * @throws ApiError 422 if the store has no extensions, the subscription is over, or the store refuses; 503 if the
   * store cannot be reached
   */
  async extend(write: ProjectWrite, row: SubscriptionRow, options: ExtensionOptions): Promise<void> {
    const found = await this.connections.forApp(write.projectId, row.appId);
    if (!found?.connection.extend) {
      throw new ApiError(
        'impossible',
        `Subscriptions of ${row.store} cannot be extended through this server.`,
      );
    }
    assertKeyKnown(row);
    const { givesAccess, accessEndsAtMs, ownership } = deriveState(
      row.facts as SubscriptionFacts,
      this.clock.nowMs(),
    );
    if (ownership === 'assigned') throw new ApiError('impossible', 'assigned seats cannot be extended');
    if (!givesAccess || accessEndsAtMs === null) {
      throw new ApiError('impossible', 'The subscription has expired, or never ends.');
    }
    const byMs = lengthOf(options, accessEndsAtMs);
    const endMs = await found.connection.extend(found.app, {
      environment: row.environment as Environment,
      key: row.storeKey,
      byMs,
      days: Math.ceil(byMs / DAY_MS),
      reasonCode: options.reasonCode,
    });
    await this.record(write, row, endMs);
  }

  private async record(
    write: ProjectWrite,
    { id, appId, store, environment, storeKey: key, facts }: SubscriptionRow,
    endMs: number,
  ): Promise<void> {
    const atMs = this.clock.nowMs();
    const { periods } = facts as SubscriptionFacts;
    const place = {
      projectId: write.projectId,
      appId: appId as string,
      environment: environment as Environment,
    };
    const entry = { action: 'extended', target: 'subscription', targetId: id } as const;
    const [latest] = Object.entries(periods).sort(([, a], [, b]) => b.value.startMs - a.value.startMs);
    if (!latest) {
      // All periods come from an import: the store names them differently and reports the new end.
      await this.writes.run(write, (tx) => tx.audit(entry));
      await this.refreshes.request(place, [key]);
      return;
    }
    const extended = ({ value: period }: Register<PeriodFact>): Register<PeriodFact> => ({
      at: atMs,
      src: 'api',
      value: { ...period, endMs },
    });
    // Several transactions can have paid for the period.
    const isMoved = (one: Register<PeriodFact>): boolean =>
      one === latest[1] || (latest[1].value.isPartOfPeriod === true && isSamePeriod(one, latest[1]));
    const together = Object.entries(periods).filter(([, one]) => isMoved(one));
    const moved = Object.fromEntries(together.map(([periodKey, one]) => [periodKey, extended(one)]));
    const observation = { atMs, facts: { ...noSubscriptionFacts, periods: moved } };
    const reported = {
      ...place,
      store: store as Store,
      purchases: [{ kind: 'subscription', key, firstPostStands: false, observation } as const],
    };
    await this.reported.record(reported, { kind: 'none' }, (tx) =>
      this.writes.within(tx, write).audit(entry),
    );
    // The store may have moved add-ons too.
    await this.refreshes.request(reported, [key], MINUTE_MS);
  }
}
