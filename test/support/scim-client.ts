import { createOrganization, type TestOrganization, verifyDomain } from './arrange-enterprise.js';
import type { Json } from './api-client.js';
import type { TestServer } from './test-server.js';

export interface ScimAnswer {
  status: number;
  body: Json;
  headers: Headers;
}

/** Calls `/scim/v2` as identity providers do. */
export class ScimClient {
  constructor(
    private readonly baseUrl: string,
    readonly token: string,
    /** Runs before each request. */
    private readonly before: () => void = () => undefined,
  ) {}

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ScimAnswer> {
    this.before();
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      body: isJson ? JSON.parse(text) : text,
      headers: response.headers,
    };
  }

  get(path: string, headers?: Record<string, string>): Promise<ScimAnswer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown): Promise<ScimAnswer> {
    return this.send('POST', path, body);
  }

  put(path: string, body: unknown, headers?: Record<string, string>): Promise<ScimAnswer> {
    return this.send('PUT', path, body, headers);
  }

  patch(path: string, Operations: unknown[], headers?: Record<string, string>): Promise<ScimAnswer> {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    return this.send('PATCH', path, { schemas, Operations }, headers);
  }

  delete(path: string, headers?: Record<string, string>): Promise<ScimAnswer> {
    return this.send('DELETE', path, undefined, headers);
  }
}

export interface Provisioned extends TestOrganization {
  scim: ScimClient;
  domain: string;
}

let organizations = 0;

/** An organization with a verified domain and a SCIM token. */
export async function provisioned(server: TestServer): Promise<Provisioned> {
  const organization = await createOrganization(server);
  const domain = `corp${++organizations}.example`;
  await verifyDomain(server, organization, domain);
  const { status, body } = await organization.owner.session.post(`${organization.path}/scim/tokens`, {
    name: 'Okta',
  });
  if (status !== 201) throw new Error(`Expected 201, got ${status}`);
  // Each request has a time of its own, so that audit rows and resources have an order.
  const tick = (): void => server.clock.advanceMs(1);
  const scim = new ScimClient(`${server.http.baseUrl}/scim/v2`, body.token as string, tick);
  return { ...organization, scim, domain };
}
