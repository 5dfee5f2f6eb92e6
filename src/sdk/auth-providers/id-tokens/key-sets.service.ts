import { Inject, Injectable } from '@nestjs/common';
import { importJWK } from 'jose';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { ParsedIdToken } from './id-token.policy.js';
import { KeySetClient, type KeySource, KeysNotLoaded } from './key-set.client.js';
import { keyFor, type PublicKey } from './key-set.policy.js';

type CryptoKey = Exclude<Awaited<ReturnType<typeof importJWK>>, Uint8Array>;

/** A key and its imports by algorithm; null: the key cannot be imported. */
type KnownKey = PublicKey & { imported: Map<string, Promise<CryptoKey | null>> };

interface KeySet {
  source: KeySource;
  /** Null until a fetch succeeds. */
  keys: KnownKey[] | null;
  freshUntilMs: number;
  triedAtMs: number;
  /** Why the last fetch failed. */
  failure: string;
  loading: Promise<void> | null;
}

/** The provider's keys could not be loaded. */
export class KeysUnavailable extends Error {
  constructor(
    message: string,
    readonly retryAfterS: number,
  ) {
    super(message);
  }
}

const REFETCH_MS = 60_000;
/** Minimum interval between attempts while there are no keys at all. */
const FIRST_FETCH_MS = 5_000;
const MAX_SETS = 2_000;
/** Total over all sets, at most about 4 kB each. */
const MAX_KEYS = 10_000;

/**
 * Key sets by source, so that providers with the same keys share them. Replicas may have different versions: each one
 * fetches the set again when it encounters an unknown key id.
 */
@Injectable()
export class KeySetsService {
  /** Least recently used first. */
  private readonly sets = new Map<string, KeySet>();

  constructor(
    private readonly client: KeySetClient,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Null if the provider has no such key. @throws KeysUnavailable */
  async find(source: KeySource, token: Pick<ParsedIdToken, 'alg' | 'kid'>): Promise<CryptoKey | null> {
    const set = this.setOf(source);
    if (this.clock.nowMs() >= set.freshUntilMs)
      await this.refresh(set, set.keys ? REFETCH_MS : FIRST_FETCH_MS);
    if (!set.keys) {
      const waitMs = set.triedAtMs + FIRST_FETCH_MS - this.clock.nowMs();
      throw new KeysUnavailable(set.failure, Math.max(1, Math.ceil(waitMs / 1000)));
    }
    const known = keyFor(set.keys, token);
    if (known) return imported(known, token.alg);
    await this.refresh(set, REFETCH_MS);
    const found = keyFor(set.keys, token);
    return found && imported(found, token.alg);
  }

  private setOf(source: KeySource): KeySet {
    const name = 'jwksUrl' in source ? `url ${source.jwksUrl}` : `issuer ${source.issuer}`;
    const known = this.sets.get(name);
    this.sets.delete(name);
    const set = known ?? {
      source,
      keys: null,
      freshUntilMs: -Infinity,
      triedAtMs: -Infinity,
      failure: '',
      loading: null,
    };
    this.sets.set(name, set);
    if (!known) this.evict();
    return set;
  }

  /** Does nothing within `pauseMs` of the last attempt. If it fails, existing keys remain. */
  private async refresh(set: KeySet, pauseMs: number): Promise<void> {
    const nowMs = this.clock.nowMs();
    if (!set.loading && nowMs - set.triedAtMs >= pauseMs) {
      set.triedAtMs = nowMs;
      set.loading = this.load(set).finally(() => (set.loading = null));
    }
    await set.loading;
  }

  private async load(set: KeySet): Promise<void> {
    try {
      const { keys, lifetimeMs } = await this.client.fetch(set.source);
      set.keys = keys.map((key) => ({ ...key, imported: new Map() }));
      set.freshUntilMs = this.clock.nowMs() + lifetimeMs;
      this.evict();
    } catch (error) {
      if (!(error instanceof KeysNotLoaded)) throw error;
      set.failure = error.message;
    }
  }

  private evict(): void {
    let keys = 0;
    for (const set of this.sets.values()) keys += set.keys?.length ?? 0;
    for (const [name, set] of this.sets) {
      if (this.sets.size <= MAX_SETS && keys <= MAX_KEYS) return;
      keys -= set.keys?.length ?? 0;
      this.sets.delete(name);
    }
  }
}

function imported(
  { imported: known, ...key }: KnownKey,
  alg: ParsedIdToken['alg'],
): Promise<CryptoKey | null> {
  const before = known.get(alg);
  if (before) return before;
  // A malformed key counts as missing.
  const importing = importJWK(key, alg).then(
    (value) => (value instanceof Uint8Array ? null : value),
    () => null,
  );
  known.set(alg, importing);
  return importing;
}
