import { applyChain, type ChainChange, grantRevocation } from '../../../libs/engine/index.js';
import type { OwnedChain } from '../../customers/customers/customer-purchases.js';

/** A promotional grant taken back at `nowMs`. */
export function revokedGrant({ chain, state }: OwnedChain, nowMs: number): ChainChange {
  const grant = { key: chain.chainKey, grantedAtMs: state.startedAtMs };
  return applyChain(chain, grantRevocation(grant, nowMs), nowMs);
}
