import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { FormError } from '../../ui/forms/form.js';
import { KeyValues } from '../../ui/key-values.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { useToast } from '../../ui/overlays/toast.js';
import {
  type RetentionPlace,
  type RetentionTest,
  retentionTestQuery,
  useRegisterAddress,
} from './retention.queries.js';
import { StartTestDialog } from './start-test-dialog.js';

const testBadges: Record<
  RetentionTest['state'],
  { tone: 'good' | 'bad' | 'accent' | 'neutral'; text: string }
> = {
  pending: { tone: 'accent', text: 'Running' },
  pass: { tone: 'good', text: 'Passed' },
  fail: { tone: 'bad', text: 'Failed' },
  unknown: { tone: 'neutral', text: 'Unknown' },
};

/** Registers the address that Apple asks, and runs Apple's test of it. */
export function AddressPanel({ place }: { place: RetentionPlace }) {
  const register = useRegisterAddress(place);
  const mayRegister = useMay('configureRetentionUrl');
  const mayTest = useMay('startRetentionTest');
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const [testId, setTestId] = useState<string | null>(null);
  const send = () =>
    register.mutate(
      { environment: place.environment },
      { onSuccess: () => toast({ title: 'Address registered', tone: 'good' }) },
    );
  return (
    <Panel
      title="Retention messages"
      description="Apple asks this server which message to show when a customer is about to cancel."
      actions={
        <>
          <Button busy={register.isPending} disabledReason={mayRegister.reason} onClick={send}>
            Register address
          </Button>
          <Button disabledReason={mayTest.reason} onClick={() => setIsAsking(true)}>
            Run Apple's test
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <FormError error={register.error?.message} />
        {register.data && <CopyId id={register.data.url} label="address" />}
        {!register.data && place.environment === 'production' && (
          <p className="text-muted">Production needs a passed test in the sandbox.</p>
        )}
        {testId !== null && <TestResult place={place} testId={testId} />}
      </div>
      {isAsking && <StartTestDialog place={place} onStarted={setTestId} onClose={() => setIsAsking(false)} />}
    </Panel>
  );
}

function TestResult({ place, testId }: { place: RetentionPlace; testId: string }) {
  const query = retentionTestQuery(place, testId);
  const test = useQuery(query);
  return (
    <QueryPanel query={test} queryKey={query.queryKey} stale>
      {({ state, success_rate: rate, response_times_ms: times }) => (
        <div className="grid gap-3">
          <p role="status">
            <Badge tone={testBadges[state].tone}>{testBadges[state].text}</Badge>
          </p>
          <KeyValues
            items={[
              ['Success rate (%)', rate === null ? '—' : <Num value={rate} />],
              ['Slowest 1 % (ms)', times === null ? '—' : <Num value={times.p99} />],
            ]}
          />
        </div>
      )}
    </QueryPanel>
  );
}
