import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import {
  Environment,
  SignedDataVerifier,
  VerificationException,
  VerificationStatus,
} from '@apple/app-store-server-library';
import type { AppleEnvironment } from './apple-app.js';
import { readHeader, readPayload } from './compact-jws.js';
import { validityOf, type VerifiedChain, type VerifiedChains } from './verified-chains.js';

export interface VerifierOptions {
  /** DER-encoded. */
  roots: Buffer[];
  chains: VerifiedChains;
  /** Ask Apple whether certificates were revoked. */
  onlineChecks: boolean;
  nowMs: () => number;
}

interface PayloadRules<Payload> {
  validate(payload: unknown): payload is Payload;
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

  /** Replaces the library's steps, which parse the certificates and the key again for every text. */
  protected override async verifyJWT<Payload>(
    text: string,
    rules: PayloadRules<Payload>,
    signedDateOf: (payload: Payload) => Date,
  ): Promise<Payload> {
    const { header, payload } = readPayload(text);
    if (!rules.validate(payload)) throw new VerificationException(VerificationStatus.FAILURE);
    const { chains, onlineChecks, nowMs } = this.options;
    const effectiveAt = onlineChecks ? new Date(nowMs()) : signedDateOf(payload);
    const known = chains.find(header, effectiveAt.getTime(), onlineChecks ? nowMs() : null);
    if (known) {
      assertSigned(text, known);
      return payload;
    }
    const chain = await this.verifiedChain(header, effectiveAt);
    assertSigned(text, chain.key);
    chains.add(header, chain);
    return payload;
  }

  private async verifiedChain(header: string, effectiveAt: Date): Promise<VerifiedChain> {
    const [leaf, intermediate] = certificatesIn(readHeader(header).x5c);
    try {
      // The library's own cache throws once it holds more than 32 pairs.
      const key = await this.verifyCertificateChainWithoutCaching(
        this.rootCertificates,
        leaf,
        intermediate,
        effectiveAt,
      );
      if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('not a key for ES256');
      const roots = this.rootCertificates.filter(({ subject }) => subject === intermediate.issuer);
      return { key, ...validityOf([leaf, intermediate, ...roots]), checkedAtMs: this.options.nowMs() };
    } catch (error) {
      if (error instanceof VerificationException) throw error;
      throw new VerificationException(VerificationStatus.VERIFICATION_FAILURE);
    }
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

/** The library requires three certificates, and compares the root with its own instead of reading the third. */
function certificatesIn(x5c: unknown): [X509Certificate, X509Certificate] {
  try {
    if (!Array.isArray(x5c) || x5c.length !== 3) throw new RangeError('not three certificates');
    const [leaf, intermediate] = x5c as [string, string];
    return [
      new X509Certificate(Buffer.from(leaf, 'base64')),
      new X509Certificate(Buffer.from(intermediate, 'base64')),
    ];
  } catch {
    throw new VerificationException(VerificationStatus.INVALID_CERTIFICATE);
  }
}

function assertSigned(text: string, key: KeyObject): void {
  const end = text.lastIndexOf('.');
  const signed = Buffer.from(text.slice(0, end), 'latin1');
  const signature = Buffer.from(text.slice(end + 1), 'base64url');
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)) {
    throw new VerificationException(VerificationStatus.VERIFICATION_FAILURE);
  }
}
