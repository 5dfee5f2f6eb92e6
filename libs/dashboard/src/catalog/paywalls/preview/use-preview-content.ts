import { useQueries, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { appsQuery } from '../../../api/apps.queries.js';
import type { Package, Product } from '../../catalog.types.js';
import { productQuery } from '../../products/products.queries.js';
import { withLocalFiles } from '../media/server-path.js';
import { mediaAssetsQuery } from '../paywalls.queries.js';
import type { PaywallPreviewProps } from './paywall-preview.js';
import { previewConfig } from './preview-config.js';
import type { PreviewContent } from './preview-content.js';
import { previewPackage, shownProduct } from './preview-packages.js';

/** The packages with their products and, as far as they are known, test prices. */
function usePreviewPackages(projectId: string, packages: readonly Package[]) {
  const { data: apps } = useQuery(appsQuery(projectId));
  const shown = useMemo(() => {
    const testStores = new Set(apps?.filter(({ type }) => type === 'test_store').map(({ id }) => id));
    return packages.map((item): [Package, Product | undefined] => [item, shownProduct(item, testStores)]);
  }, [apps, packages]);
  const products = [...new Set(shown.flatMap(([, product]) => product?.id ?? []))];
  const prices = useQueries({
    queries: products.map((id) => productQuery(projectId, id, false)),
    combine: (results) => new Map(results.map(({ data }) => [data?.id, data?.indicative_price])),
  });
  return useMemo(
    () => shown.map(([item, product]) => previewPackage(item, product, prices.get(product?.id) ?? undefined)),
    [shown, prices],
  );
}

/** Returns the content of the frame. Prices and fonts that are still loading follow later. */
export function usePreviewContent(props: PaywallPreviewProps): PreviewContent {
  const { document, uiConfig: settings, locale, dark } = props;
  const { projectId = '' } = useParams({ strict: false });
  const packages = usePreviewPackages(projectId, props.packages);
  const hasFonts = Object.keys(settings.fonts).length > 0;
  const { data: assets } = useQuery({ ...mediaAssetsQuery(projectId), enabled: hasFonts });
  const locales = Object.keys(document.components_localizations).join(' ');
  const config = useMemo(
    () => previewConfig(settings, assets ?? [], locales.split(' ')),
    [settings, assets, locales],
  );
  return useMemo(
    () => ({ ...withLocalFiles({ document, ui_config: config }), packages, locale, dark }),
    [document, config, packages, locale, dark],
  );
}
