import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { patientServer } from './patient-server.js';
import type { ImportCustomer } from '../../libs/importer/index.js';

export const TARGET_KEY = 'sk_TargetSecretKeyForTests0001';

type Row = Record<string, any>;

interface TargetAnswer {
  status: number;
  body: object;
}

export interface TargetCall {
  method: string;
  path: string;
  body: any;
}

/** The routes of this product that an import uses, with their rules and nothing behind them. */
export class FakeTarget {
  readonly calls: TargetCall[] = [];
  /** Customers by id, as they came last. */
  readonly customers = new Map<string, ImportCustomer>();
  readonly publicKeys = new Map<string, string>();
  readonly rows = new Map<string, Row[]>();
  /** Answers in place of the real one; undefined: the real one. */
  interfere: (call: TargetCall) => TargetAnswer | 'hang' | undefined = () => undefined;
  lacks: string[] = [];
  url = '';
  private server: Server | null = null;

  async start(): Promise<void> {
    this.server = createServer(patientServer, (request, response) => {
      void this.serve(request).then((answer) => {
        if (answer === 'hang') return;
        response
          .writeHead(answer.status, { 'content-type': 'application/json' })
          .end(JSON.stringify(answer.body));
      });
    }).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    if (this.server) await once(this.server, 'close');
  }

  /** Calls that wrote something: an empty body only asks for permissions. */
  writes(): TargetCall[] {
    return this.calls.filter(({ method, body }) => method !== 'GET' && Object.keys(body ?? {}).length > 0);
  }

  of(name: string): Row[] {
    const rows = this.rows.get(name) ?? [];
    this.rows.set(name, rows);
    return rows;
  }

  private async serve(request: IncomingMessage): Promise<TargetAnswer | 'hang'> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://target');
    const method = request.method ?? '';
    const body = method === 'POST' ? await json(request).catch(() => ({})) : undefined;
    const call = { method, path: pathname, body };
    this.calls.push(call);
    const interfered = this.interfere(call);
    if (interfered) return interfered;
    if (request.headers.authorization !== `Bearer ${TARGET_KEY}`)
      return refusal(401, 'The key is not known.');
    const [, , , project, ...rest] = pathname.split('/').map(decodeURIComponent);
    if (project === undefined) return list([{ id: 'projtarget', name: 'Target' }]);
    if (project !== 'projtarget') return refusal(404, 'No such project.');
    const lacking = this.lacks.find((part) => pathname.includes(part));
    if (lacking && method === 'POST') return refusal(403, `This key lacks the permission \`${lacking}\`.`);
    return method === 'POST' ? this.write(rest, body as Row) : this.read(rest, searchParams);
  }

  private read(path: string[], query: URLSearchParams): TargetAnswer {
    const [area, id, part] = path;
    if (area === 'import') {
      return {
        status: 200,
        body: {
          customers: this.customers.size,
          subscriptions: 0,
          needs_token_refresh: 0,
          needs_token_refresh_by_app: {},
          unconfirmed_original_ids: 0,
        },
      };
    }
    if (area === 'customers' && id !== undefined) {
      const customer = [...this.customers.values()].find(
        (each) => each.id === id || each.aliases?.includes(id),
      );
      if (!customer) return refusal(404, 'No such customer.');
      if (part === 'subscriptions') return list(customer.subscriptions ?? []);
      return { status: 200, body: customer };
    }
    if (area === 'customers') return list([...this.customers.values()]);
    if (part === 'public_api_keys') {
      const key = this.publicKeys.get(id ?? '') ?? `appl_own${id}`;
      return list([{ id: `pk_${id}`, key, environment: 'production', app_id: id }]);
    }
    void query;
    return list(this.of(path.join('/')));
  }

  private write(path: string[], body: Row): TargetAnswer {
    const [area, id, part, action] = path;
    if (area === 'import' && id === 'customers') return this.import(body);
    if (Object.keys(body).length === 0 && part !== 'actions')
      return refusal(400, 'The body is empty.', 'name');
    if (area === 'import') {
      const taken = [...this.publicKeys].some(([app, key]) => key === body.public_key && app !== part);
      if (taken) return refusal(409, 'The key is taken.', 'public_key');
      this.publicKeys.set(part ?? '', body.public_key as string);
      return { status: 200, body: {} };
    }
    if (part === 'actions') return this.act(path, action ?? '', body);
    const name = path.join('/');
    const one = this.of(area ?? '').find((row) => row.id === id);
    if (one && path.length === 2) return { status: 200, body: Object.assign(one, body) };
    const key = ['lookup_key', 'code'].find((field) => body[field] !== undefined);
    if (key && this.of(name).some((row) => row[key] === body[key])) return refusal(409, 'It exists.', key);
    const isFirst = area === 'offerings' && this.of('offerings').length === 0;
    const row = { id: `t_${randomUUID().slice(0, 8)}`, ...(isFirst ? { is_current: true } : {}), ...body };
    this.of(name).push(row);
    return { status: 201, body: row };
  }

  private act([area, id]: string[], action: string, body: Row): TargetAnswer {
    if (action === 'archive') {
      const row = this.of(area ?? '').find((each) => each.id === id);
      if (row) row.state = 'inactive';
      return { status: 200, body: row ?? {} };
    }
    const products = this.of(`${area}/${id}/products`);
    for (const product of (body.product_ids ?? []) as string[]) products.push({ id: product });
    for (const { product_id: product } of (body.products ?? []) as Row[])
      products.push({ product: { id: product } });
    return { status: 200, body: {} };
  }

  private import(body: Row): TargetAnswer {
    const customers = body.customers as ImportCustomer[] | undefined;
    if (!customers?.length) return refusal(400, 'It is empty.', 'customers');
    const bad = customers.findIndex(({ id }) => id.includes('/'));
    if (bad !== -1) return refusal(400, 'The id is not valid.', `customers.${bad}.id`);
    const rows = customers.map((customer) => {
      const status = this.customers.has(customer.id) ? 'updated' : 'created';
      this.customers.set(customer.id, customer);
      const { subscriptions = [], purchases = [] } = customer;
      return {
        id: customer.id,
        status,
        subscriptions: subscriptions.length,
        purchases: purchases.length,
        needs_token_refresh: 0,
        notes: [],
      };
    });
    return { status: 200, body: { object: 'import_result', customers: rows } };
  }
}

function list(items: object[]): TargetAnswer {
  return { status: 200, body: { object: 'list', items, next_page: null, url: '' } };
}

function refusal(status: number, message: string, param?: string): TargetAnswer {
  return { status, body: { object: 'error', type: 'parameter_error', message, param, retryable: false } };
}
