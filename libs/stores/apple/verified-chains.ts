import type { KeyObject, X509Certificate } from 'node:crypto';

const MAX_CHAINS = 256;
/** With online checks, a revocation answer is valid for this long. */
const ONLINE_TTL_MS = 15 * 60_000;
const SKEW_MS = 60_000;

export interface VerifiedChain {
  key: KeyObject;
  /** Start of the time in which all its certificates are valid, epoch ms. */
  fromMs: number;
  toMs: number;
  checkedAtMs: number;
}

/** The validity of a chain ends with that of its first certificate to expire. */
export function validityOf(certificates: X509Certificate[]): Pick<VerifiedChain, 'fromMs' | 'toMs'> {
  return {
    fromMs: Math.max(...certificates.map(({ validFrom }) => Date.parse(validFrom))),
    toMs: Math.min(...certificates.map(({ validTo }) => Date.parse(validTo))),
  };
}

/**
 * Caches verified certificate chains by the encoded header that contains them (`alg` and the whole `x5c`), so headers
 * that differ in one byte never share a chain. The App Store signs with very few, so most verifications only check one
 * signature.
 */
export class VerifiedChains {
  private readonly chains = new Map<string, VerifiedChain>();

  /** The leaf's key if the chain is cached and was valid at `atMs`; null if it must be verified. */
  find(header: string, atMs: number, nowMs: number | null): KeyObject | null {
    const chain = this.chains.get(header);
    if (!chain) return null;
    const isValid = atMs >= chain.fromMs - SKEW_MS && atMs <= chain.toMs + SKEW_MS;
    if (!isValid) return null;
    return nowMs === null || nowMs - chain.checkedAtMs < ONLINE_TTL_MS ? chain.key : null;
  }

  /** Only for a header whose signature was verified, so that only Apple can fill the cache. */
  add(header: string, chain: VerifiedChain): void {
    const [oldest] = this.chains.keys();
    if (this.chains.size >= MAX_CHAINS && oldest !== undefined) this.chains.delete(oldest);
    this.chains.set(header, chain);
  }
}
