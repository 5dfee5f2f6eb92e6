import { HttpRefusal } from '../http/http-client.js';
import type { SourceApi } from '../source/source-api.js';
import type { SourceCustomer, SourceSubscription, SourceTransaction } from '../source/source.model.js';
import type { TargetApi } from '../target/target-api.js';
import type { SourceProducts } from '../catalog/import-products.js';
import type { CustomerDetails } from './customer-details.js';

/** Stores whose transactions the source lists. */
const withTransactions = ['app_store', 'mac_app_store', 'play_store'];

/** Finds purchase tokens by order, or by customer and product. */
export interface TokenFinder {
  find(query: { orderId: string; customerIds: string[]; productId: string | null }): Promise<string | null>;
}

export interface ReaderOptions {
  source: SourceApi;
  project: string;
  target: TargetApi;
  hasCurrencies: boolean;
  products: SourceProducts;
  /** Null without `--google-tokens`. */
  tokens: TokenFinder | null;
  /** Whether this is a later pass, which does not reread transactions already known here. */
  isRepeat: boolean;
}

/** Reads the complete data of one customer from the source. */
export class CustomerReader {
  constructor(private readonly options: ReaderOptions) {}

  /** Null if the customer no longer exists. `listed` saves one request. */
  async read(id: string, listed: SourceCustomer | null): Promise<CustomerDetails | null> {
    try {
      return await this.details(id, listed);
    } catch (error) {
      if (error instanceof HttpRefusal && error.status === 404) return null;
      throw error;
    }
  }

  private async details(id: string, listed: SourceCustomer | null): Promise<CustomerDetails | null> {
    const { source, project, hasCurrencies } = this.options;
    const single = listed === null ? await source.customer(project, id) : null;
    const customer = listed ?? single;
    if (customer === null) return null;
    const attributes = single?.attributes ?? (await source.attributes(project, customer.id));
    const aliases = await source.aliases(project, customer.id);
    const subscriptions = await source.subscriptions(project, customer.id);
    const purchases = await source.purchases(project, customer.id);
    const transactions = await this.transactions(customer.id, subscriptions);
    const tokens = await this.tokens([customer.id, ...aliases.map((alias) => alias.id)], subscriptions);
    const balances = hasCurrencies ? await source.balances(project, customer.id) : [];
    // Call v1 only with an id that v2 has just returned: it creates unknown customers.
    const subscriber = source.hasV1 && subscriptions.length > 0 ? await source.subscriber(customer.id) : null;
    return {
      customer,
      aliases,
      attributes,
      subscriptions,
      purchases,
      transactions,
      tokens,
      balances,
      subscriber,
    };
  }

  private async transactions(
    id: string,
    subscriptions: readonly SourceSubscription[],
  ): Promise<Map<string, SourceTransaction[]>> {
    const asked = subscriptions.filter(({ store }) => withTransactions.includes(store));
    const known =
      this.options.isRepeat && asked.length > 0 ? await this.accessHere(id) : new Map<string, boolean>();
    const found = new Map<string, SourceTransaction[]>();
    for (const subscription of asked) {
      // If access has changed, transactions may show a refund.
      if (known.get(subscription.store_subscription_identifier) === subscription.gives_access) continue;
      found.set(
        subscription.id,
        await this.options.source.transactions(this.options.project, subscription.id),
      );
    }
    return found;
  }

  private async tokens(
    customerIds: string[],
    subscriptions: readonly SourceSubscription[],
  ): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    if (this.options.tokens === null) return found;
    for (const { id, store, product_id: product, store_subscription_identifier: orderId } of subscriptions) {
      if (store !== 'play_store') continue;
      const productId = this.options.products.get(product ?? '')?.store_identifier ?? null;
      const token = await this.options.tokens.find({ orderId, customerIds, productId });
      if (token !== null) found.set(id, token);
    }
    return found;
  }

  /** Whether each subscription known here gives access, by its latest identifier. */
  private async accessHere(id: string): Promise<Map<string, boolean>> {
    const { target } = this.options;
    if ((await target.customer(id)) === null) return new Map();
    const subscriptions = await target.subscriptions(id);
    return new Map(
      subscriptions.map((one) => [one.store_subscription_identifier, one.gives_access] as const),
    );
  }
}
