import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { CustomersQueryService } from '../../customers/customers/customers-query.service.js';
import { UnknownProducts } from '../metrics/unknown-products.js';
import { NotificationHealthService } from '../../stores/notifications/notification-health.service.js';
import { NotificationSources } from '../../stores/notifications/notification-sources.js';
import { CredentialHealth } from '../../stores/shared/credential-health.js';
import { TransactionsService } from '../../purchases/transactions/transactions.service.js';
import { WebhookHealthService } from '../../webhooks/webhooks/webhook-health.service.js';
import type { SetupHealth } from './setup-health.presenter.js';

const MAX_SDK_VERSIONS = 100;

/** Whether a project's stores, webhooks, SDKs and currencies are as they should be. */
@Injectable()
export class SetupHealthService {
  constructor(
    private readonly apps: AppsService,
    private readonly webhooks: WebhookHealthService,
    private readonly customers: CustomersQueryService,
    private readonly credentials: CredentialHealth,
    private readonly notifications: NotificationHealthService,
    private readonly transactions: TransactionsService,
    private readonly unknown: UnknownProducts,
    private readonly sources: NotificationSources,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async check(projectId: string): Promise<SetupHealth> {
    const [apps, credentials, notifications, webhooks, sdkVersions, unconverted, unknownProducts] =
      await Promise.all([
        this.apps.all(projectId),
        this.credentials.of(projectId),
        this.notifications.of(projectId),
        this.webhooks.of(projectId),
        this.customers.sdkVersions(projectId, MAX_SDK_VERSIONS),
        this.transactions.unconverted(projectId),
        this.unknown.of(projectId),
      ]);
    const checkedAtMs = this.clock.nowMs();
    const addresses = new Map(apps.map((app) => [app.id, this.sources.addressFor(app)]));
    const stores = { credentials, notifications, addresses };
    return { projectId, checkedAtMs, apps, stores, webhooks, sdkVersions, unconverted, unknownProducts };
  }
}
