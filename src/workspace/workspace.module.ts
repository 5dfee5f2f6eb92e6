import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { MembersModule } from './members/members.module.js';
import { ProjectsModule } from './projects/projects.module.js';

/** Dashboard users, their projects and the secret keys of projects. */
@Module({ imports: [AccountsModule, AlertsModule, ApiKeysModule, ProjectsModule, MembersModule] })
export class WorkspaceAreaModule {}
