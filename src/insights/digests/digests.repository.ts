import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { renewalValues } from '../../platform/jobs/app-queues.sql.js';
import { leaseEach } from '../../platform/jobs/small-queue.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
import { Digest } from './digest.entity.js';
import * as sql from './digests.sql.js';

export type DigestKey = Pick<Digest, 'projectId' | 'id'>;
export type DigestChanges = Partial<Omit<Digest, 'projectId' | 'id' | 'createdAt'>>;

/** A digest leased by this process. */
export type ClaimedDigest = DigestKey & LeasedItem;

@Injectable()
export class DigestsRepository {
  constructor(
    @InjectRepository(Digest) private readonly digests: Repository<Digest>,
    private readonly database: DatabaseService,
  ) {}

  /** Oldest first. */
  page(projectId: string, page: PageRequest): Promise<Digest[]> {
    return keysetPage(this.digests, { projectId }, page);
  }

  find({ projectId, id }: DigestKey): Promise<Digest | null> {
    return this.digests.findOneBy({ projectId, id });
  }

  lock(tx: Transaction, { projectId, id }: DigestKey): Promise<Digest | null> {
    const options = { where: { projectId, id }, lock: { mode: 'pessimistic_write' } } as const;
    return onTransaction(this.digests, tx).findOne(options);
  }

  /** The number of digests stays the same until the transaction ends. */
  async count(tx: Transaction, projectId: string): Promise<number> {
    await tx.query(sql.lockProject, [projectId]);
    return onTransaction(this.digests, tx).countBy({ projectId });
  }

  async insert(tx: Transaction, digest: Digest): Promise<void> {
    await onTransaction(this.digests, tx).insert(digest);
  }

  async update(tx: Transaction, { projectId, id }: DigestKey, changes: DigestChanges): Promise<void> {
    if (Object.keys(changes).length === 0) return;
    await onTransaction(this.digests, tx).update({ projectId, id }, changes);
  }

  /** Returns false if it did not exist. */
  async delete(tx: Transaction, { projectId, id }: DigestKey): Promise<boolean> {
    const { affected } = await onTransaction(this.digests, tx).delete({ projectId, id });
    return affected === 1;
  }

  /** Leases at most `limit` due digests that no other process works on. */
  async claim(terms: LeaseTerms, limit: number): Promise<ClaimedDigest[]> {
    const due = await this.database.query<DigestKey>(sql.due, [terms.now, limit]);
    const keys = due.map(({ projectId, id }) => [projectId, id]);
    return leaseEach(this.database, sql.claim, keys, terms);
  }

  /** Extends leases that no other process has taken over. */
  async renew(held: HeldItem<ClaimedDigest>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(sql.renew, renewalValues(sql.leases, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }
}
