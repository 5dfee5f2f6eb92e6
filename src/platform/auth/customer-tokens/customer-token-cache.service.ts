import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../config/clock.token.js';
import type { Transaction } from '../../database/database.service.js';
import { ChangeMarks } from '../../database/connections/change-marks.js';
import { NotificationListenerService } from '../../database/connections/notification-listener.service.js';
import type { CustomerTokenPrincipal } from '../../principal/principal.js';
import { KEYS_CHANGED } from '../keys/key-cache.service.js';

const SESSIONS_ENDED = 'tenure_customer_sessions_ended';

const MAX_ENTRIES = 20_000;
/** After this time a token is verified again, which also records its use. */
const TTL_MS = 60_000;
/** Maximum age of an entry while this replica receives no notifications. */
const TTL_UNHEARD_MS = 1_000;

/** Causes every replica to verify the tokens of a session again once `tx` commits. */
export async function customerSessionChanged(
  tx: Transaction,
  projectId: string,
  sessionId: string,
): Promise<void> {
  await tx.notify(SESSIONS_ENDED, `${projectId}/${sessionId}`);
}

/** Does the same for all sessions of a project. */
export async function customerSessionsChanged(tx: Transaction, projectId: string): Promise<void> {
  await tx.notify(SESSIONS_ENDED, projectId);
}

interface Entry {
  principal: CustomerTokenPrincipal;
  cachedAtMs: number;
  validUntilMs: number;
}

const keyOf = (issuer: string, authorization: string): string =>
  hash('sha256', `${issuer} ${authorization}`, 'base64url');

/**
 * Customers by the hash of their verified access token, so that hot routes neither verify a signature nor query the
 * database. Every replica drops the tokens of a session that ends (NOTIFY); without notifications an entry lives one
 * second.
 */
@Injectable()
export class CustomerTokenCacheService {
  private readonly entries = new Map<string, Entry>();
  private readonly keysOfSession = new Map<string, Set<string>>();
  private readonly marks = new ChangeMarks();

  constructor(
    private readonly listener: NotificationListenerService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    listener.on(SESSIONS_ENDED, (payload) => this.drop(payload));
    // An app or a project may have been deleted.
    listener.on(KEYS_CHANGED, (projectId) => this.drop(projectId));
  }

  /** Increases whenever a session may have ended. Read it before looking up a session. */
  get version(): number {
    return this.marks.mark;
  }

  get(issuer: string, authorization: string): CustomerTokenPrincipal | undefined {
    const key = keyOf(issuer, authorization);
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    const nowMs = this.clock.nowMs();
    const isFresh = this.listener.connected || entry.cachedAtMs + TTL_UNHEARD_MS > nowMs;
    if (isFresh && entry.validUntilMs > nowMs) return entry.principal;
    this.delete(key, entry);
    return undefined;
  }

  /** Caches a lookup started at `version` until `endsAtMs`, unless the session may have ended since. */
  set(
    issuer: string,
    authorization: string,
    principal: CustomerTokenPrincipal,
    { version, endsAtMs }: { version: number; endsAtMs: number },
  ): void {
    const { projectId, sessionId } = principal;
    if (this.marks.hasChanged(version, projectId, `${projectId}/${sessionId}`)) return;
    // Evict the oldest: a Map keeps insertion order.
    const [oldest] = this.entries.size >= MAX_ENTRIES ? this.entries : [];
    if (oldest) this.delete(...oldest);
    const key = keyOf(issuer, authorization);
    const cachedAtMs = this.clock.nowMs();
    this.entries.set(key, { principal, cachedAtMs, validUntilMs: Math.min(endsAtMs, cachedAtMs + TTL_MS) });
    const keys = this.keysOfSession.get(principal.sessionId);
    if (keys) keys.add(key);
    else this.keysOfSession.set(principal.sessionId, new Set([key]));
  }

  /** An empty payload means that anything may have changed. */
  private drop(payload: string): void {
    if (payload === '') this.marks.noteAll();
    else this.marks.note(payload);
    const [projectId = '', sessionId] = payload.split('/');
    if (sessionId === undefined) {
      for (const [key, entry] of this.entries) {
        if (projectId === '' || entry.principal.projectId === projectId) this.delete(key, entry);
      }
      return;
    }
    for (const key of this.keysOfSession.get(sessionId) ?? []) {
      const entry = this.entries.get(key);
      if (entry) this.delete(key, entry);
    }
  }

  private delete(key: string, { principal: { sessionId } }: Entry): void {
    this.entries.delete(key);
    const keys = this.keysOfSession.get(sessionId);
    keys?.delete(key);
    if (keys?.size === 0) this.keysOfSession.delete(sessionId);
  }
}
