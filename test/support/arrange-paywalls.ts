import type { Answer, Json } from './api-client.js';
import { catalogCalls } from './arrange-catalog.js';
import type { Shop } from './world.js';

/** The calls that tests of paywalls make most. */
export function paywallCalls(store: Omit<Shop, 'server' | 'replica'>) {
  const { get, made, newOffering, post, remove } = catalogCalls(store);
  const patch = (id: string, body: object): Promise<Answer> =>
    store.backend.send('PATCH', `${store.path}/paywalls/${id}`, body);
  const publish = (id: string, body?: object): Promise<Answer> =>
    post(`/paywalls/${id}/actions/publish`, body);
  const whole = async (id: string): Promise<Json> => (await get(`/paywalls/${id}?expand=components`)).body;

  /** An offering with a monthly and an annual package, like that of the shop. */
  async function fullOffering(): Promise<Json> {
    const offering = await newOffering();
    for (const [lookupKey, product] of [
      ['$rc_annual', store.products.yearly],
      ['$rc_monthly', store.products.monthly],
    ] as const) {
      const item = await made(`/offerings/${offering.id}/packages`, {
        lookup_key: lookupKey,
        display_name: lookupKey,
      });
      await post(`/packages/${item.id}/actions/attach_products`, { products: [{ product_id: product.id }] });
    }
    return offering;
  }

  return {
    get,
    made,
    newOffering,
    post,
    remove,
    patch,
    publish,
    whole,
    fullOffering,
    unpublish: (id: string): Promise<Answer> => post(`/paywalls/${id}/actions/unpublish`),
    /** Raises the revision: changes one text of the draft. */
    retitle: async (id: string, title: string): Promise<Answer> => {
      const { components } = await whole(id);
      const { revision, components_localizations: texts } = components.draft ?? components.published;
      const [first = ''] = Object.keys(texts.en_US);
      return patch(id, {
        revision,
        components_localizations: { ...texts, en_US: { ...texts.en_US, [first]: title } },
      });
    },
    /** A paywall of a new offering, from a template, published. */
    published: async (template = 'two_plans'): Promise<{ paywall: Json; offering: Json }> => {
      const offering = await fullOffering();
      const paywall = await made('/paywalls', { offering_id: offering.id, template_id: template });
      const answer = await publish(paywall.id);
      expect(answer.status).toBe(200);
      return { paywall: answer.body, offering };
    },
  };
}
