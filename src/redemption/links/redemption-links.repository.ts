import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ownerOf } from '../../customers/customers/identity/customer-names.sql.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { RedemptionLink } from './redemption-link.entity.js';
import { cleanUp, deletionOf } from '../../platform/jobs/batches.js';
import { Cleanup } from '../../platform/jobs/cleanup.js';

const KEPT_MS = 90 * 86_400_000;

export interface RedemptionLinkRow extends RedemptionLink {
  /** The customer's original app user id; null if the customer was deleted. */
  customerAppUserId: string | null;
}

const columns = `t.project_id AS "projectId", t.id, t.customer_id AS "customerId",
  t.purchase_kind AS "purchaseKind", t.purchase_id AS "purchaseId", t.app_id AS "appId", t.store, t.environment,
  t.email, t.mailed_at AS "mailedAt", t.created_at AS "createdAt", t.expires_at AS "expiresAt",
  t.replaced_at AS "replacedAt", t.revoked_at AS "revokedAt", t.redeemed_at AS "redeemedAt",
  t.redeemed_by AS "redeemedBy", t.redeemed_by_customer_id AS "redeemedByCustomerId",
  c.original_app_user_id AS "customerAppUserId"`;

const find = statement(
  'redemption_links.find',
  `SELECT ${columns} FROM redemption_links t ${ownerOf('t')} WHERE t.project_id = $1 AND t.id = $2`,
);

const findByToken = statement(
  'redemption_links.find_by_token',
  `SELECT ${columns} FROM redemption_link_routes r
   JOIN redemption_links t ON t.project_id = $1 AND t.id = r.link_id ${ownerOf('t')}
   WHERE r.token_hash = $2 AND r.project_id = $1`,
);

const projectOf = statement(
  'redemption_links.project_of_token',
  `SELECT r.project_id AS "projectId" FROM redemption_link_routes r
   JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL WHERE r.token_hash = $1`,
);

const lock = statement(
  'redemption_links.lock',
  `SELECT id FROM redemption_links WHERE project_id = $1 AND id = $2 FOR UPDATE`,
);

const addRoute = statement(
  'redemption_links.add_route',
  `INSERT INTO redemption_link_routes (token_hash, project_id, link_id, expires_at) VALUES ($3, $1, $2, $4)`,
);

/** Replaces only active links. Links that have ended stay unchanged. */
const replace = statement(
  'redemption_links.replace',
  `UPDATE redemption_links SET replaced_at = $3
   WHERE project_id = $1 AND purchase_id = $2 AND replaced_at IS NULL AND revoked_at IS NULL
     AND redeemed_at IS NULL AND expires_at > $3 RETURNING id`,
);

const newestEmail = statement(
  'redemption_links.newest_email',
  `SELECT email FROM redemption_links WHERE project_id = $1 AND purchase_id = $2 AND email IS NOT NULL
   ORDER BY created_at DESC, id DESC LIMIT 1`,
);

const usage = statement(
  'redemption_links.usage',
  `SELECT count(*)::int AS made, max(mailed_at) AS "mailedAt" FROM redemption_links
   WHERE project_id = $1 AND purchase_id = $2 AND created_at > $3`,
);

const deleteExpired = deletionOf('redemption_links.delete_expired', {
  table: 'redemption_links',
  key: ['project_id', 'id'],
  isOld: (row) => `${row}.expires_at <= $1`,
  orderBy: 'expires_at',
});

const deleteExpiredRoutes = deletionOf('redemption_links.delete_expired_routes', {
  table: 'redemption_link_routes',
  key: ['token_hash'],
  isOld: (row) => `${row}.expires_at <= $1`,
  orderBy: 'expires_at',
});

@Injectable()
export class RedemptionLinksRepository {
  constructor(
    @InjectRepository(RedemptionLink) private readonly links: Repository<RedemptionLink>,
    private readonly database: DatabaseService,
  ) {}

  async insert(tx: Transaction, link: RedemptionLink, tokenHash: Buffer): Promise<void> {
    await onTransaction(this.links, tx).insert(link);
    const expiresAt = new Date(link.expiresAt.getTime() + KEPT_MS);
    await tx.query(addRoute, [link.projectId, link.id, tokenHash, expiresAt]);
  }

  async update(tx: Transaction, projectId: string, id: string, to: Partial<RedemptionLink>): Promise<void> {
    await onTransaction(this.links, tx).update({ projectId, id }, to);
  }

  async find(
    projectId: string,
    id: string,
    executor: Executor = this.database,
  ): Promise<RedemptionLinkRow | null> {
    return (await executor.query<RedemptionLinkRow>(find, [projectId, id]))[0] ?? null;
  }

  /** Locks a link and returns its current state; null if it was deleted. */
  async lock(tx: Transaction, projectId: string, id: string): Promise<RedemptionLinkRow | null> {
    const locked = await tx.query(lock, [projectId, id]);
    return locked.length === 0 ? null : this.find(projectId, id, tx);
  }

  async findByToken(projectId: string, tokenHash: Buffer): Promise<RedemptionLinkRow | null> {
    return (await this.database.query<RedemptionLinkRow>(findByToken, [projectId, tokenHash]))[0] ?? null;
  }

  /** For the link's page, which is opened without authentication. */
  async projectOf(tokenHash: Buffer): Promise<string | null> {
    return (await this.database.query<{ projectId: string }>(projectOf, [tokenHash]))[0]?.projectId ?? null;
  }

  /** Marks the active links of a purchase as replaced. Returns their ids. */
  async replace(tx: Transaction, projectId: string, purchaseId: string, now: Date): Promise<string[]> {
    return (await tx.query<{ id: string }>(replace, [projectId, purchaseId, now])).map(({ id }) => id);
  }

  /** The address of a purchase's newest link that has one; it may correct that of an older link. */
  async newestEmail(tx: Transaction, projectId: string, purchaseId: string): Promise<string | null> {
    const [newest] = await tx.query<{ email: string }>(newestEmail, [projectId, purchaseId]);
    return newest?.email ?? null;
  }

  /** Returns how many links of a purchase were created since `since`, and when one of them was last mailed. */
  async usage(
    tx: Transaction,
    projectId: string,
    purchaseId: string,
    since: Date,
  ): Promise<{ made: number; mailedAt: Date | null }> {
    const rows = await tx.query<{ made: number; mailedAt: Date | null }>(usage, [
      projectId,
      purchaseId,
      since,
    ]);
    return rows[0] ?? { made: 0, mailedAt: null };
  }

  /** Links for a customer's purchases and links that the customer redeemed, newest first; up to `limit + 1`. */
  pageOfCustomer(
    projectId: string,
    customerId: string,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<RedemptionLinkRow[]> {
    const narrowing = new Narrowing('redemption_links.page_of_customer', [projectId, customerId, limit + 1]);
    const behind = narrowing.behind(['t.created_at', 't.id'], after);
    const text = `SELECT ${columns} FROM redemption_links t ${ownerOf('t')}
      WHERE t.project_id = $1 AND (t.customer_id = $2 OR t.redeemed_by_customer_id = $2)${behind}
      ORDER BY t.created_at DESC, t.id DESC LIMIT $3`;
    return this.database.query(narrowing.statement(text), narrowing.values);
  }

  /** Deletes a batch of the links that expired by `until`. Returns their number. */
  @Cleanup('redemption_links_retention', KEPT_MS)
  deleteExpired(until: Date): Promise<number> {
    return cleanUp(this.database, deleteExpired, [until]);
  }

  @Cleanup('redemption_links_retention')
  deleteExpiredRoutes(now: Date): Promise<number> {
    return cleanUp(this.database, deleteExpiredRoutes, [now]);
  }
}
