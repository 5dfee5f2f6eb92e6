import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { storeName } from '../api/words.js';
import { Icon } from '../ui/icons.js';
import { DataText } from '../ui/text/data-text.js';
import { findOwn, nextOwnStep, type OwnStep, ownSteps } from './own-catalog.js';
import { summaryText } from './labels.js';
import { OwnStepForm } from './own-step-form.js';
import type { Catalog } from './sample-catalog.js';
import type { App } from './setup.queries.js';

const titles: Record<OwnStep, string> = {
  product: 'Product',
  entitlement: 'Entitlement',
  offering: 'Offering',
  package: 'Package',
};

const hints: Record<OwnStep, string> = {
  product: 'What a customer buys in the store.',
  entitlement: 'The access that the product unlocks. Your app checks it.',
  offering: 'What your app shows for sale.',
  package: 'The place of the product in the offering.',
};

interface OwnStepsProps {
  projectId: string;
  app: App;
  catalog: Catalog;
  onMade: () => void;
}

/** The steps from an app to a product that its customers can buy. Each is ticked when its object exists. */
export function OwnSteps({ projectId, app, catalog, onMade }: OwnStepsProps) {
  const own = findOwn(catalog);
  const next = nextOwnStep(own);
  const current = useRef<HTMLLIElement>(null);
  const started = useRef(next);
  // The pressed button has been removed, so the next step receives the focus.
  useEffect(() => {
    if (started.current === next) return;
    started.current = next;
    current.current?.querySelector<HTMLElement>('input, select, button')?.focus();
  }, [next]);
  const links: Record<OwnStep, ReactNode> = {
    product: own.product && (
      <Link
        to="/projects/$projectId/catalog/products/$productId"
        params={{ projectId, productId: own.product.id }}
      >
        {own.product.display_name ?? own.product.store_identifier}
      </Link>
    ),
    entitlement: own.entitlement && (
      <Link
        to="/projects/$projectId/catalog/entitlements/$entitlementId"
        params={{ projectId, entitlementId: own.entitlement.id }}
      >
        {own.entitlement.display_name}
      </Link>
    ),
    offering: own.offering && (
      <Link
        to="/projects/$projectId/catalog/offerings/$offeringId"
        params={{ projectId, offeringId: own.offering.id }}
      >
        {own.offering.display_name}
      </Link>
    ),
    package: own.package && <DataText>{own.package.display_name}</DataText>,
  };
  return (
    <ol aria-label="Your own catalog" className="flex flex-col gap-2.5">
      <Step title="App" isDone>
        <DataText>{summaryText(app.name, storeName(app.type))}</DataText>
      </Step>
      {ownSteps.map((step) => (
        <li key={step} ref={step === next ? current : undefined} className="flex flex-col gap-3">
          <StepLine title={titles[step]} isDone={own[step] !== undefined}>
            {own[step] === undefined ? <span className="text-muted">{hints[step]}</span> : links[step]}
          </StepLine>
          {step === next && <OwnStepForm key={step} {...{ projectId, app, catalog, step, onMade }} />}
        </li>
      ))}
    </ol>
  );
}

interface StepProps {
  title: string;
  isDone: boolean;
  children: ReactNode;
}

function Step(props: StepProps) {
  return (
    <li>
      <StepLine {...props} />
    </li>
  );
}

function StepLine({ title, isDone, children }: StepProps) {
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-2">
      {isDone ? (
        <Icon name="check" label="Done:" className="text-good" />
      ) : (
        <span aria-hidden="true" className="size-4 rounded-full border border-edge" />
      )}
      <span className="font-medium">{title}</span>
      {children}
    </div>
  );
}
