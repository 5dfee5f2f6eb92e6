import type { CustomerRow } from '../../../customers/customers/identity/customer-state.js';
import { isAnonymousId } from '../../../platform/http/bodies/app-user-id.js';
import { isIdentified, shareTime } from '../../../purchases/ownership/ownership.policy.js';
import type { ImportedCustomerDto } from '../customer-import.dto.js';
import { ImportNotes } from '../import-notes.js';

/** A placeholder id shared by many devices must not merge them all into one customer. */
const MAX_JOINED = 50;

/** One customer after the import: existing rows that are merged, or a new one. */
export interface PlannedCustomer {
  /** The first row survives; empty for a new customer. */
  rows: CustomerRow[];
  /** Original id of a new customer. */
  newAppUserId: string | null;
  firstSeenAtMs: number;
  /** Ids that are not in use yet. */
  newIds: Set<string>;
  /** Ids of customers that were merged into this one. */
  joinedIds: string[];
}

export interface PlannedItem {
  item: ImportedCustomerDto;
  /** Null if the item is not imported. */
  person: PlannedCustomer | null;
  status: 'created' | 'updated' | 'merged';
  notes: ImportNotes;
}

export interface KnownIdentities {
  /** All customers that items name, and the owners of the purchases they name, locked. */
  rows: CustomerRow[];
  /** Ids of customers who were erased on request. */
  erased: ReadonlySet<string>;
  /** Owners of the purchases in an item. */
  ownersOf: (item: ImportedCustomerDto) => CustomerRow[];
  nowMs: number;
}

/**
 * Decides which ids belong to the same customer, item by item. Each item sees the merges of earlier ones. Writes
 * nothing.
 */
export class IdentityPlan {
  private readonly byId = new Map<string, PlannedCustomer>();
  private readonly byRow = new Map<string, PlannedCustomer>();
  readonly persons = new Set<PlannedCustomer>();

  constructor(private readonly known: KnownIdentities) {
    for (const row of known.rows) {
      const { firstSeenAtMs } = row;
      const person: PlannedCustomer = {
        rows: [row],
        newAppUserId: null,
        firstSeenAtMs,
        newIds: new Set(),
        joinedIds: [],
      };
      this.persons.add(person);
      this.byRow.set(row.id, person);
      for (const { appUserId } of row.aliases) this.byId.set(appUserId, person);
    }
  }

  plan(item: ImportedCustomerDto): PlannedItem {
    const notes = new ImportNotes();
    const { erased } = this.known;
    const all = [...new Set([item.id, ...(item.aliases ?? [])])];
    const ids = all.filter((id) => !erased.has(id));
    const named = [...new Set(ids.flatMap((id) => this.byId.get(id) ?? []))];
    if (erased.has(item.id) || (named.length === 0 && ids.length < all.length)) {
      notes.add('', 'the customer was erased here on request and is not created again');
      return { item, person: null, status: 'updated', notes };
    }
    if (ids.length < all.length) notes.add('aliases', 'ids of a customer who was erased here are left out');
    const ownId = this.byId.get(item.id);
    const person = ownId ?? oldest(named) ?? this.create(item);
    const others = named.filter((other) => other !== person);
    const isJoined = this.join(person, others, notes);
    const isNew = person.newAppUserId === item.id && ownId === undefined;
    for (const id of isJoined ? ids : [item.id]) this.assignId(person, id);
    if (!isJoined) for (const id of ids) if (!this.byId.has(id)) this.assignId(person, id);
    this.joinOwners(person, item, notes);
    const isOwn = ownId === person && (others.length === 0 || !isJoined);
    return { item, person, status: isNew ? 'created' : isOwn ? 'updated' : 'merged', notes };
  }

  private create({ id, first_seen_at: firstSeenAtMs }: ImportedCustomerDto): PlannedCustomer {
    const person: PlannedCustomer = {
      rows: [],
      newAppUserId: id,
      firstSeenAtMs: firstSeenAtMs ?? this.known.nowMs,
      newIds: new Set(),
      joinedIds: [],
    };
    this.persons.add(person);
    return person;
  }

  private assignId(person: PlannedCustomer, id: string): void {
    if (this.byId.has(id)) return;
    this.byId.set(id, person);
    if (id !== person.newAppUserId) person.newIds.add(id);
  }

  /** Returns false if they are not merged. */
  private join(person: PlannedCustomer, others: PlannedCustomer[], notes: ImportNotes): boolean {
    const rows = [person, ...others].flatMap((one) => one.rows);
    if (others.length > 0 && rows.length > MAX_JOINED) {
      notes.add('aliases', `the ids belong to ${rows.length} customers, which are not joined`);
      return false;
    }
    const [own] = rows;
    if (own && rows.some((row) => !shareTime(own, row))) {
      notes.add('aliases', 'a customer on a test clock is not joined');
      return false;
    }
    for (const other of others) this.absorb(person, other, notes);
    return true;
  }

  private absorb(person: PlannedCustomer, other: PlannedCustomer, notes: ImportNotes): void {
    for (const row of other.rows) {
      if (isIdentified(row) && person.rows.some(isIdentified)) {
        notes.add('', `merged ${row.originalAppUserId} into ${person.rows[0]?.originalAppUserId ?? ''}`);
      }
    }
    for (const [id, owner] of this.byId) if (owner === other) this.byId.set(id, person);
    for (const row of other.rows) this.byRow.set(row.id, person);
    const joined = other.rows.map(({ originalAppUserId }) => originalAppUserId);
    // An existing customer survives, so a new one only contributes its ids.
    const fresh = [...other.newIds, ...(other.newAppUserId === null ? [] : [other.newAppUserId])];
    if (person.rows.length === 0 && other.rows.length > 0) {
      if (person.newAppUserId !== null) person.newIds.add(person.newAppUserId);
      person.newAppUserId = null;
    }
    person.rows.push(...other.rows);
    for (const id of fresh) person.newIds.add(id);
    person.joinedIds.push(...joined, ...other.joinedIds);
    person.firstSeenAtMs = Math.min(person.firstSeenAtMs, other.firstSeenAtMs);
    this.persons.delete(other);
  }

  /** As with a receipt, an anonymous owner of a purchase is merged into the identified customer who has it. */
  private joinOwners(person: PlannedCustomer, item: ImportedCustomerDto, notes: ImportNotes): void {
    const ids = [...person.newIds, person.newAppUserId ?? ''];
    const isKnown = person.rows.some(isIdentified) || ids.some((id) => id !== '' && !isAnonymousId(id));
    if (!isKnown) return;
    for (const row of this.known.ownersOf(item)) {
      const owner = this.byRow.get(row.id);
      if (!owner || owner === person || owner.rows.some(isIdentified)) continue;
      if (owner.rows.length === 0 || [...owner.newIds].some((id) => !isAnonymousId(id))) continue;
      this.join(person, [owner], notes);
    }
  }

  personOf(row: CustomerRow): PlannedCustomer | undefined {
    return this.byRow.get(row.id);
  }
}

function oldest(persons: PlannedCustomer[]): PlannedCustomer | undefined {
  return persons.reduce<PlannedCustomer | undefined>(
    (first, person) => (first && first.firstSeenAtMs <= person.firstSeenAtMs ? first : person),
    undefined,
  );
}
