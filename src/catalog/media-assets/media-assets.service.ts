import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ContentBlobsService } from '../blobs/content-blobs.service.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import { MediaAssetUses } from '../shared/media-asset-uses.js';
import type { CreateMediaAssetDto } from './media-asset.dto.js';
import type { MediaAsset } from './media-asset.entity.js';
import { MediaAssetsRepository } from './media-assets.repository.js';
import { MediaFilesService, sha256Of, type StoredFile } from './media-files.service.js';

const MAX_FILE_BYTES = 2 * 2 ** 20;
const MAX_ASSETS = 1_000;
const MAX_BYTES = 500 * 2 ** 20;

interface Upload {
  asset: MediaAsset;
  isNew: boolean;
}

async function unchanged(tx: WriteTransaction, asset: MediaAsset): Promise<Upload> {
  const data = { changed_fields: [] };
  await tx.audit({ action: 'created', target: 'media_asset', targetId: asset.id, data });
  return { asset, isNew: false };
}

/** Images and fonts of paywalls. */
@Injectable()
export class MediaAssetsService {
  constructor(
    private readonly repository: MediaAssetsRepository,
    private readonly files: MediaFilesService,
    private readonly blobs: ContentBlobsService,
    private readonly uses: MediaAssetUses,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Stores a file. The same file again changes nothing.
   * @throws ApiError 400 for a file of another type, 422 if the project has too many
   */
  async create(write: ProjectWrite, { filename, file_data_base64 }: CreateMediaAssetDto): Promise<Upload> {
    const bytes = Buffer.from(file_data_base64, 'base64');
    if (bytes.length > MAX_FILE_BYTES)
      throw ApiError.parameter('file_data_base64', 'A file may have at most 2 MiB.');
    const sha256 = sha256Of(bytes);
    const known = await this.repository.findByContent(write.projectId, sha256);
    if (known) return this.writes.run(write, (tx) => unchanged(tx, known));
    const file = await this.files.read(bytes);
    return this.writes.run(write, (tx) => this.store(tx, { filename, sha256 }, file), {
      retryUniqueViolation: true,
    });
  }

  /** @throws ApiError 404, 409 while a paywall uses it. Returns the time (epoch ms). */
  delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      // No paywall is saved or published meanwhile.
      await bumpCatalogVersion(tx, projectId);
      const asset = await this.get(projectId, id, tx);
      const refs = [...new Set(Object.values(asset.formats))];
      const use = await this.uses.find(tx, projectId, id, refs);
      if (use !== null) throw new ApiError('conflict', `${use}, so it cannot be deleted.`);
      await this.repository.delete(tx, projectId, id);
      await this.blobs.markUnused(tx, projectId, refs, new Date(tx.nowMs()));
      await tx.audit({ action: 'deleted', target: 'media_asset', targetId: id });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string, tx?: Transaction): Promise<MediaAsset> {
    const asset = await this.repository.find(projectId, id, tx);
    if (!asset) throw ApiError.missing('media asset', id);
    return asset;
  }

  /** Returns those of some files that exist. */
  findMany(tx: Transaction, projectId: string, ids: string[]): Promise<MediaAsset[]> {
    return this.repository.findMany(tx, projectId, ids);
  }

  /** Returns those of some refs that are forms of files. */
  existing(projectId: string, refs: string[], tx?: Transaction): Promise<string[]> {
    return refs.length === 0 ? Promise.resolve([]) : this.repository.existing(projectId, refs, tx);
  }

  /** Up to `limit + 1` rows, newest first. */
  page(projectId: string, page: PageRequest): Promise<MediaAsset[]> {
    return this.repository.page(projectId, page);
  }

  private async store(
    tx: WriteTransaction,
    { filename, sha256 }: Pick<MediaAsset, 'filename' | 'sha256'>,
    { forms, ...facts }: StoredFile,
  ): Promise<Upload> {
    const { projectId } = tx.write;
    const known = await this.repository.findByContent(projectId, sha256, tx);
    if (known) return unchanged(tx, known);
    const now = new Date(tx.nowMs());
    const size = Object.values(forms).reduce((sum, { bytes }) => sum + bytes.length, 0);
    await this.assertRoom(tx, size);
    const formats: Record<string, string> = {};
    for (const [form, blob] of Object.entries(forms)) {
      formats[form] = await this.blobs.store(tx, projectId, blob, now);
    }
    const asset: MediaAsset = {
      projectId,
      id: newId('mediaAsset', tx.nowMs()),
      filename,
      sha256,
      size,
      formats: formats as MediaAsset['formats'],
      createdAt: now,
      ...facts,
    };
    await this.repository.insert(tx, asset);
    await tx.audit({ action: 'created', target: 'media_asset', targetId: asset.id });
    return { asset, isNew: true };
  }

  private async assertRoom(tx: WriteTransaction, size: number): Promise<void> {
    const { assets, bytes } = await this.repository.stored(tx, tx.write.projectId);
    if (assets < MAX_ASSETS && bytes + size <= MAX_BYTES) return;
    throw new ApiError(
      'impossible',
      `A project may have at most ${MAX_ASSETS} files and ${MAX_BYTES / 2 ** 20} MiB of them. Delete some first.`,
    );
  }
}
