import { Injectable } from '@nestjs/common';
import { isHere } from '../data-location/is-here.sql.js';
import { DatabaseService, type Executor } from '../database/database.service.js';
import { statement } from '../database/statement.js';
import { type LeasedTable, renewalOf, renewalValues } from '../jobs/app-queues.sql.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../jobs/leased-work.js';
import { isFree, leaseEnd } from '../jobs/leases.sql.js';
import type { QueuedMail } from './mail.js';
import { cleanUp, deletionOf } from '../jobs/batches.js';
import { Cleanup } from '../jobs/cleanup.js';

const KEPT_MS = 7 * 86_400_000;

interface MailKey {
  tenantId: string;
  id: string;
}

export interface MailRow extends MailKey {
  kind: string;
  sealedContent: string;
  createdAt: Date;
  giveUpAt: Date;
}

/** A mail leased by this process. */
export interface ClaimedMail extends MailRow, LeasedItem {
  /** Attempts before this one. */
  attempts: number;
}

/** Result of an attempt. `error` contains no addresses or links. */
export type MailResult =
  | { status: 'sent'; at: Date }
  | { status: 'pending'; dueAt: Date; error: string }
  | { status: 'failed'; error: string };

const claimed = `m.tenant_id AS "tenantId", m.id, m.kind, m.sealed_content AS "sealedContent",
  m.created_at AS "createdAt", m.give_up_at AS "giveUpAt", m.attempts, m.lease_until AS "leaseUntil"`;

/* A new mail is leased until $7 by the process that writes it. */
const add = statement(
  'mails.add',
  `INSERT INTO mails (tenant_id, id, kind, sealed_content, created_at, due_at, give_up_at, lease_until)
   VALUES ($1, $2, $3, $4, $5, $5, $6, ${leaseEnd('$5', '$7')})
   RETURNING lease_until AS "leaseUntil"`,
);

const hold = statement(
  'mails.hold',
  `UPDATE mails m SET lease_until = ${leaseEnd('$4', '$5')}
   WHERE tenant_id = $1 AND id = $2 AND status = 'pending' AND lease_until = $3
   RETURNING ${claimed}`,
);

const claim = statement(
  'mails.claim',
  `WITH due AS MATERIALIZED (
     SELECT d.tenant_id, d.id FROM mails d WHERE d.status = 'pending' AND d.due_at <= $1 AND ${isFree('d.lease_until')}
       AND ${isHere('d.tenant_id')}
     ORDER BY d.due_at LIMIT $3 FOR UPDATE OF d SKIP LOCKED
   )
   UPDATE mails m SET lease_until = ${leaseEnd('$1', '$2')} FROM due
   WHERE m.tenant_id = due.tenant_id AND m.id = due.id
   RETURNING ${claimed}`,
);

const leases: LeasedTable<MailKey> = {
  table: 'mails',
  key: { tenant_id: 'tenantId', id: 'id' },
  leaseUntil: 'lease_until',
};

const renew = statement('mails.renew', renewalOf(leases));

const finish = statement(
  'mails.finish',
  `UPDATE mails SET status = $4, attempts = attempts + 1, due_at = coalesce($5, due_at), sent_at = $6,
     last_error = $7, lease_until = NULL, sealed_content = CASE WHEN $4 = 'pending' THEN sealed_content END
   WHERE tenant_id = $1 AND id = $2 AND lease_until = $3`,
);

const deleteOfTenant = statement('mails.delete_of_tenant', 'DELETE FROM mails WHERE tenant_id = $1');

const deleteOld = deletionOf('mails.delete_old', {
  table: 'mails',
  key: ['tenant_id', 'id'],
  isOld: (row) => `${row}.status <> 'pending' AND ${row}.created_at <= $1`,
  orderBy: 'created_at',
});

@Injectable()
export class MailsRepository {
  constructor(private readonly database: DatabaseService) {}

  async deleteOfTenant(executor: Executor, tenantId: string): Promise<void> {
    await executor.query(deleteOfTenant, [tenantId]);
  }

  async add(tx: Executor, mail: MailRow, leaseEndsAt: Date): Promise<QueuedMail> {
    const { tenantId, id, kind, sealedContent, createdAt, giveUpAt } = mail;
    const values = [tenantId, id, kind, sealedContent, createdAt, giveUpAt, leaseEndsAt];
    const [row] = await tx.query<LeasedItem>(add, values);
    if (!row) throw new Error('The mail was not written');
    return { tenantId, id, leaseUntil: row.leaseUntil };
  }

  /** Extends the lease that the mail was written with; null if it expired and another process claimed the mail. */
  async hold({ tenantId, id, leaseUntil }: QueuedMail, terms: LeaseTerms): Promise<ClaimedMail | null> {
    const values = [tenantId, id, leaseUntil, terms.now, terms.againAt];
    const [row] = await this.database.query<ClaimedMail>(hold, values);
    return row ?? null;
  }

  claim({ now, againAt }: LeaseTerms, limit: number): Promise<ClaimedMail[]> {
    return this.database.query(claim, [now, againAt, limit]);
  }

  async renew(held: HeldItem<ClaimedMail>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, renewalValues(leases, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  async finish({ tenantId, id }: MailKey, leaseUntil: Date, result: MailResult): Promise<void> {
    await this.database.query(finish, [
      tenantId,
      id,
      leaseUntil,
      result.status,
      result.status === 'pending' ? result.dueAt : null,
      result.status === 'sent' ? result.at : null,
      result.status === 'sent' ? null : result.error,
    ]);
  }

  /** Deletes a batch of completed mails created until then (sent, or out of retries). Returns how many. */
  @Cleanup('mails_cleanup', KEPT_MS)
  deleteOld(until: Date): Promise<number> {
    return cleanUp(this.database, deleteOld, [until]);
  }
}
