import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { isJsonObject } from '../../../../libs/kernel/index.js';
import {
  isParamsHash,
  nonceOf,
  paramsHashHolds,
  type SdkSigner,
  sdkSigner,
} from '../../../../libs/signing/index.js';
import { Config } from '../../config/config.js';
import { ApiError } from '../errors/api-error.js';
import { type ApiRequest, wirePath } from './request.js';

const BEARER = /^bearer +/i;
const RECEIPTS = '/v1/receipts';
const REMOTE_CONFIG = '/v1/config/app';
const hashHeaders = { 'x-post-params-hash': isParamsHash, 'x-headers-hash': isParamsHash };

function header(request: ApiRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

/**
 * Malformed signing headers count as absent where a 4xx does harm: the SDK would finish the purchase, or do without
 * remote configuration.
 */
function forgive({ headers }: ApiRequest): void {
  const isSound = { 'x-nonce': (text: string) => nonceOf(text) !== null, ...hashHeaders };
  for (const [name, holds] of Object.entries(isSound)) {
    const value = headers[name];
    if (value !== undefined && !(typeof value === 'string' && holds(value))) delete headers[name];
  }
}

/** Signs SDK responses (Trusted Entitlements), if `SERVICE_SIGNING_KEY` is set. */
@Injectable()
export class AnswerSigningService {
  private readonly signer: SdkSigner | null;
  /** Threads help only if other cores are idle; on a fully loaded machine they just add cost. */
  private readonly onThreads: boolean;

  constructor(config: Config) {
    this.onThreads = availableParallelism() > config.workers;
    this.signer = config.signingKey === null ? null : sdkSigner(config.signingKey);
  }

  /** Base64 of the raw root public key; null if responses are not signed. */
  get publicKey(): string | null {
    return this.signer?.publicKey ?? null;
  }

  /** Enables signing of this response. Only paths below /v1: SDKs verify no others. */
  prepare(request: ApiRequest): void {
    const { signer } = this;
    if (signer === null || !request.originalUrl.startsWith('/v1/')) return;
    const path = wirePath(request);
    if (path === RECEIPTS || path === REMOTE_CONFIG) forgive(request);
    request.signAnswer = (body, etag, done) => {
      const nonce = header(request, 'x-nonce');
      const answer = {
        key: header(request, 'authorization')?.replace(BEARER, '') ?? null,
        nonce: nonce === null ? null : nonceOf(nonce),
        path: wirePath(request),
        paramsHash: header(request, 'x-post-params-hash'),
        headersHash: header(request, 'x-headers-hash'),
        requestTimeMs: request.asOfMs ?? request.receivedAtMs,
        etag,
        body,
      };
      if (this.onThreads) signer.signOnThread(answer, request.receivedAtMs, done);
      else done(null, signer.sign(answer, request.receivedAtMs));
    };
  }

  /**
   * Rejects headers that do not match the body: a signed response to a request altered in transit would vouch for the
   * alteration. Remote configuration is answered instead without vouching for the header, so that the SDK rejects the
   * answer. Returns undefined if the request is intact or nothing is signed.
   */
  problemOf(request: ApiRequest): ApiError | undefined {
    if (request.signAnswer === undefined) return undefined;
    const nonce = header(request, 'x-nonce');
    if (nonce !== null && nonceOf(nonce) === null)
      return ApiError.parameter('X-Nonce', 'X-Nonce must be 12 bytes in base64.');
    const body: unknown = request.body;
    const fields = isJsonObject(body) ? body : {};
    const fieldOf = (name: string): string | null => {
      const value = Object.hasOwn(fields, name) ? fields[name] : null;
      return typeof value === 'string' ? value : null;
    };
    const headerOf = (name: string): string | null => header(request, name.toLowerCase());
    for (const [name, valueOf] of [
      ['X-Post-Params-Hash', fieldOf],
      ['X-Headers-Hash', headerOf],
    ] as const) {
      const claimed = headerOf(name);
      if (claimed === null || paramsHashHolds(claimed, valueOf)) continue;
      if (wirePath(request) === REMOTE_CONFIG) delete request.headers[name.toLowerCase()];
      else return ApiError.parameter(name, `${name} does not match the received body.`);
    }
    return undefined;
  }
}
