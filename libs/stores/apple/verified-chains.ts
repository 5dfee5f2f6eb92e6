import type { KeyObject, X509Certificate } from 'node:crypto';

const MAX_CHAINS = 256;
/** With online checks, a revocation answer is valid for this long. */
const ONLINE_TTL_MS = 15 * 60_000;
const SKEW_MS = 60_000;

interface VerifiedChain {
  key: KeyObject;
  /** Start of the time in which all its certificates are valid, epoch ms. */
  fromMs: number;
  toMs: number;
  checkedAtMs: number;
}

/**
 * Caches pairs of leaf and intermediate certificates. The App Store signs with very few, so most verifications only
 * check one signature.
 */
export class VerifiedChains {
  private readonly chains = new Map<string, VerifiedChain>();

  /** The leaf's key if the pair is cached and was valid at `atMs`; null if the pair must be verified. */
  find(
    leaf: X509Certificate,
    intermediate: X509Certificate,
    atMs: number,
    nowMs: number | null,
  ): KeyObject | null {
    const chain = this.chains.get(keyOf(leaf, intermediate));
    if (!chain || atMs < chain.fromMs - SKEW_MS || atMs > chain.toMs + SKEW_MS) return null;
    return nowMs === null || nowMs - chain.checkedAtMs < ONLINE_TTL_MS ? chain.key : null;
  }

  add(leaf: X509Certificate, intermediate: X509Certificate, key: KeyObject, nowMs: number): void {
    const pair = [leaf, intermediate];
    if (this.chains.size >= MAX_CHAINS) this.chains.delete(this.chains.keys().next().value ?? '');
    this.chains.set(keyOf(leaf, intermediate), {
      key,
      fromMs: Math.max(...pair.map(({ validFrom }) => Date.parse(validFrom))),
      toMs: Math.min(...pair.map(({ validTo }) => Date.parse(validTo))),
      checkedAtMs: nowMs,
    });
  }
}

/** Hashes the whole certificates, so that different ones never share a key. */
function keyOf(leaf: X509Certificate, intermediate: X509Certificate): string {
  return `${leaf.fingerprint512} ${intermediate.fingerprint512}`;
}
