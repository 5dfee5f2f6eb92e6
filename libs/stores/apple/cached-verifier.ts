import type { KeyObject, X509Certificate } from 'node:crypto';
import {
  Environment,
  SignedDataVerifier,
  VerificationException,
  VerificationStatus,
} from '@apple/app-store-server-library';
import type { AppleEnvironment } from './apple-app.js';
import type { VerifiedChains } from './verified-chains.js';

export interface VerifierOptions {
  /** DER-encoded. */
  roots: Buffer[];
  chains: VerifiedChains;
  /** Ask Apple whether certificates were revoked. */
  onlineChecks: boolean;
  nowMs: () => number;
}

/** The library requires a number in production; `verifyNotification` treats this one as unknown. */
const NO_APPLE_ID = 0;

/** The library's default is half a minute, too long for a caller that waits. */
const ONLINE_TIMEOUT_MS = 3_000;

/** For production and sandbox only: in its other environments, the library checks no signatures. */
export class CachedVerifier extends SignedDataVerifier {
  constructor(
    private readonly options: VerifierOptions,
    environment: AppleEnvironment,
    bundleId: string,
    appAppleId: number | null,
  ) {
    const known = environment === 'Production' ? Environment.PRODUCTION : Environment.SANDBOX;
    super(options.roots, options.onlineChecks, known, bundleId, appAppleId ?? NO_APPLE_ID);
  }

  protected override verifyNotification(bundleId?: string, appAppleId?: number, environment?: string): void {
    const compared = this.appAppleId === NO_APPLE_ID ? NO_APPLE_ID : appAppleId;
    super.verifyNotification(bundleId, compared, environment);
  }

  protected override async verifyCertificateChain(
    trustedRoots: X509Certificate[],
    leaf: X509Certificate,
    intermediate: X509Certificate,
    effectiveDate: Date,
  ): Promise<KeyObject> {
    const { chains, onlineChecks, nowMs } = this.options;
    const now = nowMs();
    const known = chains.find(leaf, intermediate, effectiveDate.getTime(), onlineChecks ? now : null);
    if (known) return known;
    // The library's own cache throws once it holds more than 32 pairs.
    const key = await this.verifyCertificateChainWithoutCaching(
      trustedRoots,
      leaf,
      intermediate,
      effectiveDate,
    );
    chains.add(leaf, intermediate, key, now);
    return key;
  }

  protected override async checkOCSPStatus(cert: X509Certificate, issuer: X509Certificate): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<never>((_, reject) => {
      const error = new VerificationException(VerificationStatus.RETRYABLE_VERIFICATION_FAILURE);
      timer = setTimeout(() => reject(error), ONLINE_TIMEOUT_MS);
    });
    try {
      await Promise.race([super.checkOCSPStatus(cert, issuer), timeUp]);
    } finally {
      clearTimeout(timer);
    }
  }
}
