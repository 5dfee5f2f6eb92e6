import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import type { Store } from '../../../../libs/engine/index.js';
import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import type { CustomerRow } from '../../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../../customers/customers/identity/customers.service.js';
import { StoreAccountsService } from '../../../customers/customers/identity/store-accounts.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ConcurrentChange } from '../../../platform/database/database-errors.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { isAnonymousId } from '../../../platform/http/bodies/app-user-id.js';
import { OwnershipService } from '../../../purchases/ownership/ownership.service.js';
import type { ImportedCustomerDto } from '../customer-import.dto.js';
import { IdentityPlan, type PlannedCustomer, type PlannedItem } from './import-identities.policy.js';
import type { Resolutions } from '../import-resolver.js';
import { namedPurchases } from '../purchases/imported-items.js';
import { KnownPurchasesRepository } from './known-purchases.repository.js';

export interface ResolvedItem extends Omit<PlannedItem, 'person'> {
  /** Locked; null if the item is not imported. */
  customer: CustomerRow | null;
}

export interface ResolvedIdentities {
  items: ResolvedItem[];
  /** Every locked customer. */
  customers: CustomerRow[];
  /** Ids of merged customers, by the survivor. */
  joined: Map<CustomerRow, string[]>;
  /** Customers whose responses change, whatever else is recorded. */
  touched: Set<CustomerRow>;
  /** Read while the locks are held. */
  nowMs: number;
}

interface ImportedIdentities {
  catalog: Catalog;
  customers: readonly ImportedCustomerDto[];
  resolutions: Resolutions;
  requestId: string;
}

/** Resolves the customers of an import: locks, merges and creates them, and assigns their ids. */
@Injectable()
export class ImportIdentitiesService {
  constructor(
    private readonly customers: CustomersService,
    private readonly accounts: StoreAccountsService,
    private readonly ownership: OwnershipService,
    private readonly purchases: KnownPurchasesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ConcurrentChange if another request changed the customers or their purchases before they were locked */
  async resolve(tx: Transaction, imported: ImportedIdentities): Promise<ResolvedIdentities> {
    const { catalog, customers: items, resolutions, requestId } = imported;
    const { projectId } = catalog;
    const named = items.flatMap((item) => namedPurchases(item, resolutions));
    await this.accounts.lock(
      tx,
      named.map(({ store, environment, key }) => {
        return { projectId, store: store as Store, environment, keys: [key], accounts: [] };
      }),
    );
    const known = await this.purchases.find(tx, projectId, named);
    const ids = items.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
    const appUserIds = [...new Set([...ids, ...known.map(({ appUserId }) => appUserId)])];
    const rows = await this.customers.lock(tx, projectId, { appUserIds });
    const ownerOf = new Map(
      rows.flatMap((row) => [...row.subscriptions, ...row.purchases].map(({ id }) => [id, row] as const)),
    );
    if (known.some(({ id }) => !ownerOf.has(id))) {
      throw new ConcurrentChange('a purchase changed hands before its owner was locked');
    }
    const nowMs = this.clock.nowMs();
    const inUse = new Set(rows.flatMap(({ aliases }) => aliases.map(({ appUserId }) => appUserId)));
    const unused = ids.filter((id) => !inUse.has(id));
    const erased =
      unused.length === 0 ? new Set<string>() : await this.purchases.erased(tx, projectId, unused);
    const byKey = ownersByName(rows);
    const plan = new IdentityPlan({
      rows,
      erased,
      nowMs,
      ownersOf: (item) => namedPurchases(item, resolutions).flatMap((one) => byKey(one)),
    });
    const planned = items.map((item) => plan.plan(item));
    const persons = [...new Set(planned.flatMap(({ person }) => person ?? []))];
    const made = await this.mergeAndCreate(tx, projectId, persons, requestId, nowMs);
    const joined = new Map(
      persons.flatMap((person) => {
        const row = made.get(person);
        return row && person.joinedIds.length > 0 ? [[row, person.joinedIds] as const] : [];
      }),
    );
    const gone = new Set(persons.flatMap((person) => person.rows.map(({ id }) => id)));
    return {
      items: planned.map(({ person, ...item }) => ({
        ...item,
        customer: (person && made.get(person)) ?? null,
      })),
      customers: [...made.values(), ...rows.filter(({ id }) => !gone.has(id))],
      joined,
      touched: new Set(persons.filter(isNewToOld).flatMap((person) => made.get(person) ?? [])),
      nowMs,
    };
  }

  private async mergeAndCreate(
    tx: Transaction,
    projectId: string,
    persons: PlannedCustomer[],
    requestId: string,
    nowMs: number,
  ): Promise<Map<PlannedCustomer, CustomerRow>> {
    const made = new Map<PlannedCustomer, CustomerRow>();
    for (const person of persons) {
      const [target, ...sources] = person.rows;
      if (target) made.set(person, await this.merged(tx, projectId, target, sources, requestId, nowMs));
    }
    const joining = persons.filter(({ rows }) => rows.length > 1);
    if (joining.length > 0) {
      const targets = joining.flatMap((person) => made.get(person)?.id ?? []);
      const fresh = await this.customers.loadLocked(tx, projectId, targets);
      for (const person of joining) {
        const row = fresh.find(({ id }) => id === made.get(person)?.id);
        if (row) made.set(person, row);
      }
    }
    const fresh = persons.filter(({ newAppUserId }) => newAppUserId !== null);
    const newcomers = fresh.map(({ newAppUserId }) => ({ appUserId: newAppUserId ?? '', device: null }));
    const created = await this.customers.createMissing(tx, projectId, [], newcomers, nowMs);
    for (const person of fresh) {
      const row = created.find(({ originalAppUserId }) => originalAppUserId === person.newAppUserId);
      if (!row) throw new ConcurrentChange('an app user id was taken meanwhile');
      made.set(person, row);
    }
    await this.addAliases(tx, projectId, made, nowMs);
    return made;
  }

  private async merged(
    tx: Transaction,
    projectId: string,
    target: CustomerRow,
    sources: CustomerRow[],
    requestId: string,
    nowMs: number,
  ): Promise<CustomerRow> {
    const cause = { rule: 'import', isRestore: null, requestId } as const;
    for (const source of sources) await this.ownership.merge(tx, projectId, source, target, cause, nowMs);
    return target;
  }

  private async addAliases(
    tx: Transaction,
    projectId: string,
    made: Map<PlannedCustomer, CustomerRow>,
    nowMs: number,
  ): Promise<void> {
    const wanted = [...made].flatMap(([{ newIds }, row]) =>
      [...newIds].map((appUserId) => ({ row, appUserId, customerId: row.id })),
    );
    const blocked = await this.customers.addAliases(tx, projectId, wanted, nowMs);
    for (const { row, appUserId } of wanted) {
      row.aliases = [
        ...row.aliases,
        { appUserId, isAnonymous: isAnonymousId(appUserId), createdAtMs: nowMs },
      ];
      row.blocked ||= blocked.has(appUserId);
    }
  }
}

/** Whether an existing customer gets further ids. */
function isNewToOld({ rows, newIds }: PlannedCustomer): boolean {
  return rows.length > 1 || (rows.length === 1 && newIds.size > 0);
}

/** Looks up the owners of stored purchases by store, environment and key. */
function ownersByName(rows: CustomerRow[]) {
  const owners = new Map<string, CustomerRow>();
  const nameOf = (store: string, environment: string, key: string): string =>
    `${store} ${environment} ${key}`;
  for (const row of rows) {
    for (const one of row.subscriptions) owners.set(nameOf(one.store, one.environment, one.storeKey), row);
    for (const one of row.purchases) owners.set(nameOf(one.store, one.environment, one.purchaseKey), row);
  }
  return ({
    store,
    environment,
    key,
  }: {
    store: string;
    environment: string;
    key: string;
  }): CustomerRow[] => {
    const owner = owners.get(nameOf(store, environment, key));
    return owner ? [owner] : [];
  };
}
