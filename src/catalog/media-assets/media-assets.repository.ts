import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { statement } from '../../platform/database/statement.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { MediaAsset } from './media-asset.entity.js';

const stored = statement(
  'media_assets.stored',
  `SELECT count(*)::int AS assets, coalesce(sum(size), 0)::float8 AS bytes FROM media_assets WHERE project_id = $1`,
);

const existing = statement(
  'media_assets.existing',
  `SELECT DISTINCT form.value AS ref FROM media_assets a CROSS JOIN LATERAL jsonb_each_text(a.formats) form
   WHERE a.project_id = $1 AND form.value = ANY ($2::text[])`,
);

@Injectable()
export class MediaAssetsRepository {
  constructor(
    @InjectRepository(MediaAsset) private readonly assets: Repository<MediaAsset>,
    private readonly database: DatabaseService,
  ) {}

  async insert(tx: Transaction, asset: MediaAsset): Promise<void> {
    await onTransaction(this.assets, tx).insert(asset);
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await onTransaction(this.assets, tx).delete({ projectId, id });
  }

  find(projectId: string, id: string, tx?: Transaction): Promise<MediaAsset | null> {
    return onTransaction(this.assets, tx).findOneBy({ projectId, id });
  }

  findMany(tx: Transaction, projectId: string, ids: string[]): Promise<MediaAsset[]> {
    return onTransaction(this.assets, tx).findBy({ projectId, id: Any(ids) });
  }

  findByContent(projectId: string, sha256: string, tx?: Transaction): Promise<MediaAsset | null> {
    return onTransaction(this.assets, tx).findOneBy({ projectId, sha256 });
  }

  /** Returns the refs of a list that are forms of a file. */
  async existing(projectId: string, refs: string[], tx?: Transaction): Promise<string[]> {
    const rows = await (tx ?? this.database).query<{ ref: string }>(existing, [projectId, refs]);
    return rows.map(({ ref }) => ref);
  }

  /** How much the project has stored. */
  async stored(tx: Transaction, projectId: string): Promise<{ assets: number; bytes: number }> {
    const [row] = await tx.query<{ assets: number; bytes: number }>(stored, [projectId]);
    return row ?? { assets: 0, bytes: 0 };
  }

  /** Up to `limit + 1` rows, newest first. */
  page(projectId: string, page: PageRequest): Promise<MediaAsset[]> {
    return keysetPage(this.assets, { projectId }, page, 'DESC');
  }
}
