import type { Definition, DestinationType } from './definition.js';
import { adjust } from './tools/adjust.js';
import { amplitude } from './tools/amplitude.js';
import { appsflyer } from './tools/appsflyer.js';
import { braze } from './tools/braze.js';
import { customerio } from './tools/customerio.js';
import { discord } from './tools/discord.js';
import { firebase } from './tools/firebase.js';
import { http } from './tools/http.js';
import { meta } from './tools/meta.js';
import { mixpanel } from './tools/mixpanel.js';
import { posthog } from './tools/posthog.js';
import { segment } from './tools/segment.js';
import { slack } from './tools/slack.js';

/** Every tool, in the order of the gallery. */
export const definitions: readonly Definition[] = [
  segment,
  amplitude,
  mixpanel,
  posthog,
  firebase,
  appsflyer,
  adjust,
  meta,
  braze,
  customerio,
  slack,
  discord,
  http,
];

const byType: ReadonlyMap<string, Definition> = new Map(
  definitions.map((definition) => [definition.id, definition]),
);

export function definitionOf(type: DestinationType): Definition {
  const definition = byType.get(type);
  if (!definition) throw new RangeError(`There is no destination type ${String(type)}`);
  return definition;
}

export function isDestinationType(type: string): type is DestinationType {
  return byType.has(type);
}

/** Attributes whose arrival can end the wait of a delivery. */
export const awaitedAttributes: readonly string[] = [
  ...new Set(definitions.flatMap(({ requires }) => requires)),
];
