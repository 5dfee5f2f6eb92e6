import { textOf } from '../document/text-of.js';
import type { JsonObject } from '../../kernel/index.js';
import type { PaywallDocument } from '../model.js';
import { workflowId } from './remote-config.js';

export interface WorkflowNames {
  /** Name of the paywall. */
  name: string;
  /** Lookup key of the offering. */
  offeringIdentifier: string;
}

/**
 * A paywall as a workflow of one step, which mobile SDKs read from remote configuration. The id of the screen is that of
 * the paywall, because phones report it as `paywall_id`; they count a view only of the screen type `paywall`.
 */
export function workflowOf(
  document: PaywallDocument,
  { name, offeringIdentifier }: WorkflowNames,
): JsonObject {
  const { id, ...screen } = document;
  const paywallId = textOf(id);
  return {
    id: workflowId(paywallId),
    display_name: name,
    initial_step_id: 'main',
    single_step_fallback_id: 'main',
    steps: {
      main: {
        id: 'main',
        type: 'screen',
        screen_id: paywallId,
        param_values: {},
        triggers: [],
        outputs: {},
        trigger_actions: {},
        metadata: { screen_type: ['paywall'] },
      },
    },
    screens: {
      [paywallId]: { ...screen, name, offering_identifier: offeringIdentifier, config: {} },
    },
    metadata: {},
  };
}
