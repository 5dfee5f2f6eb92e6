import { Injectable } from '@nestjs/common';
import { auditChanges } from '../../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import type { Executor } from '../../../platform/database/database.service.js';
import type { UpdateAuthSettingsDto } from './auth-settings.dto.js';
import type { AuthSettings } from './auth-settings.entity.js';
import { AuthSettingsRepository } from './auth-settings.repository.js';

@Injectable()
export class AuthSettingsService {
  constructor(
    private readonly repository: AuthSettingsRepository,
    private readonly writes: ProjectWritesService,
  ) {}

  async forProject(projectId: string, executor?: Executor): Promise<AuthSettings> {
    const settings = await this.repository.find(projectId, executor);
    return settings ?? { projectId, enabled: false, allowAnonymous: false };
  }

  update(write: ProjectWrite, body: UpdateAuthSettingsDto): Promise<AuthSettings> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const present = await this.repository.lock(tx, projectId);
      const settings = {
        projectId,
        enabled: body.enabled ?? present.enabled,
        allowAnonymous: body.allow_anonymous ?? present.allowAnonymous,
      };
      await this.repository.update(tx, settings);
      await tx.audit({
        action: 'updated',
        target: 'auth_settings',
        targetId: projectId,
        data: auditChanges(present, settings, ['enabled', 'allowAnonymous']),
      });
      return settings;
    });
  }

  /**
   * Whether a provider's sessions (null: anonymous sessions) may be refreshed: sign-in is on, and so is the provider or
   * anonymous sign-in.
   */
  mayContinue(executor: Executor, projectId: string, providerId: string | null): Promise<boolean> {
    return this.repository.mayContinue(executor, projectId, providerId);
  }
}
