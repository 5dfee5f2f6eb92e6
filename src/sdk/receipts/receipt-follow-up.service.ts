import { Injectable } from '@nestjs/common';
import type { Verified } from '../../../libs/stores/index.js';
import { NotificationInboxService } from '../../stores/notifications/notification-inbox.service.js';
import { StoreRefreshesService } from '../../stores/shared/store-refreshes.service.js';

/** A purchase made in the last minute may not have reached the store's servers. */
const REFRESH_AFTER_MS = 60_000;

/** Work after a receipt is recorded. If it does not complete, the SDK posts the receipt again. */
@Injectable()
export class ReceiptFollowUpService {
  constructor(
    private readonly refreshes: StoreRefreshesService,
    private readonly notifications: NotificationInboxService,
  ) {}

  /** Processes notifications that arrived before the receipt; schedules a refresh for data that the store lacked. */
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
