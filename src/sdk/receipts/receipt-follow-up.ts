import { Injectable } from '@nestjs/common';
import type { Verified } from '../../../libs/stores/index.js';
import { NotificationInboxService } from '../../stores/notifications/notification-inbox.service.js';
import { StoreRefreshes } from '../../stores/shared/store-refreshes.js';

/** What was bought this minute may not have reached the servers of the store. */
const REFRESH_AFTER_MS = 60_000;

/** What a recorded receipt asks for beside its purchases. It is posted again when this was not reached. */
@Injectable()
export class ReceiptFollowUp {
  constructor(
    private readonly refreshes: StoreRefreshes,
    private readonly notifications: NotificationInboxService,
  ) {}

  /**
   * Has notifications processed that came before the receipt, and the store asked for what it could not tell yet.
   */
  async run(
    projectId: string,
    appId: string,
    { environment, purchases, unfinished = [] }: Verified,
  ): Promise<void> {
    const keys = purchases.map(({ key }) => key);
    await this.notifications.purchasesKnown(projectId, appId, keys);
    if (unfinished.length === 0) return;
    await this.refreshes.request({ projectId, appId, environment }, unfinished, REFRESH_AFTER_MS);
  }
}
