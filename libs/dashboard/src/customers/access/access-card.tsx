import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDate } from '../../ui/format/format-time.js';
import { Icon } from '../../ui/icons.js';
import { Time } from '../../ui/format/time.js';
import { AccessSource } from './access-source.js';
import { causeSentence } from './cause-sentence.js';
import { useCustomer } from '../customer-context.js';
import type { Explanation } from '../customers.queries.js';
import { useProductNames } from '../purchases/use-bought.js';
import { productOfSource } from './product-of-source.js';

interface AccessCardProps {
  entitlement: Explanation['entitlements'][number];
  purchases: Explanation['purchases'];
}

/** Whether the customer has an entitlement, since when, until when, and why. */
export function AccessCard({ entitlement, purchases }: AccessCardProps) {
  const { open } = useCustomer();
  const mayGrant = useMay('grantEntitlement');
  const mayRevoke = useMay('revokeGrantedEntitlement');
  const format = useFormat();
  const nameOf = useProductNames();
  const { entitlement_id: entitlementId, lookup_key: lookupKey, active, since, until, sources } = entitlement;
  const [decides] = sources;
  const sentence = causeSentence(
    {
      cause: entitlement.cause,
      active,
      until,
      product: decides ? productOfSource(decides, nameOf) : lookupKey,
      expirationReason: decides?.expiration_reason ?? null,
    },
    (ms) => formatDate(format, ms),
  );
  const isGranted = sources.some(({ kind, gives_access: gives }) => kind === 'grant' && gives);
  const sameCause = decides?.cause.type === entitlement.cause.type;
  return (
    <article aria-label={lookupKey} className="flex flex-col gap-1.5 border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon
          name={active ? 'success' : 'minus'}
          className={active ? 'size-5! text-good' : 'size-5! text-muted'}
        />
        <h3 className="min-w-0 font-semibold">
          <DataText>{lookupKey}</DataText>
        </h3>
        <span className={active ? 'text-good' : 'text-muted'}>{active ? 'Has access' : 'No access'}</span>
        <span className="text-muted">
          {active ? (
            until === null ? (
              'no end'
            ) : (
              <>
                until <Time ms={until} show="full" />
              </>
            )
          ) : (
            <>
              since <Time ms={since} show="full" />
            </>
          )}
        </span>
        <span className="ms-auto flex gap-2">
          {isGranted && (
            <Button
              size="sm"
              disabledReason={mayRevoke.reason}
              onClick={() => open({ kind: 'revoke', entitlementId, lookupKey })}
            >
              Revoke grant
            </Button>
          )}
          {!active && (
            <Button
              size="sm"
              disabledReason={mayGrant.reason}
              onClick={() => open({ kind: 'grant', entitlementId })}
            >
              Grant
            </Button>
          )}
        </span>
      </div>
      <p>
        <DataText>{sentence}</DataText>
      </p>
      <ul aria-label="Sources" className="mt-1 flex flex-col gap-2">
        {sources.map((source, index) => (
          <AccessSource
            key={source.id}
            source={source}
            changes={purchases.find(({ id }) => id === source.id)?.ownership_history.items ?? []}
            withCause={index > 0 || !sameCause}
          />
        ))}
      </ul>
    </article>
  );
}
