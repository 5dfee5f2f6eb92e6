import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import {
  type ManagedMember,
  ManagedMembersRepository,
  type SignInRecord,
} from './managed-members.repository.js';

/** Places in an organization of people whom its identity provider vouches for or provisions. */
@Injectable()
export class ManagedMembersService {
  constructor(private readonly repository: ManagedMembersRepository) {}

  /** Locks the row. Null if the person is not a member. */
  find(tx: Transaction, orgId: string, userId: string): Promise<ManagedMember | null> {
    return this.repository.find(tx, orgId, userId);
  }

  hasOtherOwner(tx: Transaction, orgId: string, userId: string): Promise<boolean> {
    return this.repository.hasOtherOwner(tx, orgId, userId);
  }

  /** Role and source of a present member stay. */
  activate(tx: Transaction, orgId: string, userId: string, source: 'scim' | 'sso', now: Date): Promise<void> {
    return this.repository.activate(tx, orgId, userId, source, now);
  }

  deactivate(tx: Transaction, orgId: string, userId: string): Promise<void> {
    return this.repository.deactivate(tx, orgId, userId);
  }

  recordSignIn(tx: Transaction, record: SignInRecord): Promise<void> {
    return this.repository.recordSignIn(tx, record);
  }

  /** Whether the organization has proven the domain of an address. It stays proven until `tx` ends. */
  isVerified(tx: Transaction, orgId: string, email: string): Promise<boolean> {
    return this.repository.isVerified(tx, orgId, email);
  }

  /** Whether provisioning has described the person of an address as not active. */
  isDeactivated(tx: Transaction, orgId: string, email: string): Promise<boolean> {
    return this.repository.isDeactivated(tx, orgId, email);
  }
}
