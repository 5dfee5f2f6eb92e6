import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import { OfferingPaywalls } from '../shared/offering-paywalls.js';
import { type OfferingUse, OfferingUses } from '../shared/offering-uses.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { orAlreadyExists } from '../../platform/http/errors/unique.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { CreatePackageDto } from '../packages/package.dto.js';
import type { Package } from '../packages/package.entity.js';
import { PackagesService } from '../packages/packages.service.js';
import { ProductsService } from '../products/products.service.js';
import type { CreateOfferingDto, UpdateOfferingDto } from './offering.dto.js';
import type { Offering } from './offering.entity.js';
import type { OfferingExpansion } from './offering.presenter.js';
import { OfferingsRepository } from './offerings.repository.js';

const MAX_METADATA_LENGTH = 4000;

function usedBy(uses: readonly OfferingUse[]): string {
  const names = uses.map(({ id, displayName }) => `${JSON.stringify(displayName)} (${id})`);
  return `Targeting rules or experiments show the offering: ${names.join(', ')}`;
}

function publishedFor({ id, name }: { id: string; name: string }): string {
  return `Apps show the paywall ${JSON.stringify(name)} (${id}) of the offering. Unpublish it first.`;
}

/** Every change first raises the catalog version, which serialises changes: two offerings are never both current. */
@Injectable()
export class OfferingsService {
  constructor(
    private readonly repository: OfferingsRepository,
    private readonly packages: PackagesService,
    private readonly products: ProductsService,
    private readonly uses: OfferingUses,
    private readonly paywalls: OfferingPaywalls,
    private readonly writes: ProjectWritesService,
  ) {}

  /** The project's first offering becomes the current one. @throws ApiError 400, 409 for a lookup key in use */
  create(write: ProjectWrite, body: CreateOfferingDto): Promise<Offering> {
    return this.writes.run(write, (tx) => this.createIn(tx, body), { retryUniqueViolation: true });
  }

  async createIn(tx: WriteTransaction, body: CreateOfferingDto): Promise<Offering> {
    const { projectId } = tx.write;
    await bumpCatalogVersion(tx, projectId);
    const nowMs = tx.nowMs();
    const offering: Offering = {
      projectId,
      id: newId('offering', nowMs),
      lookupKey: body.lookup_key,
      displayName: body.display_name,
      isCurrent: !(await this.repository.hasAny(tx, projectId)),
      metadata: this.checkedMetadata(body.metadata ?? null),
      state: 'active',
      createdAt: new Date(nowMs),
    };
    await orAlreadyExists(
      this.repository.insert(tx, offering),
      'offerings_lookup_key_unique',
      'lookup_key',
      `The project already has an offering ${JSON.stringify(body.lookup_key)}.`,
    );
    await tx.audit({ action: 'created', target: 'offering', targetId: offering.id });
    return offering;
  }

  /** A new current offering replaces the previous one. @throws ApiError 404, 400, 422 if it is archived */
  update(write: ProjectWrite, id: string, body: UpdateOfferingDto): Promise<Offering> {
    return this.change(write, id, 'updated', async (tx, present) => {
      const { display_name: displayName = present.displayName, is_current: isCurrent = present.isCurrent } =
        body;
      const metadata = body.metadata === undefined ? present.metadata : this.checkedMetadata(body.metadata);
      if (isCurrent) this.assertMayBeCurrent(present);
      if (isCurrent && !present.isCurrent) await this.repository.unsetCurrent(tx, write.projectId);
      return { ...present, displayName, isCurrent, metadata };
    });
  }

  /**
   * Makes an offering the current one, for a caller that has raised the catalog version and writes the audit row.
   * @throws ApiError 404, 422 for an archived one
   */
  async makeCurrentIn(tx: WriteTransaction, id: string): Promise<void> {
    const { projectId } = tx.write;
    const present = await this.found(projectId, id, tx);
    this.assertMayBeCurrent(present);
    await this.repository.unsetCurrent(tx, projectId);
    await this.repository.update(tx, { ...present, isCurrent: true });
  }

  /** Archives the offering. Idempotent. @throws ApiError 404, 422 for an offering that is current or in use */
  archive(write: ProjectWrite, id: string): Promise<Offering> {
    return this.change(write, id, 'archived', async (tx, present) => {
      if (present.isCurrent)
        throw new ApiError(
          'impossible',
          'The current offering cannot be archived; make another offering current first.',
        );
      const uses = await this.uses.forOffering(tx, write.projectId, id, tx.nowMs());
      if (uses.length === 0) return { ...present, state: 'inactive' };
      throw new ApiError('archived_reference', `${usedBy(uses)}, so it cannot be archived.`, {
        referencedObjectIds: uses.map((use) => use.id),
      });
    });
  }

  /** Unarchives the offering, and its packages' products if requested. Idempotent. @throws ApiError 404 */
  unarchive(write: ProjectWrite, id: string, withProducts: boolean): Promise<Offering> {
    const { projectId } = write;
    return this.change(write, id, 'unarchived', async (tx, present) => {
      if (withProducts) {
        const productIds = await this.packages.productsOfOffering(tx, projectId, id);
        await this.products.activateIn(tx, projectId, productIds);
      }
      return { ...present, state: 'active' };
    });
  }

  /**
   * Deletes an offering with its packages and the draft of its paywall, even the current one. Returns the time (epoch
   * ms).
   * @throws ApiError 404, 409 while rules or experiments use it, or its paywall is published
   */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const uses = await this.uses.forOffering(tx, projectId, id, tx.nowMs());
      if (uses.length > 0) throw new ApiError('conflict', `${usedBy(uses)}, so it cannot be deleted.`);
      const [paywall] = await this.paywalls.publishedIn(tx, projectId, id);
      if (paywall) throw new ApiError('conflict', publishedFor(paywall));
      if (!(await this.repository.delete(tx, projectId, id))) throw ApiError.missing('offering', id);
      await tx.audit({ action: 'deleted', target: 'offering', targetId: id });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  get(projectId: string, id: string): Promise<Offering> {
    return this.found(projectId, id);
  }

  /** Reads an offering inside a transaction. @throws ApiError 404, naming `param` */
  async getIn(tx: WriteTransaction, id: string, param?: string): Promise<Offering> {
    const offering = await this.repository.find(tx.write.projectId, id, tx);
    if (!offering) throw ApiError.missing('offering', id, param);
    return offering;
  }

  async activeLookupKeys(projectId: string, tx?: Transaction): Promise<string[]> {
    return (await this.repository.active(projectId, tx)).map(({ lookupKey }) => lookupKey);
  }

  /** Ids of published paywalls by offering. */
  paywallIds(projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.paywalls.publishedOf(projectId, ids);
  }

  /** Returns those of the given offerings that exist. */
  findMany(projectId: string, ids: string[], tx?: Transaction): Promise<Offering[]> {
    return this.repository.findMany(projectId, ids, tx);
  }

  /** Up to `limit + 1` rows. */
  page(projectId: string, page: PageRequest): Promise<Offering[]> {
    return this.repository.page(projectId, page);
  }

  /** @throws ApiError 404 for an unknown offering, 409 for a lookup key in use */
  createPackage(write: ProjectWrite, offeringId: string, body: CreatePackageDto): Promise<Package> {
    return this.writes.run(
      write,
      async (tx) => {
        await bumpCatalogVersion(tx, write.projectId);
        await this.found(write.projectId, offeringId, tx);
        return this.packages.createIn(tx, offeringId, body);
      },
      { retryUniqueViolation: true },
    );
  }

  async expansion(
    projectId: string,
    offeringIds: string[],
    withProducts: boolean,
  ): Promise<OfferingExpansion> {
    const packages = await this.packages.ofOfferings(projectId, offeringIds);
    if (!withProducts) return { packages };
    const packageIds = [...packages.values()].flat().map(({ id }) => id);
    return { packages, products: await this.packages.productsOf(projectId, packageIds) };
  }

  private change(
    write: ProjectWrite,
    id: string,
    action: AuditAction<'offering'>,
    after: (tx: WriteTransaction, present: Offering) => Offering | Promise<Offering>,
  ): Promise<Offering> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.found(projectId, id, tx);
      const offering = await after(tx, present);
      await this.repository.update(tx, offering);
      await tx.audit({
        action,
        target: 'offering',
        targetId: id,
        data: auditChanges(present, offering, ['displayName', 'isCurrent', 'metadata', 'state']),
      });
      return offering;
    });
  }

  private assertMayBeCurrent({ id, state }: Offering): void {
    if (state === 'active') return;
    throw new ApiError('archived_reference', 'An archived offering cannot become current.', {
      param: 'is_current',
      referencedObjectIds: [id],
    });
  }

  private async found(projectId: string, id: string, tx?: Transaction): Promise<Offering> {
    const offering = await this.repository.find(projectId, id, tx);
    if (!offering) throw ApiError.missing('offering', id);
    return offering;
  }

  private checkedMetadata(metadata: Offering['metadata']): Offering['metadata'] {
    if (metadata !== null && JSON.stringify(metadata).length > MAX_METADATA_LENGTH) {
      throw ApiError.parameter(
        'metadata',
        `metadata must be at most ${MAX_METADATA_LENGTH} characters of JSON.`,
      );
    }
    return metadata;
  }
}
