import type { Actor } from '../../platform/audit/project-write.js';
import type { Transaction } from '../../platform/database/database.service.js';

/** Why all clients of a user are disconnected: an attacker may have authorized them. */
export type DisconnectReason = 'email_confirmed' | 'password_changed';

/** OAuth clients authorized by users. Implemented by the agents area. */
export abstract class ConnectedClients {
  /** Revokes all of a user's clients, as a password change ends sessions. */
  abstract disconnectAll(
    tx: Transaction,
    userId: string,
    reason: DisconnectReason,
    actor?: Actor,
  ): Promise<void>;
}
