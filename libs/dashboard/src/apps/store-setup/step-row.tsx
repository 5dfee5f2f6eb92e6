import { Badge } from '../../ui/badge.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { DataText } from '../../ui/text/data-text.js';
import { ExternalLink } from '../../ui/text/external-link.js';
import { Time } from '../../ui/format/time.js';
import type { App, StoreSettings } from '../apps.queries.js';
import { isPublicAddress } from './public-address.js';
import type { SetupStep } from './setup-steps.js';
import { StepActions } from './step-actions.js';
import { stepWords } from './step-instructions.js';

const stateLabels = {
  todo: 'To do',
  saved: 'Saved',
  verified: 'Verified',
  failed: 'Failed',
  waiting: 'Waiting',
};

const tones = { todo: 'neutral', saved: 'accent', verified: 'good', failed: 'bad', waiting: 'warn' } as const;

function StateBadge({ state, isOptional }: SetupStep) {
  if (state.kind === 'unreported') return null;
  const words = state.kind === 'todo' && isOptional ? 'Not set' : stateLabels[state.kind];
  return (
    <span className="flex items-center gap-2">
      {state.atMs !== undefined && (
        <span className="text-sm text-muted">
          <Time ms={state.atMs} />
        </span>
      )}
      <Badge tone={tones[state.kind]}>{words}</Badge>
    </span>
  );
}

const isKeyId = ({ id }: SetupStep) => id === 'appleKey' || id === 'connectKey';

function Detail({ step }: { step: SetupStep }) {
  const { detail, isCredential, state } = step;
  if (state.kind === 'unreported') return <p className="text-muted">Not shown again after saving.</p>;
  if (isCredential) {
    if (state.kind === 'todo') return null;
    const shown = detail !== null && isKeyId(step) ? `key id ${detail}` : detail;
    return (
      <p>
        <DataText>{shown === null ? 'Set.' : `Set, ${shown}.`}</DataText>
      </p>
    );
  }
  return (
    detail !== null && (
      <p>
        <DataText mono>{detail}</DataText>
      </p>
    )
  );
}

/** Values to enter in the store's console. */
function Copies({ step, settings }: { step: SetupStep; settings: StoreSettings }) {
  if (!step.copy) return null;
  const { notification_url: url, sns_confirmation_token: token } = settings;
  if (url === null)
    return <p className="text-muted">This server does not accept notifications of this store.</p>;
  return (
    <>
      <CopyId id={url} label="notification address" />
      {!isPublicAddress(url) && (
        <p className="max-w-prose text-warn">
          Stores cannot reach this address from the internet. Set SERVICE_PUBLIC_URL to the public https
          address of this server.
        </p>
      )}
      {step.copy === 'token' && token !== null && (
        <p className="flex min-w-0 flex-wrap items-center gap-x-2">
          Confirmation token
          <CopyId id={token} label="Confirmation token" />
        </p>
      )}
    </>
  );
}

interface StepRowProps {
  projectId: string;
  app: App;
  step: SetupStep;
  settings: StoreSettings;
}

/** One setup step: reason, place, current values, and actions. */
export function StepRow({ projectId, app, step, settings }: StepRowProps) {
  const { title, why, where, link } = stepWords[step.id];
  const { state } = step;
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium">{title}</h3>
        <StateBadge {...step} />
      </div>
      <p className="max-w-prose text-muted">{why}</p>
      {where !== null && (
        <p className="max-w-prose text-sm">
          <span className="text-muted">{link ? 'Where' : 'How'}: </span>
          {link && (
            <>
              <ExternalLink href={link.href}>{link.label}</ExternalLink>
              {' › '}
            </>
          )}
          {where}
        </p>
      )}
      <Detail step={step} />
      <Copies step={step} settings={settings} />
      {state.kind === 'waiting' && (
        <p className="text-muted">Waiting for the first one. This page updates automatically.</p>
      )}
      {state.words !== undefined && (
        <p role="status" className="text-bad">
          <DataText>{state.words}</DataText>
        </p>
      )}
      <StepActions projectId={projectId} app={app} step={step} />
    </li>
  );
}
