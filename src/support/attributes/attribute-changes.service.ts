import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { AttributeInput, AttributeWriter } from '../../customers/customers/identity/attribute-merge.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';

@Injectable()
export class AttributeChangesService {
  constructor(
    private readonly recorder: PurchaseRecorder,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Sets a backend's values, dated now. @throws ApiError 400 if there would be too many attributes */
  async set(
    tx: Transaction,
    catalog: Catalog,
    customer: CustomerRow,
    inputs: AttributeInput[],
  ): Promise<void> {
    const writer = { source: 'api', overrules: true, nowMs: this.clock.nowMs() } as const;
    const tooMany = await this.save(tx, catalog, customer, inputs, writer, []);
    const [first] = tooMany;
    if (first === undefined) return;
    const index = inputs.findIndex(({ name }) => name === first);
    throw ApiError.parameter(
      `attributes.${index}.name`,
      'A customer can have 50 custom attributes at most; delete others first.',
    );
  }

  /** Saves values that are newer or overrule stored ones. Returns the names rejected because there are too many. */
  async save(
    tx: Transaction,
    catalog: Catalog,
    customer: CustomerRow,
    inputs: AttributeInput[],
    writer: AttributeWriter,
    seenCustomerIds: string[],
  ): Promise<string[]> {
    const scope = { catalog, nowMs: writer.nowMs, seenCustomerIds };
    const { result: tooMany } = await this.recorder.record(tx, scope, (change) =>
      change.mergeAttributes(customer, inputs, writer),
    );
    return tooMany;
  }
}
