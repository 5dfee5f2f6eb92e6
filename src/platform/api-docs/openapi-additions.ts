import type { Type } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

interface UnionSchema {
  name: string;
  description: string;
  /** Property whose value selects the member. */
  discriminator: string;
  /** Members with the values of the discriminator that select them. Each must be an extra model of a controller. */
  members: readonly { model: Type<unknown>; values: readonly string[] }[];
}

interface DescribedWebhook {
  name: string;
  summary: string;
  description: string;
  tag: string;
  /** The body, an extra model of a controller. */
  body: Type<unknown>;
}

const unions: UnionSchema[] = [];
const webhooks: DescribedWebhook[] = [];

/** Adds a schema that no class can describe: one of several classes. */
export function documentUnion(union: UnionSchema): void {
  unions.push(union);
}

/** Adds a request that this server sends. No route describes it. */
export function documentWebhook(webhook: DescribedWebhook): void {
  webhooks.push(webhook);
}

function unionSchema({ description, discriminator, members }: UnionSchema): object {
  const mapping = members.flatMap(({ model, values }) =>
    values.map((value) => [value, getSchemaPath(model)] as const),
  );
  return {
    description,
    oneOf: members.map(({ model }) => ({ $ref: getSchemaPath(model) })),
    discriminator: { propertyName: discriminator, mapping: Object.fromEntries(mapping) },
  };
}

function webhookItem({ name, summary, description, tag, body }: DescribedWebhook): object {
  return {
    post: {
      operationId: name,
      summary,
      description,
      tags: [tag],
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: getSchemaPath(body) } } },
      },
      responses: { 200: { description: 'The event arrived. Any other status is a failure.' } },
    },
  };
}

export function withAdditions(document: OpenAPIObject): OpenAPIObject {
  const schemas = Object.fromEntries(unions.map((union) => [union.name, unionSchema(union)]));
  return {
    ...document,
    webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.name, webhookItem(webhook)])),
    components: { ...document.components, schemas: { ...document.components?.schemas, ...schemas } },
  };
}
