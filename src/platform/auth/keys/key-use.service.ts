import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../config/clock.token.js';
import type { SecretKeyPrincipal } from '../../principal/principal.js';
import { KeyCredentials } from '../credential-lookups.js';

const NOTE_EVERY_MS = 60_000;

/** Records when secret keys were last used. */
@Injectable()
export class KeyUseService {
  /** When the use of a key was last recorded. Entries are collected together with the key's cached principal. */
  private readonly notedAtMs = new WeakMap<SecretKeyPrincipal, number>();

  constructor(
    private readonly keys: KeyCredentials,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The statement writes at most once a minute; calling it less often saves the round trip. */
  note(key: SecretKeyPrincipal): void {
    const nowMs = this.clock.nowMs();
    if (nowMs - (this.notedAtMs.get(key) ?? 0) < NOTE_EVERY_MS) return;
    this.notedAtMs.set(key, nowMs);
    void this.keys.recordUse(key.projectId, key.keyId, new Date(nowMs)).catch(() => undefined);
  }
}
