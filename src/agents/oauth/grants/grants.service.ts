import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { type Actor, systemChange } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import { CredentialUsesService } from '../../../platform/auth/credential-uses/credential-uses.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { placeByCreation, startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import type { ConnectedClients, DisconnectReason } from '../../../workspace/accounts/connected-clients.js';
import { type GrantKey, GrantsRepository, type ListedGrant } from './grants.repository.js';
import type { OauthGrant } from './oauth-grant.entity.js';

/** Why a grant ended, other than by a person or its client. */
export type GrantEnd = 'code_reused' | 'refresh_token_reused';

/** People's grants to clients, from consent to revocation. */
@Injectable()
export class GrantsService implements ConnectedClients {
  constructor(
    private readonly database: DatabaseService,
    private readonly repository: GrantsRepository,
    private readonly writes: ProjectWritesService,
    private readonly uses: CredentialUsesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** `codeHash` is the hash of the code that the client exchanges for tokens. */
  create(grant: OauthGrant, codeHash: Buffer, actor: Actor): Promise<void> {
    const { projectId, id, clientId, clientName, scopes } = grant;
    return this.writes.run({ projectId, actor, request: null }, async (tx) => {
      await this.repository.insert(tx, grant, codeHash);
      const data = { client_id: clientId, client_name: clientName, scopes };
      await tx.audit({ action: 'created', target: 'oauth_grant', targetId: id, data });
    });
  }

  /** Returns up to `limit + 1` grants, newest first. @throws ApiError 400 if `page.after` is not one of the person's */
  async page(userId: string, page: PageRequest): Promise<ListedGrant[]> {
    const now = this.now();
    const after = await startOf(page.after, ['time'], async (id) => {
      const grant = await this.repository.findOfUser(userId, id, now);
      return grant && placeByCreation(grant);
    });
    return this.uses.withLastUses(await this.repository.page(userId, now, page, after));
  }

  /** Returns the person's newest grant to a client, the initial selection of a new consent. */
  newestOfClient(userId: string, clientId: string): Promise<ListedGrant | null> {
    return this.repository.newestOfClient(userId, clientId, this.now());
  }

  /** Tokens stop working immediately, everywhere. @throws ApiError 404 if the person has no such grant */
  async endOwn({ userId, email }: SessionPrincipal, id: string): Promise<void> {
    const grant = await this.repository.findOfUser(userId, id, this.now());
    const actor: Actor = { type: 'user', identifier: email };
    const isEnded =
      grant !== null && (await this.database.transaction((tx) => this.end(tx, grant, { actor })));
    if (!isEnded) throw new ApiError('missing', `No authorized client has the id ${JSON.stringify(id)}.`);
  }

  /** Returns false if the grant has already ended. */
  async end(
    tx: Transaction,
    { projectId, id }: GrantKey,
    { actor = systemChange.actor, reason }: { actor?: Actor; reason?: GrantEnd },
  ): Promise<boolean> {
    if (!(await this.repository.delete(tx, { projectId, id }))) return false;
    await this.uses.forget(tx, projectId, id);
    const write = this.writes.within(tx, { projectId, actor, request: null });
    await write.audit({ action: 'revoked', target: 'oauth_grant', targetId: id, data: reason && { reason } });
    return true;
  }

  async disconnectAll(
    tx: Transaction,
    userId: string,
    reason: DisconnectReason,
    actor: Actor = systemChange.actor,
  ): Promise<void> {
    for (const { projectId, id } of await this.repository.deleteOfUser(tx, userId)) {
      await this.uses.forget(tx, projectId, id);
      const write = this.writes.within(tx, { projectId, actor, request: null });
      await write.audit({ action: 'revoked', target: 'oauth_grant', targetId: id, data: { reason } });
    }
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}
