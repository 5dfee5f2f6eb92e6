import { Injectable } from '@nestjs/common';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { ExternalPurchaseReportsService } from '../../purchases/external-reports/external-purchase-reports.service.js';
import { NotificationHealthService } from '../../stores/notifications/notification-health.service.js';
import { NotificationSourcesService } from '../../stores/notifications/notification-sources.service.js';
import { CredentialHealthService } from '../../stores/shared/credential-health.service.js';
import { RefundRequestsService } from '../../stores/refund-requests/refund-requests.service.js';
import type { SetupHealth } from './setup-health.presenter.js';

@Injectable()
export class StoreSetupService {
  constructor(
    private readonly apps: AppsService,
    private readonly credentials: CredentialHealthService,
    private readonly notifications: NotificationHealthService,
    private readonly sources: NotificationSourcesService,
    private readonly reports: ExternalPurchaseReportsService,
    private readonly refundRequests: RefundRequestsService,
  ) {}

  async forProject(
    projectId: string,
    nowMs: number,
  ): Promise<{ apps: App[]; stores: SetupHealth['stores'] }> {
    const [apps, credentials, notifications, refusedReports, waitingReports, refusedAnswers] =
      await Promise.all([
        this.apps.all(projectId),
        this.credentials.forProject(projectId),
        this.notifications.forProject(projectId),
        this.reports.lastRefusals(projectId),
        this.reports.waiting(projectId, nowMs),
        this.refundRequests.refusalsOf(projectId),
      ]);
    const addresses = new Map(apps.map((app) => [app.id, this.sources.addressFor(app)]));
    return {
      apps,
      stores: { credentials, notifications, addresses, refusedReports, waitingReports, refusedAnswers },
    };
  }
}
