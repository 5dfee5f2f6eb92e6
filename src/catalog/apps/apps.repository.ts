import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import { addAnchor, deleteAnchor } from '../../platform/anchors/project-anchors.sql.js';
import { longStatement, statement } from '../../platform/database/statement.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { App } from './app.entity.js';

const find = statement(
  'apps.find',
  `SELECT a.project_id AS "projectId", a.id, a.type, a.name, a.public_key AS "publicKey",
     a.custom_url_scheme AS "customUrlScheme", a.store_settings AS "storeSettings",
     a.sealed_credentials AS "sealedCredentials", a.created_at AS "createdAt",
     EXISTS (SELECT FROM store_tasks c WHERE c.project_id = $1 AND c.app_id = a.id
       AND c.kind = 'probe_credentials' AND c.key = '') AS "credentialsRefused"
   FROM apps a WHERE a.project_id = $1 AND a.id = $2`,
);

const addRoute = statement(
  'apps.add_route',
  `INSERT INTO credential_routes (key_hash, kind, project_id, owner_id) VALUES ($3, 'public_key', $1, $2)`,
);

const addOwner = statement(
  'apps.add_key_owner',
  'INSERT INTO public_key_owners (key_hash, owner_project_id) VALUES ($2, $1)',
);

/** Adds the missing row of an app that an earlier version created after the migration. */
const keepOwner = statement(
  'apps.keep_key_owner',
  `INSERT INTO public_key_owners (key_hash, owner_project_id)
   SELECT key_hash, project_id FROM credential_routes
   WHERE project_id = $1 AND owner_id = $2 AND kind = 'public_key'
   ON CONFLICT (key_hash) DO NOTHING`,
);

/** Returns the owner: this project, unless another one has ever used the key. */
const claimKey = statement(
  'apps.claim_key',
  `INSERT INTO public_key_owners (key_hash, owner_project_id) VALUES ($2, $1)
   ON CONFLICT (key_hash) DO UPDATE SET owner_project_id = public_key_owners.owner_project_id
   RETURNING owner_project_id AS "projectId"`,
);

const assignKey = statement(
  'apps.assign_key',
  `INSERT INTO public_key_owners (key_hash, owner_project_id) VALUES ($2, $1)
   ON CONFLICT (key_hash) DO UPDATE SET owner_project_id = excluded.owner_project_id`,
);

const findKeyUser = statement(
  'apps.find_key_user',
  `SELECT project_id AS "projectId", owner_id AS "appId" FROM credential_routes
   WHERE key_hash = $1 AND kind = 'public_key'`,
);

const deleteRoute = statement(
  'apps.delete_route',
  `DELETE FROM credential_routes WHERE project_id = $1 AND owner_id = $2 AND kind = 'public_key'`,
);

/** A key leads to one project, so apps cannot share one. */
const moveRoute = statement(
  'apps.move_route',
  `UPDATE credential_routes SET key_hash = $3
   WHERE project_id = $1 AND owner_id = $2 AND kind = 'public_key'`,
);

const addIdRoute = statement(
  'apps.add_id_route',
  `INSERT INTO app_routes (app_id, project_id) VALUES ($2, $1)`,
);

const deleteIdRoute = statement(
  'apps.delete_id_route',
  `DELETE FROM app_routes WHERE project_id = $1 AND app_id = $2`,
);

/** The first topic is final. */
const pinTopic = statement(
  'apps.pin_topic',
  `UPDATE apps SET store_settings = (jsonb_build_object('sns_topic_arn', $3::text) || store_settings::jsonb)::json
   WHERE project_id = $1 AND id = $2 RETURNING store_settings ->> 'sns_topic_arn' AS topic`,
);

const saveConfirmationToken = statement(
  'apps.keep_confirmation_token',
  `UPDATE apps SET store_settings =
     jsonb_set(store_settings::jsonb, '{sns_confirmation_token}', to_jsonb($3::text))::json
   WHERE project_id = $1 AND id = $2`,
);

const projectOfId = statement(
  'apps.project_of_id',
  `SELECT r.project_id AS "projectId" FROM app_routes r
   JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL WHERE r.app_id = $1`,
);

/** Deletes all rows of the app, most of which are store notifications. */
const deleteApp = longStatement(
  'apps.delete',
  'DELETE FROM apps WHERE project_id = $1 AND id = $2 RETURNING id',
);

@Injectable()
export class AppsRepository {
  constructor(
    @InjectRepository(App) private readonly apps: Repository<App>,
    private readonly database: DatabaseService,
  ) {}

  /** Inserts the app, its anchor, and the routes from its public key and its id to the project. */
  async insert(tx: Transaction, app: App, keyHash: Buffer): Promise<void> {
    await onTransaction(this.apps, tx).insert(app);
    await tx.query(addRoute, [app.projectId, app.id, keyHash]);
    await tx.query(addOwner, [app.projectId, keyHash]);
    await tx.query(addIdRoute, [app.projectId, app.id]);
    await tx.query(addAnchor, [app.projectId, app.id]);
  }

  async update(tx: Transaction, app: App): Promise<void> {
    const { projectId, id, name, storeSettings, sealedCredentials } = app;
    const columns = { name, storeSettings, sealedCredentials };
    await onTransaction(this.apps, tx).update({ projectId, id }, columns);
  }

  /**
   * The previous key stops working.
   * @throws a violation of `credential_routes_pkey` if any app or secret key uses this one
   */
  async replacePublicKey(
    tx: Transaction,
    { projectId, id, publicKey }: Pick<App, 'projectId' | 'id' | 'publicKey'>,
    keyHash: Buffer,
  ): Promise<void> {
    await tx.query(keepOwner, [projectId, id]);
    await tx.query(moveRoute, [projectId, id, keyHash]);
    await onTransaction(this.apps, tx).update({ projectId, id }, { publicKey });
  }

  /** Makes the project the owner of a key that has none. Returns the owner. */
  async claimKey(tx: Transaction, projectId: string, keyHash: Buffer): Promise<string> {
    const [owner] = await tx.query<{ projectId: string }>(claimKey, [projectId, keyHash]);
    return owner?.projectId ?? projectId;
  }

  async assignKey(tx: Transaction, projectId: string, keyHash: Buffer): Promise<void> {
    await tx.query(assignKey, [projectId, keyHash]);
  }

  /** Returns the app of any project that uses the key now, or null. */
  async findKeyUser(
    keyHash: Buffer,
    executor: Executor,
  ): Promise<{ projectId: string; appId: string } | null> {
    const [user] = await executor.query<{ projectId: string; appId: string }>(findKeyUser, [keyHash]);
    return user ?? null;
  }

  /** Deletes the app, its products and its routes; returns false if there is no such app. */
  async delete(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const deleted = await tx.query(deleteApp, [projectId, id]);
    await tx.query(keepOwner, [projectId, id]);
    await tx.query(deleteRoute, [projectId, id]);
    await tx.query(deleteIdRoute, [projectId, id]);
    await tx.query(deleteAnchor, [projectId, id]);
    return deleted.length === 1;
  }

  async find(projectId: string, id: string, executor: Executor = this.database): Promise<App | null> {
    const [app] = await executor.query<App>(find, [projectId, id]);
    return app ?? null;
  }

  async projectOf(id: string): Promise<string | null> {
    const [row] = await this.database.query<{ projectId: string }>(projectOfId, [id]);
    return row?.projectId ?? null;
  }

  async saveConfirmationToken(projectId: string, id: string, token: string): Promise<void> {
    await this.database.query(saveConfirmationToken, [projectId, id, token]);
  }

  async pinTopic(projectId: string, id: string, topic: string): Promise<string | null> {
    const [row] = await this.database.query<{ topic: string }>(pinTopic, [projectId, id, topic]);
    return row?.topic ?? null;
  }

  findMany(projectId: string, ids: string[]): Promise<App[]> {
    return this.apps.findBy({ projectId, id: Any(ids) });
  }

  all(projectId: string): Promise<App[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return this.apps.find({ where: { projectId }, order });
  }

  page(projectId: string, page: PageRequest): Promise<App[]> {
    return keysetPage(this.apps, { projectId }, page);
  }
}
