import { Injectable } from '@nestjs/common';
import { newId } from '../../../../libs/kernel/index.js';
import { auditChanges, type PlainField } from '../../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import { Config } from '../../../platform/config/config.js';
import { violatedUnique } from '../../../platform/database/database-errors.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { OutboundUrlRefused } from '../../../platform/outbound/outbound-errors.js';
import { AuthIdentitiesService } from '../identities/auth-identities.service.js';
import { KeySetClient } from '../id-tokens/key-set.client.js';
import type { CreateAuthProviderDto, UpdateAuthProviderDto } from './auth-provider.dto.js';
import type { AuthProvider } from './auth-provider.entity.js';
import {
  changesKeySource,
  newProviderSettings,
  type ProviderSettings,
  providerSettingsAfter,
} from './auth-provider.policy.js';
import { AuthProvidersRepository } from './auth-providers.repository.js';

const MAX_PROVIDERS = 10;

/** Fields whose values are audited. */
const recordedFields: PlainField<AuthProvider>[] = [
  'name',
  'issuer',
  'audiences',
  'firebaseProjectId',
  'jwksUrl',
  'appUserIdClaim',
  'appUserIdPrefix',
  'enabled',
];

@Injectable()
export class AuthProvidersService {
  constructor(
    private readonly repository: AuthProvidersRepository,
    private readonly identities: AuthIdentitiesService,
    private readonly keys: KeySetClient,
    private readonly writes: ProjectWritesService,
    private readonly config: Config,
  ) {}

  /** @throws ApiError 400 naming the field, 422 if the project already has ten providers */
  async create(write: ProjectWrite, body: CreateAuthProviderDto): Promise<AuthProvider> {
    const { projectId } = write;
    const settings = newProviderSettings(body, this.isHosted);
    await this.assertCallable(null, settings);
    return this.writes.run(
      write,
      async (tx) => {
        await this.repository.lockProject(tx, projectId);
        if ((await this.repository.count(tx, projectId)) >= MAX_PROVIDERS) {
          throw new ApiError('impossible', `A project has at most ${MAX_PROVIDERS} providers.`);
        }
        const nowMs = tx.nowMs();
        const now = new Date(nowMs);
        const id = newId('authProvider', nowMs);
        const provider = { projectId, id, ...settings, createdAt: now, updatedAt: now };
        await orIssuerInUse(this.repository.insert(tx, provider), provider);
        await tx.audit({ action: 'created', target: 'auth_provider', targetId: id });
        return provider;
      },
      { retryUniqueViolation: true },
    );
  }

  /** The kind is permanent. @throws ApiError 404, 400 naming the field */
  async update(write: ProjectWrite, id: string, body: UpdateAuthProviderDto): Promise<AuthProvider> {
    const { projectId } = write;
    const before = await this.get(projectId, id);
    await this.assertCallable(before, providerSettingsAfter(before, body, this.isHosted));
    return this.writes.run(write, async (tx) => {
      const present = await this.repository.lock(tx, projectId, id);
      if (!present) throw missing(id);
      const settings = { ...present, ...providerSettingsAfter(present, body, this.isHosted) };
      const data = auditChanges(present, settings, recordedFields);
      const provider =
        data.changed_fields.length > 0 ? { ...settings, updatedAt: new Date(tx.nowMs()) } : present;
      await orIssuerInUse(this.repository.update(tx, provider), provider);
      await tx.audit({ action: 'updated', target: 'auth_provider', targetId: id, data });
      return provider;
    });
  }

  /**
   * Signs out the provider's customers, who keep their app user ids and purchases. Returns the time (epoch ms).
   * @throws ApiError 404
   */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      if (!(await this.repository.lock(tx, projectId, id))) throw missing(id);
      const identities = await this.identities.deleteOfProvider(tx, projectId, id);
      await this.repository.delete(tx, projectId, id);
      await tx.audit({ action: 'deleted', target: 'auth_provider', targetId: id, data: { identities } });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<AuthProvider> {
    const provider = await this.repository.find(projectId, id);
    if (!provider) throw missing(id);
    return provider;
  }

  /** Up to `limit + 1`, oldest first. @throws ApiError 400 if `page.after` is not a provider of the project */
  page(projectId: string, page: PageRequest): Promise<AuthProvider[]> {
    return this.repository.page(projectId, page);
  }

  private get isHosted(): boolean {
    return this.config.edition === 'cloud';
  }

  /** Resolves host names, so it must not run within a transaction. */
  private async assertCallable(before: ProviderSettings | null, settings: ProviderSettings): Promise<void> {
    if (!changesKeySource(before, settings)) return;
    const { issuer, jwksUrl } = settings;
    try {
      await this.keys.checkUrl(jwksUrl ?? issuer);
    } catch (error) {
      if (!(error instanceof OutboundUrlRefused)) throw error;
      throw ApiError.parameter(jwksUrl === null ? 'issuer' : 'jwks_url', error.message);
    }
  }
}

function missing(id: string): ApiError {
  return ApiError.missing('auth provider', id);
}

async function orIssuerInUse(work: Promise<void>, { kind }: AuthProvider): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (violatedUnique(error) !== 'auth_providers_issuer_unique') throw error;
    const param = kind === 'firebase' ? 'firebase_project_id' : 'issuer';
    throw ApiError.parameter(param, 'The project already has a provider with this issuer.');
  }
}
