import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { statement } from '../../../platform/database/statement.js';
import { type Place, placeByCreation } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { SsoConnection } from './sso-connection.entity.js';

const columns = `org_id AS "orgId", id, kind, name, enabled, jit, settings, sealed_client_secret AS "sealedClientSecret",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const page = statement(
  'sso_connections.page',
  `SELECT ${columns} FROM sso_connections
   WHERE org_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3::text))
   ORDER BY created_at, id LIMIT $4`,
);

/** At most one organization has verified a domain. */
const forDomain = statement(
  'sso_connections.for_domain',
  `SELECT ${columns} FROM sso_connections
   WHERE enabled AND org_id = (SELECT org_id FROM sso_domains WHERE domain = $1 AND verified_at IS NOT NULL)
   ORDER BY created_at, id LIMIT 1`,
);

const wouldLeaveEnforced = statement(
  'sso_connections.would_leave_enforced',
  `SELECT FROM organizations o WHERE o.id = $1 AND o.sso_enforced AND NOT EXISTS (
     SELECT FROM sso_connections c WHERE c.org_id = $1 AND c.enabled AND c.id <> $2)`,
);

@Injectable()
export class SsoConnectionsRepository {
  constructor(
    @InjectRepository(SsoConnection) private readonly connections: Repository<SsoConnection>,
    private readonly database: DatabaseService,
  ) {}

  async insert(tx: Transaction, connection: SsoConnection): Promise<void> {
    await onTransaction(this.connections, tx).insert(connection);
  }

  async update(tx: Transaction, { orgId, id, ...fields }: SsoConnection): Promise<void> {
    await onTransaction(this.connections, tx).update({ orgId, id }, fields);
  }

  async delete(tx: Transaction, orgId: string, id: string): Promise<void> {
    await onTransaction(this.connections, tx).delete({ orgId, id });
  }

  find(orgId: string, id: string, executor?: Executor): Promise<SsoConnection | null> {
    return onTransaction(this.connections, executor).findOneBy({ orgId, id });
  }

  /** Finds a connection for a sign-in, whose URL contains no organization. */
  findById(id: string, executor?: Executor): Promise<SsoConnection | null> {
    return onTransaction(this.connections, executor).findOneBy({ id });
  }

  lock(tx: Transaction, orgId: string, id: string): Promise<SsoConnection | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return onTransaction(this.connections, tx).findOne({ where: { orgId, id }, lock });
  }

  count(tx: Transaction, orgId: string): Promise<number> {
    return onTransaction(this.connections, tx).countBy({ orgId });
  }

  /** Returns up to `limit + 1` rows, oldest first. */
  page(orgId: string, { limit }: PageRequest, after: Place | null): Promise<SsoConnection[]> {
    return this.database.query(page, [orgId, ...(after ?? [null, null]), limit + 1]);
  }

  async placeOf(orgId: string, id: string): Promise<Place | null> {
    const connection = await this.find(orgId, id);
    return connection && placeByCreation(connection);
  }

  /** Returns the oldest enabled connection of the organization that verified the domain. */
  async findForDomain(domain: string): Promise<SsoConnection | null> {
    const [row] = await this.database.query<SsoConnection>(forDomain, [domain]);
    return row ?? null;
  }

  /** Whether single sign-on is enforced and the organization has no other enabled connection. */
  async isLastOfEnforced(tx: Transaction, orgId: string, id: string): Promise<boolean> {
    return (await tx.query(wouldLeaveEnforced, [orgId, id])).length > 0;
  }
}
