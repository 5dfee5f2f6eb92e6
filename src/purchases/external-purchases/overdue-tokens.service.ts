import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { ExternalPurchaseToken } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { ExternalPurchaseReportsService } from '../external-reports/external-purchase-reports.service.js';
import type { ExternalPurchaseTokenEntity } from './external-purchase-token.entity.js';
import { ExternalPurchaseTokensRepository } from './external-purchase-tokens.repository.js';
import { newTokenId } from './external-token-content.js';
import { type OverdueToken, OverdueTokensRepository } from './overdue-tokens.repository.js';

const HOUR_MS = 3_600_000;
/** Apple asks for a report ten days after it created a token. */
const REPORT_AFTER_MS = 9 * 24 * HOUR_MS;
const AFTER_EXPIRATION_MS = HOUR_MS;
const AT_ONCE = 100;

/** Every token must be reported to Apple, even one that no purchase used. */
@Injectable()
export class OverdueTokensService {
  constructor(
    private readonly repository: OverdueTokensRepository,
    private readonly tokens: ExternalPurchaseTokensRepository,
    private readonly reports: ExternalPurchaseReportsService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Adds the reports about an app's tokens that no purchase has used in time. */
  async report(projectId: string, appId: string): Promise<void> {
    const nowMs = this.clock.nowMs();
    const createdBefore = new Date(nowMs - REPORT_AFTER_MS);
    const expiredBefore = new Date(nowMs - AFTER_EXPIRATION_MS);
    let found = AT_ONCE;
    while (found === AT_ONCE) {
      found = await this.database.transaction(async (tx) => {
        const times = { createdBefore, expiredBefore };
        const tokens = await this.repository.report(tx, projectId, appId, times, AT_ONCE);
        for (const token of tokens) await this.add(tx, projectId, appId, token, nowMs);
        return tokens.length;
      });
    }
  }

  /**
   * Reports a token that Apple reminds of at once: as empty if no purchase used it, and as unrecognized if it never
   * arrived here. Due reports about its purchases are sent. Safe to repeat.
   */
  async remind(
    { projectId, id: appId }: Pick<App, 'projectId' | 'id'>,
    token: ExternalPurchaseToken,
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    await this.database.transaction(async (tx) => {
      const id = newTokenId();
      const isNew = await this.tokens.insert(tx, unrecognizedToken({ projectId, appId, id }, token, nowMs));
      const { environment, externalPurchaseId } = token;
      if (isNew) {
        const unrecognized = { id, environment, externalPurchaseId };
        const status = 'UNRECOGNIZED_TOKEN';
        await this.reports.addOfToken(tx, projectId, { appId, token: unrecognized, status }, nowMs);
      } else {
        const open = await this.repository.reportOne(tx, projectId, appId, externalPurchaseId);
        if (open) await this.add(tx, projectId, appId, open, nowMs);
      }
      tx.afterCommit(() => this.reports.wake(projectId, { appId, store: 'apple' }));
    });
  }

  private add(
    tx: Transaction,
    projectId: string,
    appId: string,
    { state, ...token }: OverdueToken,
    nowMs: number,
  ): Promise<void> {
    const status = state === 'duplicate' ? 'DUPLICATE_TOKEN' : 'NO_LINE_ITEM';
    return this.reports.addOfToken(tx, projectId, { appId, token, status }, nowMs);
  }
}

function unrecognizedToken(
  place: Pick<ExternalPurchaseTokenEntity, 'projectId' | 'appId' | 'id'>,
  { type, environment, externalPurchaseId, createdAtMs, expiresAtMs }: ExternalPurchaseToken,
  nowMs: number,
): ExternalPurchaseTokenEntity {
  return {
    ...place,
    store: 'apple',
    kind: type,
    environment,
    externalPurchaseId,
    sealedToken: null,
    customerId: null,
    tokenCreatedAt: createdAtMs === null ? null : new Date(createdAtMs),
    tokenExpiresAt: expiresAtMs === null ? null : new Date(expiresAtMs),
    createdAt: new Date(nowMs),
    state: 'unrecognized',
  };
}
