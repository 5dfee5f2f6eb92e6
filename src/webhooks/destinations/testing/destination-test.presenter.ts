import { definitionOf, type Plan, reasonText } from '../../../../libs/destinations/index.js';
import type { Preview } from './destination-previews.service.js';
import type { DestinationPreviewDto, DestinationTestDto } from './destination-test.dto.js';
import type { TestResult } from './destination-tests.service.js';

export function presentDestinationTest(result: TestResult): DestinationTestDto {
  return {
    object: 'destination_test',
    delivered: result.class === 'delivered' || result.class === 'duplicate',
    class: result.class,
    reason_text: result.reasonText,
    requests: result.requests,
    response_status: result.responseStatus,
    response_body: result.responseBody,
    response_ms: result.responseMs,
  };
}

type Explanation = Pick<DestinationPreviewDto, 'outcome' | 'reason' | 'reason_text' | 'missing_attributes'>;

function explanationOf(plan: Plan, { integration }: Preview): Explanation {
  const tool = definitionOf(integration.type);
  if ('send' in plan) return { outcome: 'send', reason: null, reason_text: null, missing_attributes: [] };
  if ('wait' in plan) {
    const names = plan.wait.join(' or ');
    const reason_text =
      plan.reason === 'no_consent'
        ? reasonText(plan.reason, { status: 'waiting', tool })
        : `This customer has no ${names} yet. The event is sent when it arrives.`;
    return { outcome: 'wait', reason: plan.reason, reason_text, missing_attributes: plan.wait };
  }
  const { skip, detail } = plan;
  return {
    outcome: 'skip',
    reason: skip,
    reason_text: reasonText(skip, { status: 'skipped', tool, detail }),
    missing_attributes: [],
  };
}

export function presentDestinationPreview(preview: Preview): DestinationPreviewDto {
  return {
    object: 'destination_preview',
    ...explanationOf(preview.plan, preview),
    requests: preview.requests,
  };
}
