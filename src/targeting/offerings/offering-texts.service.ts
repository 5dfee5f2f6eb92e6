import { Injectable } from '@nestjs/common';
import { type Decision, presentationOf } from '../../../libs/targeting/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { SdkText } from '../../catalog/snapshot/sdk-catalog.service.js';
import { presentSdkOfferings } from '../../catalog/snapshot/sdk-offerings.presenter.js';
import { sdkEtag } from '../../platform/http/sdk-answer.js';

/** The clients that get the same offerings for the same decision. */
export interface TextReader {
  appId: string;
  oldAndroidSdk: boolean;
}

/** UTF-16 units of all kept texts of a process. */
const MAX_LENGTH = 16 * 2 ** 20;

function nameOf(decision: Decision): string {
  switch (decision.source) {
    case 'override':
      return `override/${decision.offeringId}`;
    case 'enrolled':
    case 'joins':
      return `experiment/${decision.experiment.id}/${decision.variant}`;
    case 'rule':
      return `rule/${decision.rule.id}`;
    case 'default':
      return '';
  }
}

/** What the SDKs find beside the list of offerings. A key that is not in the list would break them. */
function presentDecision(decision: Decision, catalog: Catalog): object {
  const keyOf = (offeringId: string | null): string | null => {
    const offering = catalog.offerings.get(offeringId ?? '');
    return offering?.active ? offering.lookupKey : null;
  };
  const { current, fallback, placements } = presentationOf(decision, catalog.currentOffering?.id ?? null);
  return {
    current_offering_id: keyOf(current),
    placements: {
      fallback_offering_id: keyOf(fallback),
      // Placements may have any name, such as `__proto__`: `fromEntries` makes properties of all of them.
      offering_ids_by_placement: Object.fromEntries(
        placements.map(([identifier, offeringId]) => [identifier, keyOf(offeringId)]),
      ),
    },
    ...(decision.source === 'rule' && {
      targeting: { revision: decision.rule.revision, rule_id: decision.rule.id },
    }),
  };
}

/**
 * Rendered offerings by app and decision, with their tags. Nothing else of a customer enters the answer. The list of
 * offerings is rendered once for an app; only what stands beside it differs between decisions.
 */
@Injectable()
export class OfferingTexts {
  private readonly texts = new Map<string, SdkText>();
  private length = 0;
  private readonly lists = new WeakMap<Catalog, Map<string, string>>();

  get(catalog: Catalog, reader: TextReader, decision: Decision): SdkText {
    const { projectId, version } = catalog;
    const key = `${projectId}/${version}/${reader.appId}/${reader.oldAndroidSdk}/${nameOf(decision)}`;
    const known = this.texts.get(key);
    if (known) {
      // A Map keeps insertion order: what is used moves behind what is not, once there is too much.
      if (this.length > MAX_LENGTH / 2) {
        this.texts.delete(key);
        this.texts.set(key, known);
      }
      return known;
    }
    const head = JSON.stringify(presentDecision(decision, catalog));
    const body = `${head.slice(0, -1)},"offerings":${this.listFor(catalog, reader)}}`;
    const text = { body, etag: sdkEtag(reader.appId, body) };
    this.texts.set(key, text);
    this.length += body.length;
    this.trim();
    return text;
  }

  private listFor(catalog: Catalog, { appId, oldAndroidSdk }: TextReader): string {
    const lists = this.lists.get(catalog) ?? new Map<string, string>();
    this.lists.set(catalog, lists);
    const key = `${appId}/${oldAndroidSdk}`;
    const known = lists.get(key);
    if (known !== undefined) return known;
    const list = JSON.stringify(presentSdkOfferings(catalog, appId, oldAndroidSdk));
    lists.set(key, list);
    return list;
  }

  private trim(): void {
    for (const [key, { body }] of this.texts) {
      if (this.length <= MAX_LENGTH) return;
      this.texts.delete(key);
      this.length -= body.length;
    }
  }
}
