import type { Transaction } from '../database/database.service.js';

/** How people may sign in. The enterprise edition refuses passwords where an organization requires its own provider. */
export abstract class SignInPolicy {
  /** Whether this server offers sign-in through identity providers. */
  abstract readonly offersSso: boolean;

  /** @throws ApiError 403 `sso_required`, with the address to sign in at, if passwords of this address are refused */
  abstract assertPasswordAllowed(email: string, tx?: Transaction): Promise<void>;

  /** Before an account goes. @throws ApiError 422 if an organization would be left without an owner */
  abstract assertMayLeave(tx: Transaction, userId: string): Promise<void>;
}
