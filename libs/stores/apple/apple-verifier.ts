import { VerificationException, VerificationStatus } from '@apple/app-store-server-library';
import type { AppleApp, AppleEnvironment } from './apple-app.js';
import { CachedVerifier, type VerifierOptions } from './cached-verifier.js';
import { readPayload } from './compact-jws.js';
import { NotGenuine } from './not-genuine.js';
import {
  assertAppTransaction,
  assertNotification,
  assertRenewal,
  assertRetentionFields,
  assertTransaction,
} from './payload-rules.js';
import { assertRetentionRequest, type SignedRetentionRequest } from './retention-request.js';
import { unknownOf } from '../unknown-values.js';
import { appleRoots } from './roots.js';
import type {
  SignedAppTransaction,
  SignedNotification,
  SignedRenewal,
  SignedTransaction,
} from './signed-data.js';
import { VerifiedChains } from './verified-chains.js';

export interface AppleTrust {
  /** DER of additional roots, for tests. */
  extraRoots: Buffer[];
  onlineChecks: boolean;
  nowMs: () => number;
}

/** Maximum number of cached verifiers: creating one parses the roots again. */
const MAX_VERIFIERS = 512;

type AppNames = Pick<AppleApp, 'bundleId' | 'appAppleId'>;

const messages: Partial<Record<VerificationStatus, string>> = {
  [VerificationStatus.INVALID_APP_IDENTIFIER]: 'The data is signed for another app.',
  [VerificationStatus.INVALID_ENVIRONMENT]: 'The data is signed for another environment.',
  [VerificationStatus.INVALID_CERTIFICATE]: 'The certificates of the signature are not valid.',
};

const environments: ReadonlySet<unknown> = new Set(['Production', 'Sandbox', 'Xcode', 'LocalTesting']);

function environmentIn(payload: Record<string, unknown>): unknown {
  const parts = [payload, payload.data, payload.summary, payload.appData].map(
    (part) => (part ?? {}) as Record<string, unknown>,
  );
  return payload.receiptType ?? parts.find(({ environment }) => environment !== undefined)?.environment;
}

function isSandboxToken(payload: Record<string, unknown>): boolean {
  const token = payload.externalPurchaseToken as { externalPurchaseId?: unknown } | undefined;
  const id = token?.externalPurchaseId;
  return typeof id === 'string' && id.startsWith('SANDBOX');
}

/**
 * The claimed environment only selects the verifier, which compares it with the signed one.
 * @throws NotGenuine for an environment that the App Store does not sign for
 */
function claimedEnvironment(payload: Record<string, unknown>): AppleEnvironment {
  const claimed = environmentIn(payload);
  if (claimed === 'Production' || claimed === 'Sandbox') return claimed;
  if (claimed === undefined && payload.externalPurchaseToken !== undefined) {
    return isSandboxToken(payload) ? 'Sandbox' : 'Production';
  }
  const unknown = unknownOf('environment', claimed, environments);
  throw new NotGenuine('The data names no environment of the App Store.', unknown);
}

/** Verifies signature, certificates, app, environment and required fields. Throws NotGenuine otherwise. */
export class AppleVerifier {
  private readonly options: VerifierOptions;
  private readonly offline: VerifierOptions;
  private readonly verifiers = new Map<string, CachedVerifier>();

  constructor(private readonly trust: AppleTrust) {
    const { extraRoots, onlineChecks, nowMs } = trust;
    const chains = new VerifiedChains();
    this.options = { roots: [...appleRoots(), ...extraRoots], chains, onlineChecks, nowMs };
    this.offline = { ...this.options, onlineChecks: false };
  }

  async transaction(app: AppNames, jws: string): Promise<SignedTransaction> {
    const payload = await this.verified(app, jws, (verifier) => verifier.verifyAndDecodeTransaction(jws));
    assertTransaction(payload, this.trust.nowMs());
    return payload;
  }

  async renewal(app: AppNames, jws: string): Promise<SignedRenewal> {
    const payload = await this.verified(app, jws, (verifier) => verifier.verifyAndDecodeRenewalInfo(jws));
    assertRenewal(payload, this.trust.nowMs());
    return payload;
  }

  async notification(app: AppNames, jws: string): Promise<SignedNotification> {
    const payload = await this.verified(app, jws, (verifier) => verifier.verifyAndDecodeNotification(jws));
    assertNotification(payload, this.trust.nowMs());
    return payload;
  }

  /** Also requires that the app's number is known, and that Apple signed the request lately. */
  async retentionRequest(app: AppNames, jws: string): Promise<SignedRetentionRequest> {
    const payload = await this.verified(app, jws, (verifier) => verifier.verifyAndDecodeRealtimeRequest(jws));
    assertRetentionFields(payload, this.trust.nowMs());
    assertRetentionRequest(payload, app, this.trust.nowMs());
    return payload;
  }

  async appTransaction(app: AppNames, jws: string): Promise<SignedAppTransaction> {
    const { payload: claimed } = readPayload(jws);
    // The library compares the app's number even if none is known.
    const appAppleId = app.appAppleId ?? (claimed.appAppleId as number | undefined) ?? null;
    const names = { bundleId: app.bundleId, appAppleId };
    const payload = await this.verified(names, jws, (verifier) =>
      verifier.verifyAndDecodeAppTransaction(jws),
    );
    assertAppTransaction(payload, this.trust.nowMs());
    return payload;
  }

  private async verified<Payload>(
    app: AppNames,
    jws: string,
    decode: (verifier: CachedVerifier) => Promise<Payload>,
  ): Promise<Payload> {
    const environment = claimedEnvironment(readPayload(jws).payload);
    const attempt = (options: VerifierOptions): Promise<Payload> =>
      decode(this.verifierOf(options, environment, app));
    try {
      return await attempt(this.options);
    } catch (error) {
      if (isUnreachable(error)) {
        // The signature still counts if Apple's revocation service does not answer.
        return attempt(this.offline).catch((again: unknown) => {
          throw notGenuine(again);
        });
      }
      throw notGenuine(error);
    }
  }

  private verifierOf(
    options: VerifierOptions,
    environment: AppleEnvironment,
    { bundleId, appAppleId }: AppNames,
  ): CachedVerifier {
    const key = JSON.stringify([options.onlineChecks, environment, bundleId, appAppleId]);
    const known = this.verifiers.get(key);
    if (known) return known;
    if (this.verifiers.size >= MAX_VERIFIERS) this.verifiers.delete(this.verifiers.keys().next().value ?? '');
    const verifier = new CachedVerifier(options, environment, bundleId, appAppleId);
    this.verifiers.set(key, verifier);
    return verifier;
  }
}

function isUnreachable(error: unknown): boolean {
  return (
    error instanceof VerificationException &&
    error.status === VerificationStatus.RETRYABLE_VERIFICATION_FAILURE
  );
}

function notGenuine(error: unknown): unknown {
  if (!(error instanceof VerificationException)) return error;
  return new NotGenuine(messages[error.status] ?? "The signature is not the App Store's.");
}
