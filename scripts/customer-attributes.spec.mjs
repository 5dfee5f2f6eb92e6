import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Customers hold the public key, and anyone with it can write attributes of a customer whose id they know. So nothing
 * that proves or moves a purchase may depend on an attribute, unless the code checks that a backend or a receipt wrote
 * it (`checksWriter`). Every file that touches attributes is listed under its purpose.
 */
const uses = {
  'sends a link that moves a purchase to its owner': {
    checksWriter: true,
    files: ['src/redemption/links/link-issuer.service.ts'],
  },
  'answers a refund request as a backend prefers': {
    checksWriter: true,
    files: ['src/stores/refund-requests/refund-decision.policy.ts'],
  },
  'checks, merges and stores what is written': {
    files: [
      'src/customers/customers/identity/attribute-names.ts',
      'src/customers/customers/identity/customer-attribute.entity.ts',
      'src/purchases/recording/apply-purchases.ts',
      'src/purchases/recording/change-builder.ts',
      'src/purchases/recording/change-set.sql.ts',
      'src/purchases/recording/changes.repository.ts',
      'src/sdk/receipts/receipt.body.ts',
      'src/sdk/receipts/receipts.service.ts',
      'src/sdk/receipts/receipts.v1.controller.ts',
      'src/support/attributes/attribute-posts.service.ts',
      'src/support/attributes/attribute-values.ts',
      'src/support/attributes/attribution.ts',
      'src/support/attributes/customer-attributes.v1.controller.ts',
      'src/support/attributes/sdk-attributes.ts',
      'src/support/lifecycle/customer-creation.service.ts',
      'src/support/lifecycle/customer-lifecycle.v2.controller.ts',
    ],
  },
  'imports those of another system, as if an SDK had written them': {
    files: [
      'src/imports/customers/import.recorder.ts',
      'libs/importer/customers/build-customer.ts',
      'libs/importer/customers/customer-reader.ts',
      'libs/importer/files/customers-csv.ts',
      'libs/importer/files/export-customer.ts',
    ],
  },
  'moves them with a merged customer, and erases and exports them': {
    files: [
      'src/customers/customers/identity/customer-merge.repository.ts',
      'src/support/export/export-sections.sql.ts',
      'src/customers/customers/identity/customer-rows.sql.ts',
    ],
  },
  'answers backends and people with the attributes': {
    files: [
      'src/customers/customers/customer-info/customer-info.answer.ts',
      'src/customers/customers/customer-info/customer-info.service.ts',
      'src/customers/customers/customer-info/customer-info.ts',
      'src/customers/customers/identity/customer-state.sql.ts',
      'src/customers/customers/identity/customer.presenter.ts',
      'src/customers/customers/identity/customers.repository.ts',
      'src/purchases/recording/posted-purchases.service.ts',
      'src/support/attributes/attributes-read.v1.controller.ts',
      'src/support/attributes/attributes.v2.controller.ts',
      'src/support/attributes/customer-attributes.service.ts',
    ],
  },
  'documents them with an example': {
    files: [
      'src/customers/customers/identity/customer.dto.ts',
      'src/imports/customers/customer-import.dto.ts',
      'src/support/attributes/attribute.dto.ts',
      'src/support/lifecycle/customer-lifecycle.dto.ts',
    ],
  },
  'finds customers by email or another attribute for people who look for one': {
    files: [
      'src/customers/customers/identity/customer-lists.repository.ts',
      'src/platform/database/citus/table-kinds.ts',
      'src/platform/database/schema/expected-indexes.ts',
      'src/support/customer-list/listed-customers.repository.ts',
    ],
  },
  'passes them to the decision about a refund request': {
    files: [
      'src/stores/refund-requests/refund-answers.service.ts',
      'src/stores/refund-requests/refund-facts.service.ts',
      'src/stores/refund-requests/refund-requests.recorder.ts',
      'src/stores/refund-requests/reports/refund-preview.policy.ts',
    ],
  },
  'chooses retention messages': {
    files: [
      'src/stores/retention-messages/requests/retention-facts.ts',
      'src/stores/retention-messages/requests/retention-requests.service.ts',
    ],
  },
  'copies them into events': {
    files: [
      'src/webhooks/events/currency-event-body.ts',
      'src/webhooks/events/event-body.ts',
      'src/webhooks/events/refund-event-body.ts',
    ],
  },
  'sends them to tools of the team, with the ids that customers have there': {
    files: [
      'libs/destinations/plan-delivery.ts',
      'libs/destinations/testing/body-schemas.ts',
      'libs/destinations/tools/adjust.ts',
      'libs/destinations/tools/amplitude.ts',
      'libs/destinations/tools/appsflyer.ts',
      'libs/destinations/tools/braze.ts',
      'libs/destinations/tools/customerio.ts',
      'libs/destinations/tools/firebase.ts',
      'libs/destinations/tools/http.ts',
      'libs/destinations/tools/meta.ts',
      'libs/destinations/tools/mixpanel.ts',
      'libs/destinations/tools/posthog.ts',
      'libs/destinations/tools/segment.ts',
      'src/webhooks/deliveries/waiting/waiting-deliveries.repository.ts',
      'src/webhooks/deliveries/waiting/waiting-deliveries.service.ts',
      'src/webhooks/destinations/sending/destination-sender.service.ts',
      'src/webhooks/destinations/sending/frozen-customer.ts',
      'src/webhooks/destinations/settings/destination-settings.service.ts',
    ],
  },
  'shows whether destinations get them, and which ones a delivery waits for': {
    files: [
      'libs/dashboard/src/destinations/deliveries/waiting-tab.tsx',
      'libs/dashboard/src/destinations/form/destination-form.ts',
      'libs/dashboard/src/destinations/form/what-is-sent.ts',
      'src/webhooks/destinations/deliveries/destination-delivery.dto.ts',
      'src/webhooks/destinations/integrations/destination.presenter.ts',
      'src/webhooks/destinations/integrations/destinations.service.ts',
    ],
  },
  'chooses offerings': {
    files: [
      'libs/targeting/conditions.ts',
      'src/targeting/evaluation/evaluation.service.ts',
      'src/targeting/offerings/customer-facts.repository.ts',
      'src/targeting/offerings/customer-facts.service.ts',
      'src/targeting/offerings/sdk-offerings.service.ts',
    ],
  },
  'divides charts': {
    files: [
      'src/insights/charts/rollup/attribute-values.sql.ts',
      'src/insights/charts/rollup/chart-attributes.repository.ts',
      'src/insights/charts/rollup/chart-rollup.repository.ts',
      'src/insights/charts/rollup/chart-source.repository.ts',
      'src/insights/charts/facts/derive-customer.ts',
      'src/insights/charts/facts/source.model.ts',
      'src/insights/charts/rollup/source.sql.ts',
      'src/workspace/projects/chart-attributes.policy.ts',
    ],
  },
  'shows them in rows of data sets': {
    files: ['src/exports/report-rows/derive-report-rows.ts', 'src/exports/report-rows/report-source.sql.ts'],
  },
  'displays and edits them in the dashboard': {
    files: [
      'libs/dashboard/src/customers/attributes/attributes-panel.tsx',
      'libs/dashboard/src/customers/customer-name.ts',
    ],
  },
};

/** Other attributes (XML, SCIM, PKCS #7, JSON:API of Apple), and migrations. */
const otherMeanings =
  /^src\/enterprise\/(scim|sso)\/|^src\/platform\/database\/migrations\/|^libs\/stores\/apple\/legacy-receipt\/|^libs\/stores\/listings\/app-store-listing\.ts$|^libs\/dashboard\/src\/organizations\/sso\//;

const parse = (file) =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);

function nodesOf(file) {
  const nodes = [];
  const visit = (node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return nodes;
}

const texts = (nodes) =>
  nodes
    .filter((node) => ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node))
    .map(({ text }) => text);

const reservedNames = new Set(
  texts(nodesOf('src/customers/customers/identity/attribute-names.ts')).filter((text) =>
    text.startsWith('$'),
  ),
);

/** Names of the properties that a node reads. */
function namesRead(node) {
  if (ts.isPropertyAccessExpression(node)) return [node.name.text];
  if (ts.isElementAccessExpression(node)) return texts([node.argumentExpression]);
  if (ts.isBindingElement(node)) return [(node.propertyName ?? node.name).getText()];
  return [];
}

/** Reads the table, a member `attributes`, or an attribute by its reserved name. */
function touchesAttributes(file) {
  if (!/attributes|\$[a-z]/.test(readFileSync(join(root, file), 'utf8'))) return false;
  const nodes = nodesOf(file);
  const isNamed = (text) => [...reservedNames].some((name) => text === name || text.includes(`'${name}'`));
  return (
    texts(nodes).some((text) => /\bcustomer_attributes\b/.test(text) || isNamed(text)) ||
    nodes.flatMap(namesRead).some((name) => name === 'attributes' || reservedNames.has(name))
  );
}

const touching = ['src', 'libs']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  )
  .filter(
    (file) => /(?<!\.spec|\.d)\.tsx?$/.test(file) && !otherMeanings.test(file) && touchesAttributes(file),
  );

describe('attributes of customers, which the public key can write', () => {
  it('has no users but the files listed with their purpose', () => {
    expect(reservedNames.size).toBeGreaterThan(40);
    const listed = Object.values(uses).flatMap(({ files }) => files);
    expect(touching.toSorted()).toEqual(listed.toSorted());
  });

  it('decide about a purchase only where the writer is checked', () => {
    const checking = Object.values(uses).flatMap(({ checksWriter, files }) => (checksWriter ? files : []));
    expect(checking.length).toBeGreaterThan(0);
    const unchecked = checking.filter((file) => {
      const nodes = nodesOf(file);
      return !nodes.flatMap(namesRead).includes('source') || !texts(nodes).includes('api');
    });
    expect(unchecked).toEqual([]);
  });
});
