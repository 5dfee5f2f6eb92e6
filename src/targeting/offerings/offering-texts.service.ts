import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { UiConfigRefs } from '../../../libs/paywalls/index.js';
import { type Decision, presentationOf } from '../../../libs/targeting/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { SdkText } from '../../catalog/snapshot/sdk-catalog.service.js';
import { presentSdkOfferings } from '../../catalog/snapshot/sdk-offerings.presenter.js';
import { sdkEtag } from '../../platform/http/pipeline/sdk-answer.js';
import { OfferingPaywallsService } from './offering-paywalls.service.js';
import type { PaywallForm } from './paywall-form.policy.js';

/** Clients that get the same offerings for the same decision. */
export interface TextReader {
  appId: string;
  oldAndroidSdk: boolean;
  paywalls: PaywallForm;
}

/** Maximum UTF-16 units of all texts cached by a process; as many again for lists with paywalls. */
const MAX_LENGTH = 16 * 2 ** 20;

function formName(form: PaywallForm): string {
  return form.kind === 'web' ? `web/${form.tag}` : form.kind;
}

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

/** The fields next to the list of offerings in the response. A key that is missing from the list would break SDKs. */
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
      // Placements may have any name, such as `__proto__`, which `fromEntries` handles like any other.
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
 * Rendered offerings by app, form of their paywalls and decision, with their tags. The response depends on nothing else
 * about a customer. The list of offerings is rendered once per app and form; only the fields next to it differ between
 * decisions.
 */
@Injectable()
export class OfferingTexts {
  private readonly texts = new Map<string, SdkText>();
  private length = 0;
  private readonly lists = new WeakMap<Catalog, Map<string, string>>();
  private readonly listsWithPaywalls = new LRUCache<string, string>({
    maxSize: MAX_LENGTH,
    sizeCalculation: ({ length }) => length,
  });

  constructor(private readonly paywalls: OfferingPaywallsService) {}

  get(catalog: Catalog, reader: TextReader, decision: Decision): SdkText | Promise<SdkText> {
    const { projectId, version, servedPaywalls, uiConfigRefs } = catalog;
    const form = servedPaywalls.length === 0 ? 'named' : formName(reader.paywalls);
    const readerKey = `${reader.appId}/${reader.oldAndroidSdk}/${form}`;
    const key = `${projectId}/${version}/${readerKey}/${nameOf(decision)}`;
    const known = this.texts.get(key);
    if (known) {
      // A Map keeps insertion order, so reinserting makes this the most recently used. Only needed when nearly full.
      if (this.length > MAX_LENGTH / 2) {
        this.texts.delete(key);
        this.texts.set(key, known);
      }
      return known;
    }
    const write = (list: string): SdkText => this.write(key, catalog, reader, decision, list);
    if (form === 'named' || uiConfigRefs === null) return write(this.plainList(catalog, reader));
    const listKey = `${projectId}/${version}/${readerKey}`;
    const list = this.listsWithPaywalls.get(listKey);
    return list === undefined
      ? this.listWithPaywalls(listKey, catalog, uiConfigRefs, reader).then(write)
      : write(list);
  }

  private write(
    key: string,
    catalog: Catalog,
    { appId }: TextReader,
    decision: Decision,
    list: string,
  ): SdkText {
    const head = JSON.stringify(presentDecision(decision, catalog));
    const body = `${head.slice(0, -1)},"offerings":${list}}`;
    const text = { body, etag: sdkEtag(appId, body) };
    // Requests that arrive together may render it twice.
    this.length += body.length - (this.texts.get(key)?.body.length ?? 0);
    this.texts.set(key, text);
    this.trim();
    return text;
  }

  /** The list, and after it the configuration that all paywalls share. */
  private async listWithPaywalls(
    key: string,
    catalog: Catalog,
    refs: UiConfigRefs,
    { appId, oldAndroidSdk, paywalls }: TextReader,
  ): Promise<string> {
    const { documents, uiConfig } = await this.paywalls.render(catalog, refs, paywalls);
    const offerings = presentSdkOfferings(catalog, appId, oldAndroidSdk, documents);
    const list = `${JSON.stringify(offerings)},"ui_config":${JSON.stringify(uiConfig)}`;
    this.listsWithPaywalls.set(key, list);
    return list;
  }

  private plainList(catalog: Catalog, { appId, oldAndroidSdk }: TextReader): string {
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
