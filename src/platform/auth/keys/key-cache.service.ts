import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../config/clock.token.js';
import type { Transaction } from '../../database/database.service.js';
import { ChangeMarks } from '../../database/connections/change-marks.js';
import { NotificationListenerService } from '../../database/connections/notification-listener.service.js';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../../principal/principal.js';

export type KeyPrincipal = PublicKeyPrincipal | SecretKeyPrincipal;

interface Entry {
  principal: KeyPrincipal;
  validUntilMs: number;
}

export const KEYS_CHANGED = 'tenure_keys_changed';

const MAX_ENTRIES = 20_000;
const TTL_MS = 30_000;
/** Maximum age of a cached key while this replica receives no notifications. */
const TTL_UNHEARD_MS = 1_000;

/** Drops the project's cached keys in every replica once `tx` commits. Call it when a key is deleted or replaced. */
export async function keysChanged(tx: Transaction, projectId: string): Promise<void> {
  await tx.notify(KEYS_CHANGED, projectId);
}

/**
 * Principals by `Authorization` header, so that hot routes query the database once. Every replica drops its
 * entries when a key changes (NOTIFY); without notifications an entry lives one second.
 */
@Injectable()
export class KeyCacheService {
  private readonly entries = new Map<string, Entry>();
  private readonly marks = new ChangeMarks();

  constructor(
    private readonly listener: NotificationListenerService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    listener.on(KEYS_CHANGED, (projectId) => this.drop(projectId));
  }

  /** Increases whenever a key may have changed. Read it before looking up a key. */
  get version(): number {
    return this.marks.mark;
  }

  get(header: string): KeyPrincipal | undefined {
    const entry = this.entries.get(header);
    if (entry === undefined) return undefined;
    if (entry.validUntilMs > this.clock.nowMs() && this.listener.connected) return entry.principal;
    if (entry.validUntilMs - TTL_MS + TTL_UNHEARD_MS > this.clock.nowMs()) return entry.principal;
    this.entries.delete(header);
    return undefined;
  }

  /** Caches a lookup started at `version`, unless a key of the project has changed since. */
  set(header: string, principal: KeyPrincipal, version: number): void {
    if (this.marks.hasChanged(version, principal.projectId)) return;
    // Evict the oldest: a Map keeps insertion order.
    if (this.entries.size >= MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value ?? '');
    this.entries.set(header, { principal, validUntilMs: this.clock.nowMs() + TTL_MS });
  }

  /** An empty project means that any key may have changed. */
  private drop(projectId: string): void {
    if (projectId === '') {
      this.marks.noteAll();
      this.entries.clear();
      return;
    }
    this.marks.note(projectId);
    for (const [header, { principal }] of this.entries)
      if (principal.projectId === projectId) this.entries.delete(header);
  }
}
