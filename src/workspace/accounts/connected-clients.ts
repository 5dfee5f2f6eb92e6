import type { Actor } from '../../platform/audit/project-write.js';
import type { Transaction } from '../../platform/database/database.service.js';

/** Why all clients of a person are disconnected: another person may have let them in. */
export type DisconnectReason = 'email_confirmed' | 'password_changed';

/** The programs that people let in. The agents area provides it. */
export abstract class ConnectedClients {
  /** Ends all that a person let clients do, as a change of the password ends sessions. */
  abstract disconnectAll(
    tx: Transaction,
    userId: string,
    reason: DisconnectReason,
    actor?: Actor,
  ): Promise<void>;
}
