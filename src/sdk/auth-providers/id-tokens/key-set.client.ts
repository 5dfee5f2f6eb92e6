import { Injectable } from '@nestjs/common';
import { OutboundRequestFailed, OutboundUrlRefused } from '../../../platform/outbound/outbound-errors.js';
import type { OutboundResponse } from '../../../platform/outbound/outbound-http.client.js';
import { ProviderHttpClient } from '../../../platform/outbound/provider-http.client.js';
import { jsonObjectOf, keySetLifetimeMs, parseKeySet, type PublicKey } from './key-set.policy.js';

/** The source of a provider's keys: their URL, or the issuer with its discovery document. */
export type KeySource = { jwksUrl: string } | { issuer: string };

export interface FetchedKeys {
  keys: PublicKey[];
  lifetimeMs: number;
}

/** The message is intended for the project's members. */
export class KeysNotLoaded extends Error {}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_000_000;

/** Fetches key sets from the URLs in projects' settings. */
@Injectable()
export class KeySetClient {
  constructor(private readonly http: ProviderHttpClient) {}

  /** Checks a URL before it is saved; every request checks it again. @throws OutboundUrlRefused */
  checkUrl(url: string): Promise<void> {
    return this.http.checkUrl(url);
  }

  /** @throws KeysNotLoaded */
  async fetch(source: KeySource): Promise<FetchedKeys> {
    const url = 'jwksUrl' in source ? source.jwksUrl : await this.discover(source.issuer);
    const { body, headers } = await this.get(url, 'key set');
    const keys = parseKeySet(body);
    if (!keys) throw new KeysNotLoaded('The key set is not a JWK set.');
    return { keys, lifetimeMs: keySetLifetimeMs(headers['cache-control']) };
  }

  private async discover(issuer: string): Promise<string> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { body } = await this.get(url, 'discovery document');
    const document = jsonObjectOf(body);
    if (!document) throw new KeysNotLoaded('The discovery document is not a JSON object.');
    if (document.issuer !== issuer) {
      throw new KeysNotLoaded('The discovery document is of another issuer.');
    }
    if (typeof document.jwks_uri !== 'string') {
      throw new KeysNotLoaded('The discovery document has no jwks_uri.');
    }
    return document.jwks_uri;
  }

  private async get(url: string, what: string): Promise<OutboundResponse> {
    const response = await this.send(url, what);
    if (response.status !== 200) {
      throw new KeysNotLoaded(`The ${what} was answered with status ${response.status}.`);
    }
    if (Buffer.byteLength(response.body) > MAX_BYTES) {
      throw new KeysNotLoaded(`The ${what} is larger than ${MAX_BYTES} bytes.`);
    }
    return response;
  }

  private async send(url: string, what: string): Promise<OutboundResponse> {
    try {
      return await this.http.send({
        method: 'GET',
        url,
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES + 1,
      });
    } catch (error) {
      if (!(error instanceof OutboundRequestFailed) && !(error instanceof OutboundUrlRefused)) throw error;
      throw new KeysNotLoaded(`The ${what} could not be fetched: ${error.message}`);
    }
  }
}
