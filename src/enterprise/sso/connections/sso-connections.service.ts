import { Injectable } from '@nestjs/common';
import { newId } from '../../../../libs/kernel/index.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import { changesBetween } from '../../access/organization-changes.js';
import { missingInOrganization } from '../../access/organization-errors.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import {
  type OrganizationTransaction,
  OrganizationWritesService,
} from '../../access/organization-writes.service.js';
import { ManagedAccountsService } from '../../../workspace/accounts/managed-accounts.service.js';
import type { CreateSsoConnectionDto, UpdateSsoConnectionDto } from './sso-connection.dto.js';
import { isOidc, type SsoConnection } from './sso-connection.entity.js';
import { connectionAfter, type ConnectionSettings, newConnection } from './sso-connection.policy.js';
import { SsoConnectionRulesService } from './sso-connection-rules.service.js';
import { SsoConnectionsRepository } from './sso-connections.repository.js';
import { clientSecretPlace } from '../../../platform/secrets/sso-secret-places.js';

const MAX_CONNECTIONS = 20;

/** Fields whose values are audited. Never includes the client secret. */
const recordedFields = [
  'name',
  'enabled',
  'jit',
  'idp_entity_id',
  'idp_sso_url',
  'idp_certificates',
  'allow_idp_initiated',
  'email_attribute',
  'first_name_attribute',
  'last_name_attribute',
  'groups_attribute',
  'issuer',
  'client_id',
  'scopes',
  'groups_claim',
  'email_claim',
];

/** An organization's connections to identity providers. */
@Injectable()
export class SsoConnectionsService {
  constructor(
    private readonly repository: SsoConnectionsRepository,
    private readonly writes: OrganizationWritesService,
    private readonly secrets: SecretsService,
    private readonly accounts: ManagedAccountsService,
    private readonly rules: SsoConnectionRulesService,
  ) {}

  /** @throws ApiError 400 naming the field, 422 if the organization already has twenty */
  async create(write: OrganizationWrite, body: CreateSsoConnectionDto): Promise<SsoConnection> {
    const { orgId } = write;
    const settings = newConnection(body, this.rules);
    await this.rules.assertCallable(body);
    return this.writes.runAlone(write, async (tx) => {
      if ((await this.repository.count(tx, orgId)) >= MAX_CONNECTIONS) {
        throw new ApiError('impossible', `An organization has at most ${MAX_CONNECTIONS} connections.`);
      }
      const nowMs = tx.nowMs();
      const now = new Date(nowMs);
      const empty = { orgId, id: newId('ssoConnection', nowMs), sealedClientSecret: null };
      const connection = this.withSecret({ ...empty, ...settings, createdAt: now, updatedAt: now }, body);
      await this.repository.insert(tx, connection);
      const data = { kind: connection.kind, name: connection.name, enabled: connection.enabled };
      await tx.audit({
        action: 'sso_connection_created',
        target: 'sso_connection',
        targetId: connection.id,
        data,
      });
      return connection;
    });
  }

  /** The kind cannot change. @throws ApiError 404, 400 naming the field, 422 if people could no longer sign in */
  async update(write: OrganizationWrite, id: string, body: UpdateSsoConnectionDto): Promise<SsoConnection> {
    await this.rules.assertCallable(body);
    return this.writes.runAlone(write, async (tx) => {
      const present = await this.locked(tx, id);
      const settings = connectionAfter(present, body, this.rules);
      const after = this.withSecret({ ...present, ...settings }, body);
      if (present.enabled && !after.enabled) await this.assertNotLast(tx, id);
      const changes = changesBetween(auditable(present), auditable(after), recordedFields);
      if (Object.keys(changes).length === 0) return present;
      const connection = { ...after, updatedAt: new Date(tx.nowMs()) };
      await this.repository.update(tx, connection);
      const data = { changes };
      await tx.audit({ action: 'sso_connection_updated', target: 'sso_connection', targetId: id, data });
      return connection;
    });
  }

  /** Ends the sessions that it opened. Returns the time (epoch ms). @throws ApiError 404, 422 like `update` */
  delete(write: OrganizationWrite, id: string): Promise<number> {
    return this.writes.runAlone(write, async (tx) => {
      const { name, enabled } = await this.locked(tx, id);
      if (enabled) await this.assertNotLast(tx, id);
      const sessions = await this.accounts.endSessionsOfConnection(tx, id);
      await this.repository.delete(tx, write.orgId, id);
      const data = { name, sessions };
      await tx.audit({ action: 'sso_connection_deleted', target: 'sso_connection', targetId: id, data });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  async get(orgId: string, id: string): Promise<SsoConnection> {
    return (await this.repository.find(orgId, id)) ?? missing(id);
  }

  /**
   * Returns up to `limit + 1` connections, oldest first.
   * @throws ApiError 400 if `page.after` is not the organization's
   */
  async page(orgId: string, page: PageRequest): Promise<SsoConnection[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(orgId, id));
    return this.repository.page(orgId, page, after);
  }

  find(id: string): Promise<SsoConnection | null> {
    return this.repository.findById(id);
  }

  /** Returns the connection for sign-ins from a domain, or null. */
  findForDomain(domain: string): Promise<SsoConnection | null> {
    return this.repository.findForDomain(domain);
  }

  /** Returns the client secret of an OpenID Connect connection, or null. */
  clientSecret({ orgId, id, sealedClientSecret }: SsoConnection): string | null {
    return sealedClientSecret === null
      ? null
      : this.secrets.open(sealedClientSecret, clientSecretPlace(orgId, id));
  }

  private withSecret(connection: SsoConnection, { oidc }: UpdateSsoConnectionDto): SsoConnection {
    const secret = oidc?.client_secret;
    if (secret === undefined || !isOidc(connection)) return connection;
    const place = clientSecretPlace(connection.orgId, connection.id);
    return { ...connection, sealedClientSecret: secret === null ? null : this.secrets.seal(secret, place) };
  }

  private async locked(tx: OrganizationTransaction, id: string): Promise<SsoConnection> {
    return (await this.repository.lock(tx, tx.write.orgId, id)) ?? missing(id);
  }

  private async assertNotLast(tx: OrganizationTransaction, id: string): Promise<void> {
    if (!(await this.repository.isLastOfEnforced(tx, tx.write.orgId, id))) return;
    throw new ApiError(
      'impossible',
      'Single sign-on is enforced, and this is the last enabled connection. Stop enforcing it first.',
    );
  }
}

function missing(id: string): never {
  throw missingInOrganization('SSO connection', id);
}

/** Sealing is not deterministic, so sending the same secret again counts as a change. */
function auditable({
  name,
  enabled,
  jit,
  settings,
  sealedClientSecret,
}: ConnectionSettings & SsoConnection): Record<string, unknown> {
  const fields = Object.entries(settings).map(([field, value]) => [
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value as unknown,
  ]);
  return {
    name,
    enabled,
    jit,
    ...(Object.fromEntries(fields) as Record<string, unknown>),
    client_secret: sealedClientSecret,
  };
}
