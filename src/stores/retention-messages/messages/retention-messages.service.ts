import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import {
  isUuid,
  MAX_RETENTION_URL,
  type RetentionMessage,
  type RetentionTest,
} from '../../../../libs/stores/index.js';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import { NotificationListenerService } from '../../../platform/database/connections/notification-listener.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { AppStoreCallsService, type CallableAppStore } from '../../app-store/app-store-calls.service.js';
import type {
  CreateRetentionMessageDto,
  SetRetentionDefaultDto,
  StoreEnvironment,
} from './retention-message.dto.js';
import { RetentionRulesService } from '../rules/retention-rules.service.js';
import type { RetentionMessageText } from './retention-message.entity.js';
import { type MessagePlace, RetentionMessagesRepository } from './retention-messages.repository.js';

/** A message of Apple's list, with its text if it was created here. */
export interface ListedMessage extends RetentionMessage {
  text: RetentionMessageText | null;
}

/** Notifies all replicas that an app's messages changed; the payload contains the ids of project and app. */
const MESSAGES_CHANGED = 'tenure_retention_messages_changed';
const TTL_MS = 60_000;
const MAX_LISTS = 500;

interface CachedList {
  messages: Promise<RetentionMessage[]>;
  loadedAtMs: number;
}

const keyOf = ({ projectId, appId }: Pick<MessagePlace, 'projectId' | 'appId'>): string =>
  `${projectId} ${appId}`;

/** Messages that Apple shows to customers who are about to cancel. Apple stores and reviews them. */
@Injectable()
export class RetentionMessagesService {
  /** Apple's lists, by app and environment. */
  private readonly lists = new Map<string, Map<StoreEnvironment, CachedList>>();

  constructor(
    private readonly repository: RetentionMessagesRepository,
    private readonly calls: AppStoreCallsService,
    private readonly catalogs: CatalogService,
    private readonly rules: RetentionRulesService,
    private readonly writes: ProjectWritesService,
    private readonly config: Config,
    listener: NotificationListenerService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    listener.on(MESSAGES_CHANGED, (key) => {
      if (key === '') this.lists.clear();
      else this.lists.delete(key);
    });
  }

  urlOf(appId: string): string {
    return `${this.config.baseUrl}/v1/stores/app_store/${appId}/retention_message`;
  }

  /** Newest first, then those that were not created here. @throws ApiError 404, 422, 503 */
  async list(place: MessagePlace): Promise<ListedMessage[]> {
    const store = await this.storeOf(place);
    const [messages, texts] = await Promise.all([this.cached(place, store), this.repository.all(place)]);
    const textOf = new Map(texts.map((text) => [text.id, text]));
    return messages
      .map((message) => ({ ...message, text: textOf.get(message.id) ?? null }))
      .sort((a, b) => timeOf(b) - timeOf(a) || (a.id < b.id ? -1 : 1));
  }

  /** @throws ApiError 404, 422, 503 */
  async create(
    write: ProjectWrite,
    place: MessagePlace,
    { header, body }: CreateRetentionMessageDto,
  ): Promise<ListedMessage> {
    const store = await this.storeOf(place);
    const id = randomUUID();
    await store.ask((api) => api.retention.upload(id, { header, body }));
    const text = { ...place, id, header, body, createdAt: new Date(this.clock.nowMs()) };
    await this.writes.run(write, async (tx) => {
      await this.repository.insert(tx, text);
      await tx.notify(MESSAGES_CHANGED, keyOf(place));
      const data = { environment: place.environment, header, body };
      await tx.audit({ action: 'created', target: 'retention_message', targetId: id, data });
    });
    // The sandbox approves at once. If the list cannot be read now, the message exists nevertheless.
    const messages = await store.ask((api) => api.retention.list()).catch(() => []);
    const state = messages.find((message) => message.id === id)?.state ?? 'unknown';
    return { id, state, text };
  }

  /** Returns the time (epoch ms). @throws ApiError 404, 409 if a rule shows the message, 422, 503 */
  async delete(write: ProjectWrite, place: MessagePlace, id: string): Promise<number> {
    const store = await this.storeOf(place);
    const rules = await this.rules.inOrder(place.projectId, place.appId);
    const users = rules.filter(
      ({ messageId, environment }) => messageId === id && environment === place.environment,
    );
    if (users.length > 0)
      throw new ApiError('conflict', 'Retention rules show this message.', {
        referencedObjectIds: users.map((rule) => rule.id),
      });
    if (!isUuid(id) || !(await store.ask((api) => api.retention.delete(id))))
      throw ApiError.missing('retention message', id);
    return this.writes.run(write, async (tx) => {
      await this.repository.delete(tx, place, id);
      await tx.notify(MESSAGES_CHANGED, keyOf(place));
      const data = { environment: place.environment };
      await tx.audit({ action: 'deleted', target: 'retention_message', targetId: id, data });
      return tx.nowMs();
    });
  }

  /**
   * Sets or removes the message that Apple shows for a product and a locale when this server has no answer. Returns the
   * product's id in the App Store.
   * @throws ApiError 404 for an unknown product or message, 422, 503
   */
  async setDefault(
    write: ProjectWrite,
    place: MessagePlace,
    { product_id: name, locale, message_id: messageId }: SetRetentionDefaultDto,
  ): Promise<string> {
    const store = await this.storeOf(place);
    const product = (await this.catalogs.get(place.projectId)).findProduct(place.appId, name);
    if (!product) throw ApiError.missing('product', name, 'product_id');
    const productId = product.storeIdentifier;
    if (messageId === null) await store.ask((api) => api.retention.removeDefault(productId, locale));
    else if (
      !isUuid(messageId) ||
      !(await store.ask((api) => api.retention.setDefault(productId, locale, messageId)))
    )
      throw ApiError.missing('retention message', messageId, 'message_id');
    const { environment, appId } = place;
    const data = { environment, product_id: productId, locale, message_id: messageId };
    await this.record(write, 'retention_default_set', appId, data);
    return productId;
  }

  /** Registers this server's address with Apple. @throws ApiError 404, 422, 503 */
  async configureUrl(write: ProjectWrite, place: MessagePlace): Promise<string> {
    const store = await this.storeOf(place);
    const url = this.urlOf(place.appId);
    if (url.length > MAX_RETENTION_URL) {
      const message = `Apple accepts addresses of at most ${MAX_RETENTION_URL} characters: ${url}`;
      throw new ApiError('impossible', message);
    }
    await store.ask((api) => api.retention.setUrl(url));
    const data = { environment: place.environment, url };
    await this.record(write, 'retention_url_registered', place.appId, data);
    return url;
  }

  /** Has Apple test the address in the sandbox. @throws ApiError 404, 422, 503 */
  async startTest(
    write: ProjectWrite,
    app: { projectId: string; appId: string },
    originalTransactionId: string,
  ): Promise<RetentionTest> {
    const store = await this.storeOf({ ...app, environment: 'sandbox' });
    const started = await store.ask((api) => api.retention.startTest(originalTransactionId));
    await this.record(write, 'retention_test_started', app.appId, { test_id: started.id });
    return started;
  }

  /** @throws ApiError 404, 422, 503 */
  async test(app: { projectId: string; appId: string }, id: string): Promise<RetentionTest> {
    const store = await this.storeOf({ ...app, environment: 'sandbox' });
    const test = isUuid(id) ? await store.ask((api) => api.retention.test(id)) : null;
    if (!test) throw ApiError.missing('retention test', id);
    return test;
  }

  private storeOf({ projectId, appId, environment }: MessagePlace): Promise<CallableAppStore> {
    return this.calls.storeOf({ projectId, appId }, environment, 'has retention messages');
  }

  private record(
    write: ProjectWrite,
    action: 'retention_default_set' | 'retention_url_registered' | 'retention_test_started',
    appId: string,
    data: Record<string, unknown>,
  ): Promise<void> {
    return this.writes.run(write, (tx) => tx.audit({ action, target: 'app', targetId: appId, data }));
  }

  /** Apple's list, at most a minute old. */
  private cached(place: MessagePlace, store: CallableAppStore): Promise<RetentionMessage[]> {
    const key = keyOf(place);
    const known = this.lists.get(key)?.get(place.environment);
    const nowMs = this.clock.nowMs();
    if (known && nowMs - known.loadedAtMs < TTL_MS) return known.messages;
    if (this.lists.size >= MAX_LISTS) this.lists.delete(this.lists.keys().next().value ?? '');
    const messages = store.ask((api) => api.retention.list());
    const ofApp = this.lists.get(key) ?? new Map<StoreEnvironment, CachedList>();
    const entry = { messages, loadedAtMs: nowMs };
    this.lists.set(key, ofApp.set(place.environment, entry));
    messages.catch(() => {
      if (ofApp.get(place.environment) === entry) ofApp.delete(place.environment);
    });
    return messages;
  }
}

const timeOf = ({ text }: ListedMessage): number => text?.createdAt.getTime() ?? 0;
