import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../api/permissions.js';
import { allProductsQuery } from '../../api/products.queries.js';
import type { Schema } from '../../api/types.js';
import { DataText } from '../../ui/text/data-text.js';

interface ProductNameProps {
  name: string | null | undefined;
  identifier: string | null;
}

/** A product's display name, followed by its identifier in small; the identifier alone without a name. */
export function ProductName({ name, identifier }: ProductNameProps) {
  if (!name || name === identifier)
    return (
      <DataText mono truncate>
        {identifier}
      </DataText>
    );
  return (
    <span className="inline-flex max-w-full min-w-0 items-baseline gap-1.5">
      <DataText truncate className="shrink-0">
        {name}
      </DataText>
      <DataText mono truncate className="text-xs text-muted">
        {identifier}
      </DataText>
    </span>
  );
}

type Product = Schema<'ProductDto'>;

interface SoldProductProps {
  projectId: string;
  /** The identifier in the store, as in a purchase. */
  identifier: string | null;
  appId?: string | null;
}

function isSold({ store_identifier: own, app_id: app }: Product, { identifier, appId }: SoldProductProps) {
  return own === identifier && (appId === undefined || appId === null || app === appId);
}

/** The product of a purchase, with its name in the catalog. */
export function SoldProduct(props: SoldProductProps) {
  const mayProducts = useMay('listProducts').allowed;
  const { data: products } = useQuery({ ...allProductsQuery(props.projectId), enabled: mayProducts });
  const product = products?.find((each) => isSold(each, props));
  return <ProductName name={product?.display_name} identifier={props.identifier} />;
}
