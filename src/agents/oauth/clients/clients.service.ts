import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { oauthError } from '../oauth-error.js';
import { DocumentProblem, isDocumentId, looksLikeDocument } from './client-document.policy.js';
import { ClientDocumentsClient } from './client-documents.client.js';
import type { ClientMetadata } from './client-metadata.policy.js';
import { ClientsRepository } from './clients.repository.js';
import type { OauthClient } from './oauth-client.entity.js';

/** Longer ids are invalid. */
const MAX_ID = 500;

/** OAuth clients that request access from people. */
@Injectable()
export class ClientsService {
  constructor(
    private readonly repository: ClientsRepository,
    private readonly documents: ClientDocumentsClient,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async register(metadata: ClientMetadata): Promise<OauthClient> {
    const now = new Date(this.clock.nowMs());
    const client: OauthClient = {
      ...metadata,
      id: newId('oauthClient', now.getTime()),
      createdAt: now,
      lastUsedAt: now,
      documentFreshUntil: null,
    };
    await this.repository.insert(client);
    return client;
  }

  /**
   * Returns a registered client or that of a metadata document, which is fetched again if the copy is stale; null for
   * an unknown id.
   * @param beforeFetch may throw to prevent the fetch
   * @throws DocumentProblem
   */
  async find(id: string, beforeFetch: () => Promise<void>): Promise<OauthClient | null> {
    if (!looksLikeDocument(id)) return this.registered(id);
    if (!this.config.oauthDocuments) return null;
    if (!isDocumentId(id, this.config.oauthDocumentsAllowLocal)) {
      throw new DocumentProblem('its address is not a plain https address with a path');
    }
    const known = await this.repository.find(id);
    const now = new Date(this.clock.nowMs());
    if (known?.documentFreshUntil && known.documentFreshUntil > now) return known;
    await beforeFetch();
    const { lifetimeMs, ...metadata } = await this.documents.fetch(id);
    const client: OauthClient = {
      ...metadata,
      id,
      createdAt: known?.createdAt ?? now,
      lastUsedAt: known?.lastUsedAt ?? now,
      documentFreshUntil: new Date(now.getTime() + lifetimeMs),
    };
    await this.repository.saveDocument(client);
    return client;
  }

  /** Checks the client of a token request without fetching its document. @throws ApiError 401 */
  async assertKnown(id: string): Promise<void> {
    const isOff = looksLikeDocument(id) && !this.config.oauthDocuments;
    if (isOff || !(await this.registered(id))) {
      throw oauthError('invalid_client', 'The client is unknown. Register it again.');
    }
  }

  recordUse(tx: Transaction, id: string, now: Date): Promise<void> {
    return this.repository.touch(tx, id, now);
  }

  private registered(id: string): Promise<OauthClient | null> {
    return id.length > MAX_ID || id.includes('\0') ? Promise.resolve(null) : this.repository.find(id);
  }
}
