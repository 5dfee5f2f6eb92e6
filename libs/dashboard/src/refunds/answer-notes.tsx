import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icons.js';
import { Skeleton } from '../ui/loading/skeleton.js';
import { Panel } from '../ui/panel.js';
import { DataText } from '../ui/text/data-text.js';
import { AnswersDialog } from './answers-dialog.js';
import { type AppAnswers, isOff, lacksConsent } from './app-answers.js';
import { answersQuery } from './app-answers.queries.js';
import { ConsentDialog } from './consent-dialog.js';

function Note({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <Panel>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 items-start gap-2.5">
          <Icon name="info" className="mt-0.5 text-accent" />
          <span className="min-w-0">{children}</span>
        </p>
        {action}
      </div>
    </Panel>
  );
}

/** Explains why refund requests are not answered: answers are off, or consent is not confirmed. */
export function AnswerNotes({ projectId }: { projectId: string }) {
  const { data: apps = [], isLoading } = useQuery(answersQuery(projectId));
  const may = useMay('updateApp');
  const [open, setOpen] = useState<'answers' | AppAnswers | null>(null);
  if (isLoading) return <Skeleton lines={2} />;
  const isNamed = apps.length > 1;
  const close = () => setOpen(null);
  return (
    <>
      {apps.length > 0 && apps.every(isOff) && (
        <Note
          action={
            <Button disabledReason={may.reason} onClick={() => setOpen('answers')}>
              Turn on answers
            </Button>
          }
        >
          Answers are off. Apple and Google decide without you.
        </Note>
      )}
      {apps.filter(lacksConsent).map((app) => (
        <Note
          key={app.id}
          action={
            <Button disabledReason={may.reason} onClick={() => setOpen(app)}>
              Confirm consent
            </Button>
          }
        >
          {isNamed && (
            <>
              <DataText>{app.name}</DataText>:{' '}
            </>
          )}
          Nothing is sent to Apple until you confirm that your customers agree.
        </Note>
      ))}
      {open === 'answers' && <AnswersDialog projectId={projectId} apps={apps} onClose={close} />}
      {open !== null && open !== 'answers' && (
        <ConsentDialog projectId={projectId} app={open} onClose={close} />
      )}
    </>
  );
}
