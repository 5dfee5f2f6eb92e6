import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';
import { OauthClient } from './oauth-client.entity.js';
import { cleanUp, deletionOf } from '../../../platform/jobs/batches.js';
import { Cleanup } from '../../../platform/jobs/cleanup.js';

/** No grant survives without use for this long. */
const UNUSED_MS = 30 * 86_400_000;

const touch = statement(
  'oauth_clients.touch',
  `UPDATE oauth_clients SET last_used_at = $2
   WHERE id = $1 AND last_used_at < $2::timestamptz - interval '1 minute'`,
);

const deleteUnused = deletionOf('oauth_clients.delete_unused', {
  table: 'oauth_clients',
  key: ['id'],
  isOld: (row) => `${row}.last_used_at <= $1`,
  orderBy: 'last_used_at',
});

@Injectable()
export class ClientsRepository {
  constructor(
    @InjectRepository(OauthClient) private readonly clients: Repository<OauthClient>,
    private readonly database: DatabaseService,
  ) {}

  find(id: string): Promise<OauthClient | null> {
    return this.clients.findOneBy({ id });
  }

  async insert(client: OauthClient): Promise<void> {
    await this.clients.insert(client);
  }

  /** Replaces the previous content of the document. */
  async saveDocument(client: OauthClient): Promise<void> {
    await this.clients.upsert(client, ['id']);
  }

  /** Updates `last_used_at` at most once a minute per client. */
  async touch(tx: Transaction, id: string, now: Date): Promise<void> {
    await tx.query(touch, [id, now]);
  }

  @Cleanup('oauth_cleanup', UNUSED_MS)
  deleteUnused(since: Date): Promise<number> {
    return cleanUp(this.database, deleteUnused, [since]);
  }
}
