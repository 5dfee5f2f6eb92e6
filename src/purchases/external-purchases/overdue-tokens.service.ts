import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ExternalPurchaseReportsService } from '../external-reports/external-purchase-reports.service.js';
import { OverdueTokensRepository } from './overdue-tokens.repository.js';

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
        for (const { state, ...token } of tokens) {
          const status = state === 'duplicate' ? 'DUPLICATE_TOKEN' : 'NO_LINE_ITEM';
          await this.reports.addOfToken(tx, projectId, { appId, token, status }, nowMs);
        }
        return tokens.length;
      });
    }
  }
}
