import type { JsonObject } from '../../../libs/kernel/index.js';
import {
  newDocument,
  type PaywallTemplate,
  toOutput,
  withServerAddress,
} from '../../../libs/paywalls/index.js';
import type { OfferingDto } from '../offerings/offering.dto.js';
import type { PaywallContentDto, PaywallDto, PaywallTemplateDto, PaywallVersionDto } from './paywall.dto.js';
import type { ListedVersion, PaywallRow } from './paywalls.repository.js';
import type { PaywallContent, PaywallReview } from './paywalls.service.js';

export interface PaywallExpansion {
  offering?: OfferingDto;
  content?: PaywallContent;
  review?: PaywallReview;
}

type Identity = Pick<PaywallRow, 'projectId' | 'id'>;

function presentContent(
  { projectId, id: paywallId }: Identity,
  document: JsonObject,
  revision: number,
  publicUrl: string,
): PaywallContentDto {
  const output = toOutput(document, { paywallId, projectId, revision, publicUrl });
  const { exit_offers, state_declarations, play_store_product_change_mode } = output;
  return {
    revision,
    default_locale: output.default_locale,
    components_config: output.components_config,
    components_localizations: output.components_localizations,
    fonts: {},
    ...({ exit_offers, state_declarations, play_store_product_change_mode } as Partial<PaywallContentDto>),
  };
}

export function presentPaywall(
  paywall: PaywallRow,
  publicUrl: string,
  { offering, content, review }: PaywallExpansion = {},
): PaywallDto {
  const presented: PaywallDto = {
    object: 'paywall',
    id: paywall.id,
    project_id: paywall.projectId,
    name: paywall.name,
    offering_id: paywall.offeringId,
    created_at: paywall.createdAt.getTime(),
    published_at: paywall.publishedAt?.getTime() ?? null,
    automatically_scale_font_size: paywall.automaticallyScaleFontSize,
    ...(offering && { offering }),
    ...(review && { has_draft: review.hasDraft, problems: review.problems }),
  };
  if (content === undefined) return presented;
  const { draft } = content.paywall;
  const side = (document: JsonObject | null, revision: number | null): PaywallContentDto | null =>
    document && presentContent(paywall, document, revision ?? 0, publicUrl);
  return {
    ...presented,
    components: {
      published: side(content.published, paywall.publishedRevision),
      draft: side(draft, paywall.revision),
    },
    problems: content.problems,
  };
}

export function presentVersion(
  { revision, document, publishedAt, publishedBy }: ListedVersion,
  paywall: PaywallRow,
  publicUrl: string,
): PaywallVersionDto {
  return {
    object: 'paywall_version',
    revision,
    published_at: publishedAt.getTime(),
    published_by: publishedBy,
    is_current: revision === paywall.publishedRevision,
    ...(document && { components: presentContent(paywall, document, revision, publicUrl) }),
  };
}

export function presentTemplate(template: PaywallTemplate, publicUrl: string): PaywallTemplateDto {
  const { id, name, description } = template;
  const document = withServerAddress(newDocument(template), publicUrl);
  return { object: 'paywall_template', id, name, description, document };
}
