import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { DiscoveryService } from '../oidc/discovery.service.js';
import type { UpdateSsoConnectionDto } from './sso-connection.dto.js';
import type { ConnectionRules } from './sso-connection.policy.js';

/** Rules for the identity providers' addresses that this server accepts. */
@Injectable()
export class SsoConnectionRulesService implements ConnectionRules {
  constructor(
    private readonly config: Config,
    private readonly discovery: DiscoveryService,
  ) {}

  get isHosted(): boolean {
    return this.config.edition === 'cloud';
  }

  /**
   * Resolves DNS names, so call it outside a transaction.
   * @throws ApiError 400 for an issuer that this server would not call
   */
  async assertCallable({ oidc }: UpdateSsoConnectionDto): Promise<void> {
    if (oidc?.issuer !== undefined) await this.discovery.assertCallable(oidc.issuer, 'oidc.issuer');
  }
}
