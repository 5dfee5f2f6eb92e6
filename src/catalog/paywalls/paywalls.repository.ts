import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, Repository } from 'typeorm';
import type { JsonObject } from '../../../libs/kernel/index.js';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { acrossProjects, type Statement, statement } from '../../platform/database/statement.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import { startOf, unknownCursor } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { PaywallVersion } from './paywall-version.entity.js';
import { Paywall } from './paywall.entity.js';

/** A paywall without its draft. */
export type PaywallRow = Omit<Paywall, 'draft'>;

export type PublishedPaywall = Pick<Paywall, 'id' | 'name'>;

/** A version in a list, with its document if that was asked for. */
export type ListedVersion = Omit<PaywallVersion, 'document'> & { document: JsonObject | null };

/** The draft of a paywall, or without one its published version. */
export interface CurrentContent {
  paywallId: string;
  offeringId: string;
  revision: number;
  hasDraft: boolean;
  document: JsonObject;
}

const MAX_VERSIONS = 100;

const publishedOf = statement(
  'paywalls.published_of',
  `SELECT id, name, published_offering_id AS "offeringId" FROM paywalls
   WHERE project_id = $1 AND published_offering_id = ANY ($2::text[])`,
);

const publishedIn = statement(
  'paywalls.published_in',
  `SELECT id, name FROM paywalls
   WHERE project_id = $1 AND (offering_id = $2 OR published_offering_id = $2) AND published_revision IS NOT NULL
   ORDER BY id`,
);

const holderOf = statement(
  'paywalls.holder_of',
  `SELECT id, name FROM paywalls WHERE project_id = $1 AND (offering_id = $2 OR published_offering_id = $2)
     AND id <> $3
   ORDER BY id LIMIT 1`,
);

const publishedSize = statement(
  'paywalls.published_size',
  `SELECT count(*)::int AS paywalls, coalesce(sum(published_bytes), 0)::int AS bytes FROM paywalls
   WHERE project_id = $1 AND published_revision IS NOT NULL AND id <> $2`,
);

const publishedLocales = statement(
  'paywalls.published_locales',
  `SELECT DISTINCT jsonb_object_keys(v.document -> 'components_localizations') AS locale
   FROM paywalls w
   JOIN paywall_versions v ON v.project_id = $1 AND v.paywall_id = w.id AND v.revision = w.published_revision
   WHERE w.project_id = $1`,
);

const listVersions = statement(
  'paywall_versions.list',
  `SELECT project_id AS "projectId", paywall_id AS "paywallId", revision, published_at AS "publishedAt",
     published_by AS "publishedBy", CASE WHEN $4 THEN document END AS document
   FROM paywall_versions
   WHERE project_id = $1 AND paywall_id = $2 AND ($3::int IS NULL OR revision < $3)
   ORDER BY revision DESC LIMIT $5`,
);

const insertVersion = statement(
  'paywall_versions.insert',
  `INSERT INTO paywall_versions (project_id, paywall_id, revision, document, published_at, published_by)
   VALUES ($1, $2, $3, $4::jsonb, $5, $6) ON CONFLICT (project_id, paywall_id, revision) DO NOTHING`,
);

const prune = statement(
  'paywall_versions.prune',
  `DELETE FROM paywall_versions WHERE project_id = $1 AND paywall_id = $2 AND revision <= (
     SELECT v.revision FROM paywall_versions v WHERE v.project_id = $1 AND v.paywall_id = $2
     ORDER BY v.revision DESC OFFSET $3 LIMIT 1)`,
);

const projectsWithOldAddress = acrossProjects(
  'paywalls.projects_with_old_address',
  `SELECT DISTINCT w.project_id AS "projectId" FROM paywalls w
   WHERE w.published_base_url <> $1 AND ${isHere('w.project_id')}`,
);

const documents = `paywalls w LEFT JOIN paywall_versions v
     ON v.project_id = $1 AND v.paywall_id = w.id AND v.revision = w.published_revision`;

const contents = statement(
  'paywalls.contents',
  `SELECT w.id AS "paywallId", w.offering_id AS "offeringId", w.revision, w.draft IS NOT NULL AS "hasDraft",
     coalesce(w.draft, v.document) AS document
   FROM ${documents} WHERE w.project_id = $1 AND w.id = ANY ($2::text[])`,
);

const namesWithBlob = statement(
  'paywalls.names_with_blob',
  `SELECT w.name FROM ${documents} WHERE w.project_id = $1 AND EXISTS (
     SELECT 1 FROM unnest($2::text[]) ref
     WHERE strpos(w.draft::text, ref) > 0 OR strpos(v.document::text, ref) > 0)
   ORDER BY w.id`,
);

const hasMatch = (path: string): string =>
  `jsonb_path_exists(w.draft, '${path}', jsonb_build_object('names', $2::jsonb))
       OR jsonb_path_exists(v.document, '${path}', jsonb_build_object('names', $2::jsonb))`;

const namesUsing = (setting: string, isUsed: string): Statement =>
  statement(
    `paywalls.names_with_${setting}`,
    `SELECT w.name FROM ${documents} WHERE w.project_id = $1 AND (${isUsed}) ORDER BY w.id`,
  );

const namesWith = {
  color: namesUsing('color', hasMatch('$.** ? (@.type == "alias" && @.value == $names[*])')),
  font: namesUsing(
    'font',
    hasMatch('$.** ? (@.font_name == $names[*] || @.placeholder_font_name == $names[*])'),
  ),
  // Names consist of letters, digits and underscores, which are no operators.
  variable: namesUsing(
    'variable',
    `${hasMatch('$.** ? (@.type == "variable_condition" && @.variable == $names[*])')}
       OR EXISTS (
         SELECT 1 FROM jsonb_array_elements_text($2::jsonb) AS removed (name)
         WHERE w.draft::text ~ ('\\{\\{[^{}]*\\mcustom\\.' || removed.name || '\\M')
           OR v.document::text ~ ('\\{\\{[^{}]*\\mcustom\\.' || removed.name || '\\M'))`,
  ),
};

export type NamedSetting = keyof typeof namesWith;

@Injectable()
export class PaywallsRepository {
  constructor(
    @InjectRepository(Paywall) private readonly paywalls: Repository<Paywall>,
    @InjectRepository(PaywallVersion) private readonly versions: Repository<PaywallVersion>,
    private readonly database: DatabaseService,
  ) {}

  async insert(tx: Transaction, row: Paywall): Promise<void> {
    // The type of a partial entity would be infinite, because JSON is.
    const columns: object = row;
    await onTransaction(this.paywalls, tx).insert(columns);
  }

  async update(tx: Transaction, { projectId, id, ...changed }: Paywall): Promise<void> {
    const columns: object = changed;
    await onTransaction(this.paywalls, tx).update({ projectId, id }, columns);
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await onTransaction(this.paywalls, tx).delete({ projectId, id });
  }

  find(projectId: string, id: string): Promise<PaywallRow | null> {
    return this.paywalls.findOneBy({ projectId, id });
  }

  /** With the draft. In a transaction, locks the paywall. */
  findWhole(projectId: string, id: string, tx?: Transaction): Promise<Paywall | null> {
    const query = onTransaction(this.paywalls, tx)
      .createQueryBuilder('paywall')
      .addSelect('paywall.draft')
      .where({ projectId, id });
    return (tx ? query.setLock('pessimistic_write') : query).getOne();
  }

  page(projectId: string, offeringId: string | null, page: PageRequest): Promise<PaywallRow[]> {
    const where: FindOptionsWhere<Paywall> & { projectId: string } = { projectId };
    if (offeringId !== null) where.offeringId = offeringId;
    return keysetPage(this.paywalls, where, page);
  }

  contents(projectId: string, ids: readonly string[]): Promise<CurrentContent[]> {
    return this.database.query<CurrentContent>(contents, [projectId, ids]);
  }

  /** Published paywalls whose blob was written with another address of this server, locked. */
  withOldAddress(tx: Transaction, projectId: string, baseUrl: string): Promise<Paywall[]> {
    return onTransaction(this.paywalls, tx)
      .createQueryBuilder('paywall')
      .addSelect('paywall.draft')
      .where('paywall.projectId = :projectId AND paywall.publishedBaseUrl <> :baseUrl', {
        projectId,
        baseUrl,
      })
      .orderBy('paywall.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  async projectsWithOldAddress(baseUrl: string): Promise<string[]> {
    const rows = await this.database.query<{ projectId: string }>(projectsWithOldAddress, [baseUrl]);
    return rows.map(({ projectId }) => projectId);
  }

  /** Published paywalls by the offering with which SDKs receive them. */
  async publishedOf(projectId: string, offeringIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.query<{ id: string; offeringId: string }>(publishedOf, [
      projectId,
      offeringIds,
    ]);
    return new Map(rows.map(({ id, offeringId }) => [offeringId, id]));
  }

  /** Published paywalls of an offering, or whose draft is for it. */
  publishedIn(tx: Transaction, projectId: string, offeringId: string): Promise<PublishedPaywall[]> {
    return tx.query(publishedIn, [projectId, offeringId]);
  }

  /** Another paywall whose draft or published version is for an offering. */
  async holderOf(
    tx: Transaction,
    projectId: string,
    offeringId: string,
    exceptId: string,
  ): Promise<PublishedPaywall | null> {
    const [holder] = await tx.query<PublishedPaywall>(holderOf, [projectId, offeringId, exceptId]);
    return holder ?? null;
  }

  async names(projectId: string): Promise<Map<string, string>> {
    const rows = await this.paywalls.find({ where: { projectId }, select: { id: true, name: true } });
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Names of paywalls whose draft or published version shows one of some blobs. */
  async namesWithBlob(tx: Transaction, projectId: string, refs: readonly string[]): Promise<string[]> {
    return (await tx.query<{ name: string }>(namesWithBlob, [projectId, refs])).map(({ name }) => name);
  }

  /** Names of paywalls whose draft or published version has one of some shared colors, fonts or variables. */
  async namesWithSetting(
    tx: Transaction,
    projectId: string,
    setting: NamedSetting,
    names: readonly string[],
  ): Promise<string[]> {
    const rows = await tx.query<{ name: string }>(namesWith[setting], [projectId, JSON.stringify(names)]);
    return rows.map(({ name }) => name);
  }

  /** Number and size of the other published paywalls. */
  async publishedSize(
    tx: Transaction,
    projectId: string,
    exceptId: string,
  ): Promise<{ paywalls: number; bytes: number }> {
    const [size] = await tx.query<{ paywalls: number; bytes: number }>(publishedSize, [projectId, exceptId]);
    return size ?? { paywalls: 0, bytes: 0 };
  }

  async publishedLocales(tx: Transaction, projectId: string): Promise<string[]> {
    const rows = await tx.query<{ locale: string }>(publishedLocales, [projectId]);
    return rows.map(({ locale }) => locale);
  }

  /** Keeps a version that exists: its document is the same. Then deletes all but the newest. */
  async insertVersion(tx: Transaction, version: PaywallVersion): Promise<void> {
    const { projectId, paywallId, revision, document, publishedAt, publishedBy } = version;
    const values = [projectId, paywallId, revision, JSON.stringify(document), publishedAt, publishedBy];
    await tx.query(insertVersion, values);
    await tx.query(prune, [projectId, paywallId, MAX_VERSIONS]);
  }

  /** Null without such a version. */
  async document(
    projectId: string,
    paywallId: string,
    revision: number | null,
    tx?: Transaction,
  ): Promise<JsonObject | null> {
    if (revision === null) return null;
    const version = await onTransaction(this.versions, tx).findOneBy({ projectId, paywallId, revision });
    return version?.document ?? null;
  }

  /** Newest first, one more than the page has. @throws ApiError 400 for a cursor of another list */
  async versionsPage(
    projectId: string,
    paywallId: string,
    { after, limit }: PageRequest,
    withDocuments: boolean,
  ): Promise<ListedVersion[]> {
    const place = await startOf(after, [], async (key) => {
      const revision = /^\d{1,9}$/.test(key) ? Number(key) : null;
      const isKnown = revision !== null && (await this.versions.existsBy({ projectId, paywallId, revision }));
      return isKnown ? [key] : null;
    });
    const before = place === null ? null : Number(place[0]);
    if (after !== null && !Number.isInteger(before)) throw unknownCursor(after);
    return this.database.query<ListedVersion>(listVersions, [
      ...[projectId, paywallId, before, withDocuments, limit + 1],
    ]);
  }
}
