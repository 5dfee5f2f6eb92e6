import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { serviceAccountText } from '../../catalog/apps/store-object.fields.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { CredentialHealthService } from './credential-health.service.js';
import type { CredentialsCheckDto, VerifyCredentialsDto } from './credentials-check.dto.js';
import { StoreConnectionsService } from './store-connections.service.js';

/** Converts the given values to text, by field. Null or missing values mean the saved ones. */
function textOf(body: VerifyCredentialsDto): Record<string, string> {
  const entries = Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const text = typeof value === 'string' ? value : serviceAccountText(value);
    return text === null ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}

@Injectable()
export class CredentialsCheckService {
  constructor(
    private readonly apps: AppsService,
    private readonly connections: StoreConnectionsService,
    private readonly health: CredentialHealthService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 404; 422 for a store without a check */
  async verify(projectId: string, appId: string, body: VerifyCredentialsDto): Promise<CredentialsCheckDto> {
    const app = await this.apps.get(projectId, appId);
    const connection = this.connections.forType(app.type);
    if (!connection?.verifyCredentials) {
      throw new ApiError('impossible', `This server cannot check credentials of ${app.type}.`);
    }
    const given = textOf(body);
    const verdict = await connection.verifyCredentials(app, given);
    const isOfSaved = Object.keys(given).length === 0;
    if (isOfSaved && verdict.status === 'valid') await this.health.accepted(projectId, appId);
    return {
      object: 'credentials_check',
      app_id: app.id,
      store: app.type,
      status: verdict.status,
      valid: verdict.status === 'valid',
      message: verdict.message,
      checked_at: this.clock.nowMs(),
      key_id: verdict.keyId,
      client_email: verdict.clientEmail,
    };
  }
}
