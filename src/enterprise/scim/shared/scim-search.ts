import type { JsonObject } from '../../../../libs/kernel/index.js';
import { missingInOrganization } from '../../access/organization-errors.js';
import type { Filter } from '../protocol/filter.js';
import { matches } from '../protocol/filter-evaluation.js';
import { asksFor, type Lookup, lookupOf } from '../protocol/filter-lookup.js';
import { holds, projected, type Projection } from '../protocol/projection.js';
import type { ListQuery } from './list-query.js';
import type { StoredResource } from './stored-resource.js';

export interface FoundResources {
  total: number;
  resources: JsonObject[];
}

/** Reads resources of one type. */
export interface ResourceReader<Resource> {
  find(orgId: string, id: string): Promise<Resource | null>;
  lookup(orgId: string, lookup: Lookup): Promise<Resource[]>;
  /** Returns resources oldest first. */
  page(orgId: string, offset: number, limit: number): Promise<Resource[]>;
  count(orgId: string): Promise<number>;
  /** Returns up to `limit` resources after `after`, oldest first. */
  batch(orgId: string, after: Resource | null, limit: number): Promise<Resource[]>;
}

interface Window {
  offset: number;
  count: number;
}

/** Reads resources of one type. Related rows of other tables are read only if the response or the filter needs them. */
export abstract class ScimSearch<Resource extends StoredResource, Related> {
  /** Used in the message of a 404. */
  protected abstract readonly noun: string;
  /** The attribute that `relatedTo` reads. */
  protected abstract readonly relatedAttribute: string;
  protected abstract readonly lookups: readonly Lookup['by'][];
  /** Number of resources read at once if no index helps. */
  protected abstract readonly batchSize: number;

  protected constructor(private readonly reader: ResourceReader<Resource>) {}

  protected abstract relatedTo(
    orgId: string,
    resources: readonly Resource[],
  ): Promise<Map<string, Related[]>>;

  protected abstract presented(resource: Resource, related: readonly Related[], baseUrl: string): JsonObject;

  /** @throws ApiError 404 */
  async get(orgId: string, id: string): Promise<Resource> {
    const resource = await this.reader.find(orgId, id);
    if (!resource) throw missingInOrganization(this.noun, id);
    return resource;
  }

  async present(
    orgId: string,
    resource: Resource,
    projection: Projection | null,
    baseUrl: string,
  ): Promise<JsonObject> {
    const [shown] = await this.shown(orgId, [resource], projection, baseUrl);
    return shown as JsonObject;
  }

  async search(orgId: string, query: ListQuery, baseUrl: string): Promise<FoundResources> {
    const { filter, count, startIndex, projection } = query;
    const window = { offset: startIndex - 1, count };
    const { total, found } = filter
      ? await this.filtered(orgId, filter, window, baseUrl)
      : await this.unfiltered(orgId, window);
    return { total, resources: await this.shown(orgId, found, projection, baseUrl) };
  }

  private async shown(
    orgId: string,
    resources: readonly Resource[],
    projection: Projection | null,
    baseUrl: string,
  ): Promise<JsonObject[]> {
    const related = await this.related(orgId, resources, holds(projection, this.relatedAttribute));
    return resources.map((one) =>
      projected(this.presented(one, related.get(one.id) ?? [], baseUrl), projection),
    );
  }

  private async related(
    orgId: string,
    resources: readonly Resource[],
    isNeeded: boolean,
  ): Promise<Map<string, Related[]>> {
    return isNeeded && resources.length > 0 ? this.relatedTo(orgId, resources) : new Map<string, Related[]>();
  }

  private async unfiltered(orgId: string, { offset, count }: Window) {
    const total = await this.reader.count(orgId);
    const found = count === 0 || offset >= total ? [] : await this.reader.page(orgId, offset, count);
    return { total, found };
  }

  private async filtered(orgId: string, filter: Filter, { offset, count }: Window, baseUrl: string) {
    const needsRelated = asksFor(filter, this.relatedAttribute);
    const found: Resource[] = [];
    let total = 0;
    for await (const candidates of this.candidates(orgId, filter)) {
      const related = await this.related(orgId, candidates, needsRelated);
      for (const one of candidates) {
        if (!matches(this.presented(one, related.get(one.id) ?? [], baseUrl), filter)) continue;
        if (total >= offset && found.length < count) found.push(one);
        total++;
      }
    }
    return { total, found };
  }

  /** Uses an index if the filter has a condition on one; otherwise reads all resources in batches. */
  private async *candidates(orgId: string, filter: Filter): AsyncGenerator<Resource[]> {
    const lookup = lookupOf(filter, this.lookups);
    if (lookup) {
      yield await this.reader.lookup(orgId, lookup);
      return;
    }
    for (let last: Resource | null = null; ;) {
      const batch: Resource[] = await this.reader.batch(orgId, last, this.batchSize);
      yield batch;
      last = batch.at(-1) ?? null;
      if (batch.length < this.batchSize || last === null) return;
    }
  }
}
