import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CREDENTIALS_CHANGED } from '../../catalog/apps/apps.service.js';
import { NotificationListenerService } from '../../platform/database/connections/notification-listener.service.js';
import { CredentialHealthService } from '../../stores/shared/credential-health.service.js';
import { BackgroundQuestionsService } from './background-questions.service.js';

/** Triggers key look-ups for an app as soon as its credentials may have become valid. */
@Injectable()
export class ImportResolveTriggersService implements OnModuleInit {
  constructor(
    private readonly health: CredentialHealthService,
    private readonly listener: NotificationListenerService,
    private readonly background: BackgroundQuestionsService,
  ) {}

  onModuleInit(): void {
    const resolve = ({ projectId, appId }: { projectId: string; appId: string }): Promise<void> =>
      this.background.resolve(projectId, [appId]);
    this.health.onRecovery(resolve);
    this.health.onAcceptance(resolve);
    // If this process ends before it is done, the nightly pass does it.
    this.listener.onOwn(CREDENTIALS_CHANGED, (place) => {
      const [projectId, appId] = place.split(' ');
      if (projectId !== undefined && appId !== undefined) void this.background.resolve(projectId, [appId]);
    });
  }
}
