import { randomBytes } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { OpenAPIObject } from '@nestjs/swagger';
import { sessionCookie } from '../support/arrange.js';
import { type SignedInCustomer, signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import type { ApiClient } from '../support/api-client.js';
import { rollUpReports } from '../support/exports/roll-up-reports.js';
import { arrangeKnownObjects, type KnownObjects } from '../support/known-objects.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: string;
  schema: { example?: string | string[]; enum?: string[] };
}

interface Operation {
  operationId: string;
  summary: string;
  security: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: { $ref?: string; example?: unknown } }> };
}

interface Route extends Operation {
  path: string;
  method: string;
}

/** They need an account at a store, which the server of this test does not have. */
const needAStore = [
  'answerRefundRequest',
  'bindExternalPurchaseToken',
  'compareStoreProducts',
  'configureRetentionUrl',
  'createExternalPurchaseToken',
  'createProductInStore',
  'createRedemptionLink',
  'createRetentionMessage',
  'createRetentionRule',
  'deferSubscription',
  'deleteRetentionMessage',
  'extendStoreSubscription',
  'extendSubscription',
  'getAmazonReceipt',
  'getExternalPurchaseReport',
  'getMassExtension',
  'getRetentionRule',
  'getRefundRequest',
  'getRetentionTest',
  'getStoreKitConfig',
  'getSubscriptionManagementUrl',
  'importStoreProducts',
  'leaveRefundRequest',
  'listRetentionMessages',
  'listStoreProducts',
  'massExtendSubscriptions',
  'restateExternalPurchaseReport',
  'restorePurchaseByOrderId',
  'sendExternalPurchaseReportAgain',
  'setDefaultRetentionMessage',
  'setRefundRequestEvidence',
  'signPromotionalOffers',
  'startRetentionTest',
  'updateRetentionRule',
  'verifyStoreCredentials',
];

/** They need what only one person or program has: a code, a token, an address. */
const needSecrets = [
  'askForConsent',
  'completeLogin',
  'decideConsent',
  'deleteAccount',
  'disableTwoFactor',
  'enableTwoFactor',
  'exchangeOauthToken',
  'refreshCustomerTokens',
  'refreshSdkTokens',
  'renewRecoveryCodes',
];

/** They need the token of a link in a mail. */
const needAMail = ['confirmEmailChange', 'getInvite', 'redeemWebPurchase', 'resetPassword', 'verifyEmail'];

/** Operations that only stores call. */
const notFromPeople = ['answerRetentionRequest', 'receiveStoreNotification'];

function routesOf(document: OpenAPIObject): Route[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );
}

/** Until an advancing clock has arrived, it takes nothing else; rules and policies are ordered before more are created. */
function placeOf({ operationId }: Route): number {
  if (['reorderTargetingRules', 'reorderRefundPolicies', 'reorderRetentionRules'].includes(operationId))
    return -1;
  return operationId === 'advanceTestClock' ? 1 : 0;
}

describe('the examples of the OpenAPI document', () => {
  let server: TestServer;
  let store: TestStore;
  let known: KnownObjects;
  let customer: SignedInCustomer;
  let routes: Route[];
  let ajv: Ajv2020;

  beforeAll(async () => {
    server = await startTestServer({
      env: {
        SERVICE_ALLOW_SIGNUP: 'true',
        SERVICE_TRUST_PROXY: 'true',
        SERVICE_SIGNING_KEY: randomBytes(32).toString('base64'),
      },
    });
    routes = routesOf(server.document);
    ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema({ $id: 'openapi', components: server.document.components });
    store = await createTestStore(server);
    known = await arrangeKnownObjects(store, server.clock.nowMs());
    await turnSignInOn(server, store.projectId);
    // Only someone with an account at the provider could sign in.
    await server.dataSource.query(
      `INSERT INTO auth_identities (project_id, provider_id, subject, app_user_id, logins, last_login_at, created_at)
       VALUES ($1, $2, $3, 'ada', 1, now(), now())`,
      [store.projectId, known.provider_id, known.subject],
    );
    // Only a purchase at a store on the web has one.
    await server.dataSource.query(
      `INSERT INTO redemption_links (project_id, id, customer_id, purchase_kind, purchase_id, store, environment,
         created_at, expires_at)
       SELECT project_id, 'rlnk1', customer_id, 'subscription', $2, 'stripe', 'production', now(), now()
       FROM customer_aliases WHERE project_id = $1 AND app_user_id = 'ada'`,
      [store.projectId, known.subscription_id],
    );
    known = { ...known, link_id: 'rlnk1' };
    customer = await signInAnonymously(server, store);
    const balances = `${store.path}/customers/${encodeURIComponent(customer.appUserId)}/virtual_currencies`;
    await store.backend.post(`${balances}/transactions`, { adjustments: { GLD: 20 } });
  });

  afterAll(() => server.close());

  const schemaOf = ({ requestBody }: Route) => requestBody?.content['application/json']?.schema;

  const exampleOf = (route: Route): unknown => {
    const name = schemaOf(route)?.$ref?.split('/').at(-1) ?? '';
    const schema = server.document.components?.schemas?.[name] as { example?: unknown } | undefined;
    return schema?.example ?? schemaOf(route)?.example;
  };

  const withBody = (): Route[] =>
    routes.filter(({ requestBody, operationId }) => requestBody && !notFromPeople.includes(operationId));

  const parameterExample = ({ example, schema }: Parameter): string | undefined =>
    example ?? (schema.example && [schema.example].flat().join(',')) ?? schema.enum?.[0];

  /** The path with what the document suggests, and otherwise with the ids of this server. */
  const urlOf = ({ path, parameters = [] }: Route): string => {
    const used = parameters.filter((parameter) => parameter.in === 'path' || parameter.required);
    const query = new URLSearchParams();
    let url = path;
    for (const parameter of used) {
      const value = parameterExample(parameter) ?? known[parameter.name] ?? 'unknown';
      if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, encodeURIComponent(value));
      else query.set(parameter.name, value);
    }
    return query.size > 0 ? `${url}?${query.toString()}` : url;
  };

  /** A body as the document has it, with the ids of this server for those it names. */
  const onThisServer = (example: unknown): unknown => {
    const own: Record<string, string | undefined> = {
      appsx2k8v0a1b: known.app_id,
      prodsx2k8v0a1b: known.product_id,
      entlsx2k8v0a1b: known.entitlement_id,
      ofrngsx2k8v0a1b: known.offering_id,
      rfplsx2k8v0a1b: known.policy_id,
      svchsx2k8v0a1b: known.saved_chart_id,
      usr_0mb3x1c9a5k2v7pq: known.user_id,
      exd_0mb3x1c9a5k2v7pq: known.export_destination_id,
      ofrngsx2k8v0a1c: known.experiment_offering_id,
    };
    const text = Object.entries(own).reduce(
      (json, [named, real]) => json.replaceAll(named, real ?? named),
      JSON.stringify(example),
    );
    return JSON.parse(text);
  };

  const clientOf = ({ security }: Route): ApiClient => {
    const schemes = security.flatMap((entry) => Object.keys(entry));
    // It can do without.
    if (security.some((entry) => Object.keys(entry).length === 0)) return server.http;
    if (schemes.includes('public_key')) return store.sdk;
    if (schemes.includes('secret_key')) return store.backend;
    if (schemes.includes('customer_token')) return customer.client;
    return schemes.includes('session') ? store.session : server.http;
  };

  it('includes one for every body that people send, all valid', () => {
    const bad = withBody().flatMap((route) => {
      const example = exampleOf(route);
      if (example === undefined) return [`${route.operationId} has none`];
      const schema = JSON.stringify(schemaOf(route) ?? {}).replaceAll('"#/', '"openapi#/');
      const validate = ajv.compile(JSON.parse(schema) as object);
      return validate(example) ? [] : [`${route.operationId}: ${ajv.errorsText(validate.errors)}`];
    });
    expect(bad).toEqual([]);
    expect(withBody().length).toBeGreaterThan(40);
  });

  it('includes one for every required query parameter; every parameter is described', () => {
    const parameters = routes.flatMap(({ operationId, parameters: own = [] }) =>
      own.map((parameter) => ({ ...parameter, at: `${operationId} ${parameter.name}` })),
    );
    expect(parameters.filter(({ description }) => !description).map(({ at }) => at)).toEqual([]);
    const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
    expect(needed.filter((parameter) => parameterExample(parameter) === undefined)).toEqual([]);
    expect(needed.length).toBeGreaterThan(2);
  });

  it('allows signing up and signing in', async () => {
    const route = (operationId: string) => routes.find((known) => known.operationId === operationId);
    const [signUp, login] = [route('signUp'), route('login')];
    if (!signUp || !login) throw new Error('There is no sign-up.');
    const made = await server.http.post(signUp.path, exampleOf(signUp), { 'x-forwarded-for': '10.9.9.9' });
    expect(made.status).toBe(201);
    const answer = await server.http.post(login.path, exampleOf(login));
    expect(answer.status).toBe(200);
    expect(sessionCookie(answer)).toMatch(/^rd_session=./);
  });

  it('succeeds when read unchanged', async () => {
    const failed: string[] = [];
    const reads = routes.filter(
      ({ method, path, operationId, summary }) =>
        method === 'GET' &&
        ![...needAStore, ...needAMail, ...needSecrets].includes(operationId) &&
        !summary.endsWith('(none)') &&
        path !== '/',
    );
    await rollUpReports(server);
    for (const route of reads) {
      const answer = await clientOf(route).get(urlOf(route));
      if (answer.status >= 400) failed.push(`${route.operationId} ${answer.status} ${answer.text}`);
    }
    expect(failed).toEqual([]);
    expect(reads.length).toBeGreaterThan(60);
  });

  /** An export has one run at a time. */
  const cancelRun = async (): Promise<void> => {
    const runs = `${store.path}/integrations/exports/${known.export_id}/runs`;
    await store.backend.post(`${runs}/${known.run_id}/actions/cancel`, {});
  };

  it('succeeds when sent unchanged', async () => {
    const failed: string[] = [];
    const sent = withBody()
      .filter(
        ({ operationId }) =>
          ![...needAStore, ...needSecrets, ...needAMail, 'signUp', 'login'].includes(operationId),
      )
      .sort((a, b) => placeOf(a) - placeOf(b));
    for (const route of sent) {
      if (route.operationId === 'createProductPrices') {
        // Prices can be set only for a product without any.
        const product = `${store.path}/products/${known.product_id}`;
        await store.backend.post(product, { test_store_price: null });
      }
      if (route.operationId === 'runExport') await cancelRun();
      const answer = await clientOf(route).send(route.method, urlOf(route), onThisServer(exampleOf(route)));
      if (answer.status >= 400) failed.push(`${route.operationId} ${answer.status} ${answer.text}`);
    }
    expect(failed).toEqual([]);
    expect(sent.length).toBeGreaterThan(35);
  });
});
