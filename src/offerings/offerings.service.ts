import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../libs/kernel/index.js';
import { bumpCatalogVersion } from '../catalog/catalog-version.js';
import { CLOCK } from '../config/clock.token.js';
import { Database, type Transaction } from '../database/database.js';
import { orAlreadyExists } from '../database/unique.js';
import { ApiError } from '../http/api-error.js';
import type { PageRequest } from '../http/lists.js';
import type { CreatePackageDto } from '../packages/package.dto.js';
import type { Package } from '../packages/package.entity.js';
import { PackagesService } from '../packages/packages.service.js';
import type { CreateOfferingDto } from './offering.dto.js';
import type { Offering } from './offering.entity.js';
import type { OfferingExpansion } from './offering.presenter.js';
import { OfferingsRepository } from './offerings.repository.js';

const MAX_METADATA_LENGTH = 4000;

/** What apps offer: sets of packages. */
@Injectable()
export class OfferingsService {
  constructor(
    @Inject(OfferingsRepository) private readonly repository: OfferingsRepository,
    @Inject(PackagesService) private readonly packages: PackagesService,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The project's first offering becomes the current one. @throws ApiError 400, 409 for a lookup key in use */
  create(projectId: string, body: CreateOfferingDto): Promise<Offering> {
    return this.database.transaction((tx) => this.createIn(tx, projectId, body));
  }

  /** As `create`, in a transaction that does more. */
  async createIn(tx: Transaction, projectId: string, body: CreateOfferingDto): Promise<Offering> {
    const metadata = body.metadata ?? null;
    if (metadata !== null && JSON.stringify(metadata).length > MAX_METADATA_LENGTH) {
      throw ApiError.parameter(
        'metadata',
        `metadata must be at most ${MAX_METADATA_LENGTH} characters of JSON.`,
      );
    }
    // Locks the project's row, so that two first offerings cannot both become current.
    await bumpCatalogVersion(tx, projectId);
    const nowMs = this.clock.nowMs();
    const offering: Offering = {
      projectId,
      id: newId('offering', nowMs),
      lookupKey: body.lookup_key,
      displayName: body.display_name,
      isCurrent: !(await this.repository.hasAny(tx, projectId)),
      metadata,
      state: 'active',
      createdAt: new Date(nowMs),
    };
    await orAlreadyExists(
      this.repository.insert(tx, offering),
      'offerings_lookup_key_unique',
      'lookup_key',
      `The project already has an offering ${JSON.stringify(body.lookup_key)}.`,
    );
    return offering;
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<Offering> {
    const offering = await this.repository.find(this.database, projectId, id);
    if (!offering) throw ApiError.missing('offering', id);
    return offering;
  }

  page(projectId: string, page: PageRequest): Promise<Offering[]> {
    return this.repository.page(this.database, projectId, page);
  }

  createPackage(projectId: string, offeringId: string, body: CreatePackageDto): Promise<Package> {
    return this.database.transaction(async (tx) => {
      if (!(await this.repository.find(tx, projectId, offeringId)))
        throw ApiError.missing('offering', offeringId);
      return this.packages.createIn(tx, projectId, offeringId, body);
    });
  }

  /** Packages, and their products too, of some offerings. */
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
}
