import { type ReactNode, useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type Entitlement, isArchived, nameOf, type Product } from '../catalog.types.js';
import { DetachDialog } from './detach-dialog.js';
import { unlocks, useAttachToEntitlement } from './entitlements.queries.js';

const failedText = (product: string, entitlement: string) => `${product} was not attached to ${entitlement}`;

const cellText = (product: string, entitlement: string) => `${product} unlocks ${entitlement}`;

interface UnlockBoxProps {
  projectId: string;
  entitlement: Entitlement;
  product: Product;
  /** Shown next to the checkbox; its accessible name contains both the product and the entitlement. */
  children?: ReactNode;
  tabIndex?: number;
}

/**
 * Whether a product unlocks an entitlement. Checking saves immediately; unchecking asks first, because customers lose
 * access.
 */
export function UnlockBox({ projectId, entitlement, product, children, tabIndex }: UnlockBoxProps) {
  const [isDetaching, setIsDetaching] = useState(false);
  const attach = useAttachToEntitlement(projectId, entitlement);
  const mayAttach = useMay('attachEntitlementProducts');
  const mayDetach = useMay('detachEntitlementProducts');
  const toast = useToast();
  const isOn = unlocks(entitlement, product);
  const names = [visibleText(nameOf(product)), visibleText(entitlement.lookup_key)] as const;
  const reason = isOn ? mayDetach.reason : (mayAttach.reason ?? whyNot(entitlement, product));
  const change = () => {
    if (reason !== null || attach.isPending) return;
    if (isOn) {
      setIsDetaching(true);
      return;
    }
    attach.mutate(product, {
      onError: ({ message }) =>
        toast({ title: failedText(...names), description: visibleText(message), tone: 'bad' }),
    });
  };
  return (
    <>
      <label
        className="inline-flex min-h-6 min-w-6 items-center gap-2 has-aria-disabled:opacity-55 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        data-tip={reason ?? undefined}
      >
        <input
          type="checkbox"
          className="ui-check m-0!"
          aria-label={cellText(...names)}
          aria-disabled={reason !== null || undefined}
          aria-description={reason ?? undefined}
          aria-busy={attach.isPending || undefined}
          tabIndex={tabIndex}
          checked={isOn}
          onChange={change}
        />
        {children}
      </label>
      {isDetaching && (
        <DetachDialog {...{ projectId, entitlement, product }} onClose={() => setIsDetaching(false)} />
      )}
    </>
  );
}

function whyNot(entitlement: Entitlement, product: Product): string | null {
  if (isArchived(entitlement)) return 'An archived entitlement cannot be attached to products.';
  return isArchived(product) ? 'An archived product cannot be attached.' : null;
}
