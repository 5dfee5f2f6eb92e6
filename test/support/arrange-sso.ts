import { parse } from 'node:querystring';
import { inflateRawSync } from 'node:zlib';
import { type ApiClient, type Answer } from './api-client.js';
import { createOrganization, type TestOrganization, verifyDomain } from './arrange-enterprise.js';
import {
  idpMetadata,
  posted,
  type ResponseParts,
  type SamlIdp,
  samlIdp,
  type ServiceProvider,
  signedResponse,
} from './saml-idp.js';
import type { TestServer } from './test-server.js';

/** A browser: keeps the cookies that it gets. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly server: Pick<TestServer, 'http'>) {}

  get(path: string): Promise<Answer> {
    return this.keep(this.client().get(path));
  }

  postForm(path: string, fields: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams(fields).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.keep(this.client().send('POST', path, body, type));
  }

  /** Returns a client with the browser's cookies. */
  client(): ApiClient {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return cookie === '' ? this.server.http : this.server.http.withCookie(cookie);
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  private async keep(answering: Promise<Answer>): Promise<Answer> {
    const answer = await answering;
    for (const header of (answer.headers['set-cookie'] ?? []) as unknown as string[]) {
      const [pair = ''] = header.split(';');
      const equals = pair.indexOf('=');
      this.cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    return answer;
  }
}

export interface SamlScene {
  organization: TestOrganization;
  idp: SamlIdp;
  connection: { id: string; path: string };
  sp: ServiceProvider;
}

let scenes = 0;

/** An organization with a verified domain and an enabled SAML connection. */
export async function arrangeSaml(
  server: TestServer,
  { domain, jit = true, saml = {} }: { domain: string; jit?: boolean; saml?: Record<string, unknown> },
): Promise<SamlScene> {
  const organization = await createOrganization(server);
  await verifyDomain(server, organization, domain);
  const idp = samlIdp(`idp${scenes++}.example`);
  const answer = await organization.owner.session.post(`${organization.path}/sso/connections`, {
    kind: 'saml',
    name: 'Test provider',
    enabled: true,
    jit,
    saml: { metadata_xml: idpMetadata(idp), ...saml },
  });
  if (answer.status !== 201) throw new Error(`Expected 201, got ${answer.status}: ${answer.text}`);
  const { id, sp } = answer.body;
  return {
    organization,
    idp,
    connection: { id, path: `${organization.path}/sso/connections/${id}` },
    sp: { spEntityId: sp.entity_id, acsUrl: sp.acs_url },
  };
}

/** Begins at the connection. Returns the id of the request. */
export async function startSaml(browser: Browser, scene: SamlScene, next?: string): Promise<string> {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  const answer = await browser.get(`/sso/connections/${scene.connection.id}/start${query}`);
  return requestIdOf(answer);
}

export function requestXmlOf({ headers }: Answer): string {
  const { SAMLRequest } = parse(new URL(headers.location ?? '').search.slice(1));
  return inflateRawSync(Buffer.from(String(SAMLRequest), 'base64')).toString();
}

export function requestIdOf(answer: Answer): string {
  return /ID="([^"]+)"/.exec(requestXmlOf(answer))?.[1] ?? '';
}

export function postResponse(
  browser: Browser,
  { connection }: SamlScene,
  response: string,
  relayState = 'x',
): Promise<Answer> {
  return browser.postForm(`/sso/saml/${connection.id}/acs`, {
    SAMLResponse: response,
    RelayState: relayState,
  });
}

/** A whole sign-in of a person, whose browser it returns with the last answer. */
export async function signInBySaml(
  server: TestServer,
  scene: SamlScene,
  parts: Partial<ResponseParts> & { next?: string } = {},
): Promise<{ browser: Browser; answer: Answer }> {
  const browser = new Browser(server);
  const inResponseTo = await startSaml(browser, scene, parts.next);
  const whole = { nowMs: server.clock.nowMs(), inResponseTo, ...parts };
  const answer = await postResponse(browser, scene, posted(signedResponse(scene.idp, scene.sp, whole)));
  return { browser, answer };
}

/** The reasons of failed sign-ins, latest first. */
export async function refusalsOf({ organization }: { organization: TestOrganization }): Promise<string[]> {
  const { body } = await organization.owner.session.get(`${organization.path}/audit_logs?limit=100`);
  const rows = body.items as { action: string; data: { reason: string } }[];
  return rows.filter(({ action }) => action === 'sso_sign_in_failed').map(({ data }) => data.reason);
}
