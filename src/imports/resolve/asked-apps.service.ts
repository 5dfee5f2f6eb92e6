import { Injectable } from '@nestjs/common';
import type { App } from '../../catalog/apps/app.entity.js';
import { CredentialHealthService } from '../../stores/shared/credential-health.service.js';
import { StoreBudgetsService } from '../../stores/shared/store-budgets.service.js';
import { StoreConnectionsService } from '../../stores/shared/store-connections.service.js';
import { AskedApp } from './asked-app.js';

@Injectable()
export class AskedAppsService {
  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly budgets: StoreBudgetsService,
    private readonly health: CredentialHealthService,
  ) {}

  /** Returns an app whose store can be called, or a sentence that explains why it cannot. */
  open(app: App): AskedApp | string {
    const connection = this.connections.forType(app.type);
    const adapter = this.connections.adapterFor(app);
    if (!connection || !adapter) return `this server does not ask ${app.type} about purchases`;
    if (Object.keys(app.sealedCredentials).length === 0) return 'the app has no credentials of its store';
    if (app.credentialsRefused === true) return "the store refuses the app's credentials";
    const { projectId, id: appId } = app;
    return new AskedApp(app, adapter, {
      takeFromBudget: (environment) => this.budgets.reserve(connection, { projectId, appId, environment }),
      recordHealth: (answer) => this.health.recordResult(app, adapter.store, answer),
    });
  }
}
