import type { FakeAnswer } from '../fake-http.js';
import { basicUser, FakeTool, numberOrNull, parsed, type ToolRequest } from './fake-tool.js';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Recognizes repeated events by their ULID only; answers 207 if some items are wrong. */
export class FakeCustomerIo extends FakeTool {
  readonly people = new Map<string, object>();
  /** The account lives in the other region. */
  isElsewhere = false;

  protected answer(request: ToolRequest): FakeAnswer {
    const batch = parsed(request)?.batch;
    if (request.path !== '/api/v2/batch') return { status: 404 };
    if (this.isElsewhere)
      return { status: 301, headers: { location: 'https://track-eu.customer.io/api/v2/batch' } };
    const keys = basicUser(request);
    if (keys.some((key) => key === '' || this.refusedKeys.has(key)))
      return { status: 401, body: { meta: { error: 'Unauthorized request' } } };
    if (!Array.isArray(batch) || request.body.length > 500_000) return { status: 400 };
    const errors = batch.flatMap((item, batch_index) => {
      const reason = this.problemOf(item);
      return reason === null ? [] : [{ batch_index, reason, field: 'id', message: `${reason} id` }];
    });
    for (const item of batch) if (this.problemOf(item) === null) this.store(item);
    return errors.length === 0 ? { status: 200 } : { status: 207, body: { errors } };
  }

  private problemOf(item: any): string | null {
    const id = item.identifiers?.id;
    if (typeof id !== 'string' || id === '') return 'required';
    if (Buffer.byteLength(id) > 150) return 'invalid';
    return Buffer.byteLength(JSON.stringify(item)) > 32_000 ? 'too_large' : null;
  }

  private store({ action, identifiers: { id: user }, name, id, attributes }: any): void {
    if (action === 'identify') this.people.set(user, attributes);
    else this.count({ id, name, user, revenue: numberOrNull(attributes.revenue) }, ULID.test(id) ? id : null);
  }
}

const FORBIDDEN_PROPERTIES = ['time', 'event_name', 'price', 'currency', 'quantity', 'product_id'];

function isPurchase({ product_id, currency, price, time, properties }: any): boolean {
  const isNamed = typeof product_id === 'string' && product_id.length <= 255;
  const hasForbidden = Object.keys(properties).some((name) => FORBIDDEN_PROPERTIES.includes(name));
  return isNamed && currency === 'USD' && typeof price === 'number' && Boolean(time) && !hasForbidden;
}

/** Counts repeated events; answers 201 with errors if some objects are wrong. */
export class FakeBraze extends FakeTool {
  readonly profiles = new Map<string, object>();

  protected answer(request: ToolRequest): FakeAnswer {
    if (request.path !== '/users/track') return { status: 404 };
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (key === '' || this.refusedKeys.has(key)) return { status: 401, body: { message: 'Invalid API key' } };
    const { attributes = [], events = [], purchases = [] } = parsed(request) ?? {};
    const errors: object[] = [];
    const isWrong = (list: string, type: string, items: any[], isGood: (item: any) => boolean) =>
      items.filter((item, index) => {
        const isAccepted = this.userOf(item) !== null && isGood(item);
        if (!isAccepted) errors.push({ type, input_array: list, index });
        return isAccepted;
      });
    const goodAttributes = isWrong('attributes', "'external_id' is required", attributes, () => true);
    const goodEvents = isWrong('events', "'name' is not valid", events, ({ name, time }) =>
      Boolean(name && time),
    );
    const goodPurchases = isWrong('purchases', "'price' is not valid", purchases, isPurchase);
    for (const item of goodAttributes) this.profiles.set(this.userOf(item) ?? '', item);
    for (const item of goodEvents) this.store(item, item.name, numberOrNull(item.properties?.revenue));
    for (const item of goodPurchases) this.store(item, item.properties.rc_event_name, item.price);
    return { status: 201, body: { message: 'success', ...(errors.length > 0 && { errors }) } };
  }

  private userOf({ external_id, user_alias }: any): string | null {
    if (user_alias) return Buffer.byteLength(user_alias.alias_name) > 236 ? null : user_alias.alias_name;
    return external_id || null;
  }

  private store(item: any, name: string, revenue: number | null): void {
    this.count({ id: null, name, user: this.userOf(item) ?? '', revenue }, null);
  }
}
