import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { type AuditChanges, auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { bumpCatalogVersion } from '../../catalog/shared/catalog-version.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { orAlreadyExists } from '../../platform/http/errors/unique.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ProductsService } from '../../catalog/products/products.service.js';
import { VirtualCurrenciesRepository } from './virtual-currencies.repository.js';
import type {
  CreateVirtualCurrencyDto,
  ProductGrantInputDto,
  UpdateVirtualCurrencyDto,
} from './virtual-currency.dto.js';
import type { VirtualCurrency, VirtualCurrencyGrant } from './virtual-currency.entity.js';
import { presentGrants } from './virtual-currency.presenter.js';

const MAX_CURRENCIES = 100;

export interface DefinedCurrency {
  currency: VirtualCurrency;
  grants: VirtualCurrencyGrant[];
}

@Injectable()
export class VirtualCurrenciesService {
  constructor(
    private readonly repository: VirtualCurrenciesRepository,
    private readonly products: ProductsService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 400 for a product in two grants, 404 for an unknown one, 409 for a code in use, 422 if too many */
  create(write: ProjectWrite, body: CreateVirtualCurrencyDto): Promise<DefinedCurrency> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      if ((await this.repository.count(tx, projectId)) >= MAX_CURRENCIES) {
        throw new ApiError('impossible', `A project has at most ${MAX_CURRENCIES} virtual currencies.`);
      }
      const currency: VirtualCurrency = {
        projectId,
        code: body.code,
        name: body.name,
        description: body.description ?? null,
        state: 'active',
        createdAt: new Date(tx.nowMs()),
      };
      await orAlreadyExists(
        this.repository.insert(tx, currency),
        'virtual_currencies_pkey',
        'code',
        `The project already has a virtual currency ${JSON.stringify(body.code)}.`,
      );
      const grants = await this.setGrants(tx, projectId, body.code, body.product_grants ?? []);
      await this.record(tx, 'created', body.code);
      return { currency, grants };
    });
  }

  /** Changes the given fields. The code is permanent. @throws ApiError 404, also for an unknown product */
  update(write: ProjectWrite, code: string, body: UpdateVirtualCurrencyDto): Promise<DefinedCurrency> {
    return this.change(write, code, 'updated', async (tx, present) => {
      if (body.product_grants !== undefined) {
        await this.setGrants(tx, write.projectId, code, body.product_grants ?? []);
      }
      const { name = present.name, description = present.description } = body;
      return { ...present, name, description };
    });
  }

  /** Archives or unarchives a currency. Idempotent. @throws ApiError 404 */
  setState(write: ProjectWrite, code: string, state: VirtualCurrency['state']): Promise<DefinedCurrency> {
    const action = state === 'active' ? 'unarchived' : 'archived';
    return this.change(write, code, action, (_, present) => Promise.resolve({ ...present, state }));
  }

  /** Deletes a currency with all balances and their history. Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, code: string): Promise<number> {
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, write.projectId);
      if (!(await this.repository.delete(tx, write.projectId, code))) throw missing(code);
      await this.record(tx, 'deleted', code);
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, code: string): Promise<DefinedCurrency> {
    const currency = await this.getIn(projectId, code);
    return { currency, grants: await this.repository.grants(projectId, [code]) };
  }

  /** Up to `limit + 1` rows, oldest first. */
  async page(projectId: string, page: PageRequest): Promise<DefinedCurrency[]> {
    const currencies = await this.repository.page(projectId, page);
    const codes = currencies.map(({ code }) => code);
    const grants = await this.repository.grants(projectId, codes);
    return currencies.map((currency) => ({
      currency,
      grants: grants.filter(({ code }) => code === currency.code),
    }));
  }

  private change(
    write: ProjectWrite,
    code: string,
    action: AuditAction<'virtual_currency'>,
    after: (tx: Transaction, present: VirtualCurrency) => Promise<VirtualCurrency>,
  ): Promise<DefinedCurrency> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.getIn(projectId, code, tx);
      const before = await this.repository.grants(projectId, [code], tx);
      const currency = await after(tx, present);
      await this.repository.update(tx, currency);
      const grants = await this.repository.grants(projectId, [code], tx);
      const changes = auditChanges(
        { ...present, productGrants: recordedGrants(before) },
        { ...currency, productGrants: recordedGrants(grants) },
        ['name', 'description', 'state', 'productGrants'],
      );
      await this.record(tx, action, code, changes);
      return { currency, grants };
    });
  }

  private async setGrants(
    tx: Transaction,
    projectId: string,
    code: string,
    inputs: ProductGrantInputDto[],
  ): Promise<VirtualCurrencyGrant[]> {
    const productIds = inputs.flatMap(({ product_ids: ids }) => [...new Set(ids)]);
    const repeated = productIds.find((id, index) => productIds.indexOf(id) !== index);
    if (repeated !== undefined) {
      throw ApiError.parameter('product_grants', `The product ${repeated} is in more than one grant.`);
    }
    await this.products.assertAll(tx, projectId, productIds, 'product_grants');
    const grants = inputs.flatMap(({ product_ids: ids, amount, ...rest }, position) =>
      [...new Set(ids)].map((productId) => ({
        projectId,
        code,
        position,
        productId,
        amount,
        trialAmount: rest.trial_amount ?? 0,
        expireAtCycleEnd: rest.expire_at_cycle_end ?? false,
      })),
    );
    await this.repository.replaceGrants(tx, projectId, code, grants);
    return grants;
  }

  private record(
    tx: WriteTransaction,
    action: AuditAction<'virtual_currency'>,
    targetId: string,
    data?: AuditChanges,
  ): Promise<void> {
    return tx.audit({ action, target: 'virtual_currency', targetId, data });
  }

  private async getIn(projectId: string, code: string, tx?: Transaction): Promise<VirtualCurrency> {
    const currency = await this.repository.find(projectId, code, tx);
    if (!currency) throw missing(code);
    return currency;
  }
}

/** Returns the format of the API. */
function recordedGrants(grants: VirtualCurrencyGrant[]): object[] | null {
  return (
    presentGrants(grants)?.map(({ product_ids, amount, trial_amount, expire_at_cycle_end }) => ({
      product_ids,
      amount,
      trial_amount,
      expire_at_cycle_end,
    })) ?? null
  );
}

function missing(code: string): ApiError {
  return ApiError.missing('virtual currency', code);
}
