import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { isJsonObject } from '../../kernel/index.js';

/** Fetches one of Roku's addresses. @throws any error if it fails */
export type ReadRokuAddress = (url: string) => Promise<{ status: number; body: string }>;

/** Roku's keys could not be read; the message may be genuine. */
export class RokuKeysUnavailable extends Error {
  constructor() {
    super("Roku's signing keys cannot be loaded now.");
    this.name = 'RokuKeysUnavailable';
  }
}

const TTL_MS = 3_600_000;
/** Minimum time between reads caused by an unknown key, which may be new. */
const AGAIN_AFTER_MS = 60_000;

interface Loaded {
  find: JWTVerifyGetKey;
  atMs: number;
}

function isUnknownKey(error: unknown): boolean {
  return error instanceof errors.JOSEError && error.code === 'ERR_JWKS_NO_MATCHING_KEY';
}

/** The public keys at one address, cached for an hour. */
export class RokuKeys {
  private loaded: Loaded | null = null;
  private loading: Promise<Loaded> | null = null;

  constructor(
    private readonly url: string,
    private readonly read: ReadRokuAddress,
    private readonly nowMs: () => number,
  ) {}

  /** @throws RokuKeysUnavailable; a `JOSEError` if there is no such key */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const { keys, isFresh } = await this.current();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!isUnknownKey(error) || isFresh || this.nowMs() - keys.atMs < AGAIN_AFTER_MS) throw error;
      return (await this.load()).find(header, token);
    }
  };

  /** Uses outdated keys while newer ones cannot be read. */
  private async current(): Promise<{ keys: Loaded; isFresh: boolean }> {
    const { loaded } = this;
    if (loaded && this.nowMs() - loaded.atMs < TTL_MS) return { keys: loaded, isFresh: false };
    try {
      return { keys: await this.load(), isFresh: true };
    } catch (error) {
      if (loaded) return { keys: loaded, isFresh: true };
      throw error;
    }
  }

  private load(): Promise<Loaded> {
    this.loading ??= this.readKeys().finally(() => {
      this.loading = null;
    });
    return this.loading;
  }

  private async readKeys(): Promise<Loaded> {
    const atMs = this.nowMs();
    try {
      const { status, body } = await this.read(this.url);
      const json: unknown = status === 200 ? JSON.parse(body) : null;
      if (!isJsonObject(json)) throw new RokuKeysUnavailable();
      this.loaded = { find: createLocalJWKSet(json as unknown as JSONWebKeySet), atMs };
      return this.loaded;
    } catch {
      throw new RokuKeysUnavailable();
    }
  }
}
