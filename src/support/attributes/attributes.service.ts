import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../../platform/principal/principal.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { type LiveAttribute, liveAttributes } from '../../customers/customers/customer-attributes.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import { CustomersQueryService } from '../../customers/customers/customers-query.service.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import { type Device, LastSeenRecorder } from '../../customers/customers/last-seen.recorder.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase-recorder.js';
import type { AttributeInput, AttributeWriter } from '../../customers/customers/attribute-merge.js';
import { AttributesRepository } from './attributes.repository.js';

/** Whom an SDK, or a backend through the SDK's route, tells something about. */
export interface AttributeSender {
  projectId: string;
  appUserId: string;
  /** Null for a backend: the customer was not seen. */
  device: Device | null;
}

export function senderOf(
  { projectId, kind }: PublicKeyPrincipal | SecretKeyPrincipal,
  appUserId: string,
  device: Device,
): AttributeSender {
  return { projectId, appUserId, device: kind === 'secret_key' ? null : device };
}

export interface AttributePost extends AttributeSender {
  inputs: AttributeInput[];
}

/** Attributes of customers: who writes what when, and in what order it counts. */
@Injectable()
export class AttributesService {
  constructor(
    private readonly customers: CustomersService,
    private readonly queries: CustomersQueryService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly repository: AttributesRepository,
    private readonly lastSeen: LastSeenRecorder,
    private readonly audit: AuditLog,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Saves what is newer; creates the customer. Gives the names refused because there are too many. */
  async post({ inputs, ...sender }: AttributePost): Promise<string[]> {
    const catalog = await this.catalogs.get(sender.projectId);
    return this.database.transaction(
      async (tx) => {
        const nowMs = this.clock.nowMs();
        const customer = await this.lockSender(tx, sender, nowMs);
        const source = sender.device ? 'sdk' : 'api';
        const seen = sender.device ? [customer.id] : [];
        return this.save(tx, catalog, customer, inputs, { source, overrules: false, nowMs }, seen);
      },
      { retryUniqueViolation: true },
    );
  }

  /** Keeps Apple's attribution token of a customer, who is created when unknown. */
  async keepAdServicesToken(sender: AttributeSender, token: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const customer = await this.lockSender(tx, sender, this.clock.nowMs());
      await this.repository.keepToken(tx, sender.projectId, customer.id, token);
    });
  }

  /**
   * Sets what a backend says, now; all or nothing. Gives all attributes, by name.
   * @throws ApiError 404 for an unknown customer, 400 when there would be too many attributes
   */
  async set(write: ProjectWrite, appUserId: string, inputs: AttributeInput[]): Promise<LiveAttribute[]> {
    const { projectId } = write;
    const catalog = await this.catalogs.get(projectId);
    return this.database.transaction(async (tx) => {
      const customer = await this.customers.lockExisting(tx, projectId, appUserId);
      await this.setIn(tx, catalog, customer, inputs);
      await this.audit.record(tx, write, {
        action: 'attributes_set',
        target: 'customer',
        targetId: customer.originalAppUserId,
        data: { names: [...new Set(inputs.map(({ name }) => name))].sort() },
      });
      return liveAttributes(customer.attributes);
    });
  }

  /** As `set`, of a locked customer, in a transaction that does more. */
  async setIn(
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

  /** Live attributes of a customer by name. @throws ApiError 404 */
  async list(projectId: string, appUserId: string): Promise<LiveAttribute[]> {
    const { attributes } = await this.queries.get(projectId, appUserId);
    return liveAttributes(attributes);
  }

  /** The customer, created when unknown, and seen with their device. */
  private async lockSender(
    tx: Transaction,
    { projectId, appUserId, device }: AttributeSender,
    nowMs: number,
  ): Promise<CustomerRow> {
    const wanted = { appUserIds: [appUserId] };
    const { customer } = await this.customers.lockOrCreate(
      tx,
      projectId,
      { appUserId, device },
      wanted,
      nowMs,
    );
    if (device) tx.afterCommit(() => this.lastSeen.seenIn(projectId, customer, nowMs, device));
    return customer;
  }

  private async save(
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
