import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import {
  type ManagedMember,
  ManagedMembersRepository,
  type SignInRecord,
} from './managed-members.repository.js';

/** Memberships that an identity provider asserts or provisions. */
@Injectable()
export class ManagedMembersService {
  constructor(private readonly repository: ManagedMembersRepository) {}

  /** Locks the row. Returns null if the person is not a member. */
  find(tx: Transaction, orgId: string, userId: string): Promise<ManagedMember | null> {
    return this.repository.find(tx, orgId, userId);
  }

  hasOtherOwner(tx: Transaction, orgId: string, userId: string): Promise<boolean> {
    return this.repository.hasOtherOwner(tx, orgId, userId);
  }

  /** Keeps the role and source of an existing member. */
  activate(tx: Transaction, orgId: string, userId: string, source: 'scim' | 'sso', now: Date): Promise<void> {
    return this.repository.activate(tx, orgId, userId, source, now);
  }

  deactivate(tx: Transaction, orgId: string, userId: string): Promise<void> {
    return this.repository.deactivate(tx, orgId, userId);
  }

  recordSignIn(tx: Transaction, record: SignInRecord): Promise<void> {
    return this.repository.recordSignIn(tx, record);
  }

  /** Whether the organization has verified the email's domain. Stays true until `tx` ends. */
  isVerified(tx: Transaction, orgId: string, email: string): Promise<boolean> {
    return this.repository.isVerified(tx, orgId, email);
  }

  /** Whether SCIM provisioning has marked this address as inactive. */
  isDeactivated(tx: Transaction, orgId: string, email: string): Promise<boolean> {
    return this.repository.isDeactivated(tx, orgId, email);
  }
}
