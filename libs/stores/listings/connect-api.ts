import { SignJWT } from 'jose';
import { isJsonObject } from '../../kernel/index.js';
import type { CircuitBreaker } from '../circuit-breaker.js';
import { privateKeyIn } from '../private-keys.js';
import { storeFetch } from '../store-fetch.js';
import { ConnectCallFailed, connectFailure, connectRefusal } from './connect-call-failed.js';
import { type JsonRecord, objectOf, objectsOf, textOf } from './json-values.js';
import type { ListPage } from './listed-product.js';

/** A team key of App Store Connect. The in-app purchase key does not open this API. */
export interface ConnectKey {
  /** PKCS#8, P-256. */
  privateKeyPem: string;
  keyId: string;
  issuerId: string;
}

export interface ConnectServices {
  /** Has no trailing slash. */
  url: string;
  nowMs: () => number;
  breaker: CircuitBreaker;
}

export const connectApiUrl = 'https://api.appstoreconnect.apple.com';

const AUDIENCE = 'appstoreconnect-v1';
/** Apple accepts at most 20 minutes. */
const TOKEN_LIFETIME_S = 600;

/** One page of resources, with the related ones that were asked for. */
export interface ConnectPage extends ListPage<JsonRecord> {
  included: JsonRecord[];
}

/** Client of the App Store Connect API until a deadline. Every failure is a `ConnectCallFailed`. */
export class ConnectApi {
  private token: Promise<string> | null = null;

  constructor(
    private readonly key: ConnectKey,
    private readonly services: ConnectServices,
    private readonly deadline: AbortSignal,
  ) {}

  /** A page of a list; `after` is the `next` of the page before. Never follows the addresses in Apple's answers. */
  async page(path: string, query: Record<string, string>, after: string | null = null): Promise<ConnectPage> {
    try {
      const answer = await this.get(path, { ...query, ...(after !== null && { cursor: after }) });
      if (!Array.isArray(answer.data)) throw new TypeError('This is not a list of App Store Connect.');
      const link = textOf(objectOf(answer.links).next);
      const next = link === null ? null : new URL(link).searchParams.get('cursor');
      return { items: objectsOf(answer.data), included: objectsOf(answer.included), next };
    } catch (error) {
      throw connectFailure(error);
    }
  }

  private async get(path: string, query: Record<string, string>): Promise<JsonRecord> {
    const { url, breaker } = this.services;
    this.token ??= this.newToken();
    const answer = await storeFetch(
      breaker,
      `${url} ${this.key.keyId}`,
      `${url}${path}?${new URLSearchParams(query).toString()}`,
      {
        method: 'GET',
        headers: { authorization: `Bearer ${await this.token}`, accept: 'application/json' },
        signal: this.deadline,
      },
    );
    const body = answer.jsonOrNull();
    if (!answer.ok) throw connectRefusal(answer, body);
    if (!isJsonObject(body)) throw new TypeError('This is not an answer of App Store Connect.');
    return body;
  }

  private async newToken(): Promise<string> {
    const { privateKeyPem, keyId, issuerId } = this.key;
    const key = privateKeyIn(privateKeyPem);
    if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
      const message = 'The App Store Connect API key (app_store_connect_api_key) cannot be read.';
      throw new ConnectCallFailed('credentials', message);
    }
    const nowS = Math.floor(this.services.nowMs() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
      .setIssuer(issuerId)
      .setAudience(AUDIENCE)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + TOKEN_LIFETIME_S)
      .sign(key);
  }
}
