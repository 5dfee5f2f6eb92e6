import { Injectable } from '@nestjs/common';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppPublicKeysService } from '../../catalog/apps/app-public-keys.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { CredentialsCheckService } from '../../stores/shared/credentials-check.service.js';

@Injectable()
export class PublicKeyImportsService {
  constructor(
    private readonly keys: AppPublicKeysService,
    private readonly checks: CredentialsCheckService,
    private readonly config: Config,
  ) {}

  /**
   * @throws ApiError like `AppPublicKeysService.replace`; 422 on a shared server if the app's ownership is not proven
   */
  async import(write: ProjectWrite, appId: string, publicKey: string): Promise<App> {
    if (this.config.edition === 'cloud') await this.assertProven(write.projectId, appId);
    return this.keys.replace(write, appId, publicKey);
  }

  /** Only the developer of the bundle ID or package has credentials that the store accepts. */
  private async assertProven(projectId: string, appId: string): Promise<void> {
    const { valid, message } = await this.checks.verify(projectId, appId, {});
    if (valid) return;
    throw new ApiError(
      'impossible',
      `Enter store credentials of the app's bundle ID or package before you import its public key: ${message}`,
    );
  }
}
