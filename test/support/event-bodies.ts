import type { OpenAPIObject } from '@nestjs/swagger';
import type { DataSource } from 'typeorm';
import { openApiValidatorOf } from './openapi-validator.js';

interface BodySchema {
  properties: Record<string, object>;
}

interface EventUnion {
  discriminator: { mapping: Record<string, string> };
}

const MAX_REPORTED = 10;

/** Ways in which an event body differs from the `WebhookEvent` of the document; undeclared fields count too. */
export function eventBodyProblems(document: OpenAPIObject, body: Record<string, unknown>): string[] {
  const schemas = document.components?.schemas ?? {};
  const { mapping } = (schemas.WebhookEvent as EventUnion).discriminator;
  const type = String(body.type);
  const name = mapping[type]?.split('/').at(-1);
  if (name === undefined) return [`WebhookEvent has no type ${type}`];
  const { properties } = schemas[name] as BodySchema;
  const undeclared = Object.keys(body).filter((field) => !Object.hasOwn(properties, field));
  return [
    ...openApiValidatorOf(document).schemaProblems(name, body),
    ...undeclared.map((field) => `${name} does not declare ${field}`),
  ];
}

/**
 * Checks the body of each event in a database against the document. Events that a test wrote there itself have their id
 * as their key or an empty body, and digests are not events of webhooks.
 */
export async function assertEventBodies(dataSource: DataSource, document: OpenAPIObject): Promise<void> {
  const rows = await dataSource.query<{ body: Record<string, unknown> }[]>(
    `SELECT body FROM events WHERE dedupe_key <> id AND type <> 'DIGEST' AND body::text <> '{}'`,
  );
  const problems = new Set(rows.flatMap(({ body }) => eventBodyProblems(document, body)));
  if (problems.size === 0) return;
  throw new Error(`Events are not as documented:\n${[...problems].slice(0, MAX_REPORTED).join('\n')}`);
}
