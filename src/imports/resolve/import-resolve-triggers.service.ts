import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CREDENTIALS_CHANGED } from '../../catalog/apps/apps.service.js';
import { NotificationListenerService } from '../../platform/database/notification-listener.service.js';
import { CredentialHealthService } from '../../stores/shared/credential-health.service.js';
import { BackgroundQuestionsService } from './background-questions.service.js';

/** Says when an app's store is asked about what an import left open: at once when its credentials may have become valid. */
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
    this.listener.on(CREDENTIALS_CHANGED, (place) => {
      // After a reconnect it is empty: the nightly pass finds what was missed.
      const [projectId, appId] = place.split(' ');
      if (projectId !== undefined && appId !== undefined) void this.background.resolve(projectId, [appId]);
    });
  }
}
