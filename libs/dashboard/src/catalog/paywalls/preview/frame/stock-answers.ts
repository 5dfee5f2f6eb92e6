import type { PreviewContent, PreviewPackage } from '../preview-content.js';

/** The only offering that the SDK gets. */
export const PREVIEW_OFFERING = 'preview';

function optionOf({ type, period, trial, price, identifier }: PreviewPackage): object {
  const common = { id: 'base_option', price_id: identifier };
  if (type !== 'subscription') return { ...common, base_price: price, discount: null };
  return {
    ...common,
    base: { period_duration: period, cycle_count: 1, price },
    trial: trial === null ? null : { period_duration: trial, cycle_count: 1, price: null },
    intro_price: null,
    discount: null,
    base_price: null,
  };
}

function productOf(each: PreviewPackage): object {
  return {
    identifier: each.identifier,
    product_type: each.type,
    title: each.title,
    description: null,
    default_purchase_option_id: 'base_option',
    purchase_options: { base_option: optionOf(each) },
  };
}

function offeringsOf({ document, ui_config, packages }: PreviewContent): object {
  return {
    current_offering_id: PREVIEW_OFFERING,
    offerings: [
      {
        identifier: PREVIEW_OFFERING,
        description: PREVIEW_OFFERING,
        metadata: null,
        packages: packages.map(({ identifier }) => ({
          identifier,
          platform_product_identifier: identifier,
        })),
        paywall_components: {
          ...document,
          id: 'preview',
          template_name: 'components',
          asset_base_url: '',
          revision: 0,
        },
      },
    ],
    ui_config,
  };
}

const branding = {
  id: 'preview',
  app_name: 'Preview',
  app_icon: null,
  app_icon_webp: null,
  app_wordmark: null,
  app_wordmark_webp: null,
  appearance: null,
  support_email: null,
  gateway_tax_collection_enabled: false,
  brand_font_config: null,
};

/** The server's answer to a call of the SDK. Events are accepted and dropped. */
export function stockAnswer(url: string, content: PreviewContent): object {
  const { pathname } = new URL(url, 'https://localhost');
  switch (pathname.slice(pathname.lastIndexOf('/') + 1)) {
    case 'offerings':
      return offeringsOf(content);
    case 'products':
      return { product_details: content.packages.map(productOf) };
    case 'branding':
      return branding;
    case 'workflows':
      return { workflows: [] };
    default:
      return {};
  }
}
