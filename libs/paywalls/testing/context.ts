import type { JsonObject } from '../../kernel/index.js';
import type { PaywallDocument } from '../model.js';
import type { ProblemContext } from '../problems/context.js';
import { toOutput } from '../document/stored-document.js';
import { findTemplate, newDocument } from '../templates/new-document.js';
import example from './paywall-example.json' with { type: 'json' };

const PUBLIC_URL = 'https://tenure.example.com';

/** A document with every component type. */
export function exampleDocument(): PaywallDocument {
  return structuredClone(example) as unknown as PaywallDocument;
}

export const identity = { paywallId: 'pw1', projectId: 'proj1', revision: 3, publicUrl: PUBLIC_URL };

export function templateDocument(id: string): PaywallDocument {
  const template = findTemplate(id);
  if (!template) throw new Error(`There is no template ${id}.`);
  return toOutput(newDocument(template), identity);
}

/** The project around a document: an offering with two packages, an exit offer and no settings. */
export function contextOf(changes: Partial<ProblemContext> = {}): ProblemContext {
  return {
    offering: { lookupKey: 'default', packages: new Set(['$rc_annual', '$rc_monthly']) },
    activeOfferings: new Set(['default', 'last_chance']),
    colors: new Set(),
    fonts: new Set(),
    customVariables: new Set(['plan']),
    images: {
      serverUrl: `${PUBLIC_URL}/v1/blobs/`,
      projectUrl: `${PUBLIC_URL}/v1/blobs/proj1`,
      refs: new Set(),
    },
    isProduction: true,
    nowMs: Date.UTC(2026, 10, 1),
    ...changes,
  };
}

/** The first object of a document for which `matches` holds. */
export function find(value: unknown, matches: (object: JsonObject) => boolean): JsonObject {
  const found = search(value, matches);
  if (!found) throw new Error('The document has no such object.');
  return found;
}

function search(value: unknown, matches: (object: JsonObject) => boolean): JsonObject | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && matches(value as JsonObject)) return value as JsonObject;
  for (const part of Object.values(value)) {
    const found = search(part, matches);
    if (found) return found;
  }
  return undefined;
}

export const ofType =
  (type: string) =>
  (object: JsonObject): boolean =>
    object.type === type && typeof object.id === 'string';
