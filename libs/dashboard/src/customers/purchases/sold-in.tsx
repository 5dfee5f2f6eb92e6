import type { Schema } from '../../api/types.js';
import { storeName } from '../../api/words.js';
import { StoreIcon } from '../../frame/names/store-icon.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { DataText } from '../../ui/text/data-text.js';

interface SoldInProps {
  store: string;
  /** Undefined until it is loaded. */
  bought: Schema<'PurchaseRowDto'> | undefined;
}

/** The app and the store that sold a purchase, with the product's identifier in small. */
export function SoldIn({ store, bought }: SoldInProps) {
  return (
    <p className="-mt-2 flex min-h-6 flex-wrap items-center gap-x-2 text-sm text-muted">
      <span className="inline-flex min-w-0 items-center gap-1.5">
        <StoreIcon store={store} />
        <DataText>{bought?.app_name ?? storeName(store)}</DataText>
      </span>
      {bought?.product_display_name && (
        <span className="min-w-0 text-xs">
          <CopyId id={bought.product_identifier} />
        </span>
      )}
    </p>
  );
}
