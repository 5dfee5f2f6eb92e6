import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { useRememberSetup } from '../frame/navigation/setup-return.js';
import { AppStep } from './app-step.js';
import { CatalogStep } from './catalog-step.js';
import { ChecklistStep } from './checklist-step.js';
import { NextSteps } from './next-steps.js';
import { PurchaseStep } from './purchase-step.js';
import { SdkStep } from './sdk-step.js';
import { latestSdk, setupSteps, type SetupStep, stepsInHand } from './setup-progress.js';
import type { App } from './setup.queries.js';
import { useSetup } from './use-setup.js';
import { Progress } from '../ui/progress.js';
import { Skeleton } from '../ui/loading/skeleton.js';
import { Panel } from '../ui/panel.js';
import { visibleText } from '../ui/text/visible-text.js';
import { storeName } from '../api/words.js';
import { summaryText } from './labels.js';

const route = getRouteApi('/signed-in/projects/$projectId/setup');

const titles: Record<SetupStep, string> = {
  app: 'Your app',
  catalog: 'What you sell',
  sdk: 'Connect your SDK',
  purchase: 'Waiting for your first purchase',
};

/** The steps from an app to the first purchase; completed ones collapse. */
export function Checklist({ projectId, apps }: { projectId: string; apps: App[] }) {
  const { app: chosen } = route.useSearch();
  const setup = useSetup(projectId, apps, chosen);
  const { app, catalog, health, finished } = setup;
  useRememberSetup(projectId, chosen, finished.size === setupSteps.length);
  const [toggled, setToggled] = useState<Partial<Record<SetupStep, boolean>>>({});
  const list = useRef<HTMLOListElement>(null);
  /** Moves the focus to the next step, because the pressed button has been removed. */
  const goOn = (to: SetupStep) => {
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-step=${to}] h2`)?.focus());
  };
  if (!setup.isReady) {
    return (
      <Panel>
        <Skeleton lines={8} />
      </Panel>
    );
  }
  const sdk = health.data ? latestSdk(health.data) : null;
  const inHand = stepsInHand(finished);
  const summaries: Record<SetupStep, string | undefined> = {
    app: app && summaryText(visibleText(app.name), storeName(app.type)),
    catalog:
      catalog.data &&
      `${catalog.data.products.length === 1 ? '1 product' : `${catalog.data.products.length} products`}, ${catalog.data.entitlements.length === 1 ? '1 entitlement' : `${catalog.data.entitlements.length} entitlements`}`,
    sdk: sdk ? `SDK ${sdk.version} called` : undefined,
    purchase: undefined,
  };
  const contents: Record<SetupStep, ReactNode> = {
    app: <AppStep projectId={projectId} apps={apps} app={app} onMade={() => goOn('catalog')} />,
    catalog: app && (
      <CatalogStep projectId={projectId} app={app} catalog={catalog} onMade={() => goOn('sdk')} />
    ),
    sdk: app && (
      <SdkStep
        projectId={projectId}
        app={app}
        products={catalog.data?.products ?? []}
        isFirst={setup.purchase === null}
      />
    ),
    purchase: app && <PurchaseStep projectId={projectId} app={app} setup={setup} />,
  };
  return (
    <>
      <div className="flex max-w-sm flex-col gap-1.5">
        <p className="text-sm text-muted">{`${finished.size} of ${setupSteps.length} done`}</p>
        <Progress
          label={`${finished.size} of ${setupSteps.length} done`}
          value={finished.size}
          max={setupSteps.length}
        />
      </div>
      <ol ref={list} className="flex flex-col gap-3">
        {setupSteps.map((step, index) => (
          <ChecklistStep
            key={step}
            id={step}
            number={index + 1}
            title={step === 'purchase' && finished.has(step) ? 'First purchase' : titles[step]}
            isDone={finished.has(step)}
            summary={summaries[step]}
            lockedReason={step !== 'app' && !app ? 'Comes after your app.' : null}
            isOpen={toggled[step] ?? inHand.has(step)}
            onToggle={(isOpen) => setToggled({ ...toggled, [step]: isOpen })}
          >
            {contents[step]}
          </ChecklistStep>
        ))}
      </ol>
      {finished.has('purchase') && <NextSteps projectId={projectId} />}
    </>
  );
}
