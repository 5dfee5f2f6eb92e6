import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId, newPublicKeySecret } from '../../../libs/kernel/index.js';
import { auditChanges, type PlainField } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { credentialHash } from '../../platform/auth/credentials.js';
import { keysChanged } from '../../platform/auth/keys/key-cache.service.js';
import { CatalogChanges } from '../shared/catalog-changes.service.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { SharedReads } from '../../platform/database/shared-reads.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ActiveSubscriptions } from '../shared/active-subscriptions.js';
import { OutboundUrlRefused } from '../../platform/outbound/outbound-errors.js';
import { OutboundHttpClient } from '../../platform/outbound/outbound-http.client.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import type { App } from './app.entity.js';
import { type AppType, publicKeyPrefixes } from '../../platform/principal/app-types.js';
import { AppsRepository } from './apps.repository.js';
import { credentialPlace } from './secret-places.js';
import {
  changed,
  type CredentialName,
  newStoreChanges,
  ownStoreChanges,
  plainSettings,
  type NewApp,
  type StoreChanges,
  type StoreObjects,
} from './store-fields.js';

/** Notifies all replicas of new credentials of an app; the payload contains the ids of project and app. */
export const CREDENTIALS_CHANGED = 'tenure_credentials_changed';

/** Fields whose values are audited. Credentials and tokens are recorded by name only. */
const recordedFields: PlainField<App>[] = [
  'name',
  ...plainSettings.map((name) => `storeSettings.${name}` as const),
];

export interface AppChanges extends StoreObjects {
  name?: string;
}

@Injectable()
export class AppsService {
  private readonly reads = new SharedReads<App | null>();
  private readonly routes = new SharedReads<string | null>();

  constructor(
    private readonly repository: AppsRepository,
    private readonly outbound: OutboundHttpClient,
    private readonly secrets: SecretsService,
    private readonly activeSubscriptions: ActiveSubscriptions,
    private readonly changes: CatalogChanges,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 400 if the store object is missing, invalid or of another store */
  async create(write: ProjectWrite, app: NewApp): Promise<App> {
    await this.assertCallable(app.type, newStoreChanges(app));
    return this.writes.run(write, (tx) => this.createIn(tx, app), { retryUniqueViolation: true });
  }

  /** Like `create`, inside the caller's transaction; URLs are not checked. */
  async createIn(tx: WriteTransaction, app: NewApp): Promise<App> {
    const { projectId } = tx.write;
    const changes = newStoreChanges(app);
    await bumpCatalogVersion(tx, projectId);
    const nowMs = tx.nowMs();
    const id = newId('app', nowMs);
    const publicKey = publicKeyPrefixes[app.type] + newPublicKeySecret();
    const scheme = createHash('sha256').update(`url-scheme/${publicKey}`).digest('hex').slice(0, 10);
    const row: App = {
      projectId,
      id,
      type: app.type,
      name: app.name,
      publicKey,
      customUrlScheme: `rc-${scheme}`,
      storeSettings: changed({}, changes.settings),
      sealedCredentials: changed({}, this.sealed({ projectId, id }, changes)),
      createdAt: new Date(nowMs),
    };
    await this.repository.insert(tx, row, credentialHash(publicKey));
    await tx.audit({ action: 'created', target: 'app', targetId: id });
    return row;
  }

  /** Null removes a setting or credential. @throws ApiError 404; 400 as for `create` */
  async update(write: ProjectWrite, id: string, { name, ...objects }: AppChanges): Promise<App> {
    const { projectId } = write;
    const { type } = await this.get(projectId, id);
    const changes = ownStoreChanges(type, objects);
    await this.assertCallable(type, changes);
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.get(projectId, id, tx);
      const app: App = {
        ...present,
        name: name ?? present.name,
        storeSettings: changed(present.storeSettings, changes.settings),
        sealedCredentials: changed(present.sealedCredentials, this.sealed(present, changes)),
      };
      await this.repository.update(tx, app);
      if (Object.keys(changes.credentials).length > 0)
        await tx.notify(CREDENTIALS_CHANGED, `${projectId} ${id}`);
      await tx.audit({
        action: 'updated',
        target: 'app',
        targetId: id,
        data: auditChanges(present, app, recordedFields),
      });
      return app;
    });
  }

  /**
   * Purchases of its products remain but no longer unlock anything; its public key stops working immediately on every
   * replica. Returns the time (epoch ms).
   * @throws ApiError 404
   */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    const activeSubscriptions = await this.activeSubscriptions.ofApp(projectId, id);
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      await this.changes.publish(tx, projectId, { kind: 'app_deleted', appId: id });
      if (!(await this.repository.delete(tx, projectId, id))) throw ApiError.missing('app', id);
      await keysChanged(tx, projectId);
      await tx.audit({
        action: 'deleted',
        target: 'app',
        targetId: id,
        data: { active_subscriptions: activeSubscriptions },
      });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string, tx?: Transaction): Promise<App> {
    const app = await this.find(projectId, id, tx);
    if (!app) throw ApiError.missing('app', id);
    return app;
  }

  find(projectId: string, id: string, tx?: Transaction): Promise<App | null> {
    if (tx) return this.repository.find(projectId, id, tx);
    return this.reads.read(`${projectId} ${id}`, () => this.repository.find(projectId, id));
  }

  /** Returns an app of any project by its id alone, as in the URL of its store notifications; or null. */
  async findAnywhere(id: string): Promise<App | null> {
    const projectId = await this.routes.read(id, () => this.repository.projectOf(id));
    return projectId === null ? null : this.find(projectId, id);
  }

  async byId(projectId: string, ids: string[]): Promise<Map<string, App>> {
    const apps = await this.repository.findMany(projectId, [...new Set(ids)]);
    return new Map(apps.map((app) => [app.id, app]));
  }

  /** All apps of a project, oldest first. */
  all(projectId: string): Promise<App[]> {
    return this.repository.all(projectId);
  }

  credential({ projectId, id, sealedCredentials }: App, name: CredentialName): string | null {
    const sealed = sealedCredentials[name];
    return sealed === undefined ? null : this.secrets.open(sealed, credentialPlace(projectId, id, name));
  }

  /** Returns the topic of an app's notifications: the first one received, on any replica. */
  async pinTopic({ projectId, id, storeSettings }: App, topic: string): Promise<string | null> {
    return storeSettings.sns_topic_arn ?? this.repository.pinTopic(projectId, id, topic);
  }

  /** Stores the token that a developer has to enter at Amazon to receive notifications. */
  saveConfirmationToken({ projectId, id }: App, token: string): Promise<void> {
    return this.repository.saveConfirmationToken(projectId, id, token);
  }

  /** Up to `limit + 1` rows. */
  page(projectId: string, page: PageRequest): Promise<App[]> {
    return this.repository.page(projectId, page);
  }

  private sealed(
    { projectId, id }: Pick<App, 'projectId' | 'id'>,
    { credentials }: StoreChanges,
  ): StoreChanges['credentials'] {
    const entries = Object.entries(credentials) as [CredentialName, string | null][];
    return Object.fromEntries(
      entries.map(([name, text]) => [
        name,
        text === null ? null : this.secrets.seal(text, credentialPlace(projectId, id, name)),
      ]),
    );
  }

  private async assertCallable(type: AppType, { settings }: StoreChanges): Promise<void> {
    const url = settings.notification_forward_url ?? null;
    if (url === null) return;
    try {
      await this.outbound.checkUrl(url);
    } catch (error) {
      if (!(error instanceof OutboundUrlRefused)) throw error;
      throw ApiError.parameter(`${type}.notification_forward_url`, error.message);
    }
  }
}
