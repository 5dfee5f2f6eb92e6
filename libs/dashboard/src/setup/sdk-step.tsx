import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import type { Schema } from '../api/types.js';
import { publicKeyQuery } from '../frame/sdk/public-key.queries.js';
import { SdkSnippet } from '../frame/sdk/sdk-snippet.js';
import { receiptCommand } from '../frame/sdk/sdk-snippets.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { Button } from '../ui/button.js';
import { CodeBlock } from '../ui/text/code-block.js';
import { ErrorPanel } from '../ui/loading/error-panel.js';
import { SelectField } from '../ui/forms/select-field.js';
import { type App, testPurchaseBody, useBuy } from './setup.queries.js';

type Product = Schema<'ProductDto'>;

interface SdkStepProps {
  projectId: string;
  app: App;
  products: Product[];
  /** Whether there is no purchase yet. */
  isFirst: boolean;
}

/** The app user id of purchases from this page. */
const BUYER = 'demo-user-1';

export function SdkStep(props: SdkStepProps) {
  const { projectId, app } = props;
  return (
    <>
      <p className="text-muted">
        Keep the purchase SDK in your app. Configure it with this address and the public key.
      </p>
      <SdkSnippet projectId={projectId} appId={app.id} />
      {app.type === 'test_store' && <BuyHere {...props} />}
    </>
  );
}

function BuyHere({ projectId, app, products, isFirst }: SdkStepProps) {
  const sold = products.filter(({ state }) => state === 'active');
  const subscriptions = sold.filter(({ type }) => type === 'subscription');
  const [chosen, setChosen] = useState<string | null>(null);
  const product = sold.find(({ id }) => id === chosen) ?? subscriptions[0] ?? sold[0];
  const buy = useBuy(projectId);
  const may = useMay('createTestPurchase');
  const { data: publicKey } = useQuery(publicKeyQuery(projectId, app.id));
  const id = product?.store_identifier ?? '';
  const purchase = { appId: app.id, productId: id, appUserId: BUYER };
  return (
    <section
      aria-label="Or make a test purchase here"
      className="flex flex-col gap-3 border-t border-line pt-4"
    >
      <div>
        <h3 className="font-semibold">Or make a test purchase here</h3>
        <p className="text-muted">
          {product
            ? `Simulates a purchase of ${id} for the customer ${BUYER}. No app needed.`
            : 'Create a product first.'}
        </p>
      </div>
      <div className="flex flex-wrap items-end gap-3">
        {sold.length > 1 && (
          <SelectField
            label="Product"
            options={sold.map((each) => ({ value: each.id, label: each.store_identifier }))}
            value={product?.id}
            onChange={({ target }) => setChosen(target.value)}
            className="w-full max-w-56"
          />
        )}
        <Button
          variant={isFirst ? 'primary' : 'secondary'}
          icon="flask"
          busy={buy.isPending}
          disabledReason={may.reason ?? (product ? null : 'Create a product first.')}
          onClick={() => buy.mutate(purchase)}
        >
          Buy a test subscription
        </Button>
      </div>
      {buy.error && <ErrorPanel error={buy.error} />}
      {product && (
        <ShowCall
          operation="POST /v2/projects/{project_id}/test_purchases"
          path={{ project_id: projectId }}
          body={testPurchaseBody(purchase)}
        />
      )}
      {product && publicKey && (
        <div className="flex flex-col gap-2">
          <p className="text-muted">Or post a receipt from a terminal, as an SDK does</p>
          <CodeBlock
            label="Command that posts a receipt"
            copy
            code={receiptCommand({ address: location.origin, publicKey }, BUYER, id)}
          />
        </div>
      )}
    </section>
  );
}
