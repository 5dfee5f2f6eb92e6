import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.js';
import { Icon, type IconName } from '../../ui/icons.js';
import { CodeBlock } from '../../ui/text/code-block.js';
import { DataText } from '../../ui/text/data-text.js';
import type { Kind } from './destination-kinds.js';
import type { DestinationTest } from './destinations.writes.js';
import { type TestText, testText } from './test-text.js';

const looks: Record<TestText['tone'], { icon: IconName; mark: string }> = {
  good: { icon: 'success', mark: 'text-good' },
  warn: { icon: 'warning', mark: 'text-warn' },
  bad: { icon: 'error', mark: 'text-bad' },
};

interface ConnectionTestProps {
  kind: Kind;
  result: DestinationTest;
  /** Trusts the host key that the server showed. */
  trust: { isPending?: boolean; disabledReason?: string | null; onTrust: (hostKey: string) => void };
}

/** The result of a test of a destination, with the host key of the server if it is not trusted. */
export function ConnectionTest({ kind, result, trust }: ConnectionTestProps) {
  const found = testText(kind, result);
  const { seen_host_key: hostKey } = result;
  const box = useRef<HTMLDivElement>(null);
  // It appears at the end of a long form.
  useEffect(() => {
    // In some browsers it returns a promise, which React would call as a cleanup function.
    void box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={box} role="status" className="flex w-full min-w-0 flex-col gap-3">
      {found && <Outcome {...found} />}
      {hostKey !== undefined && (
        <>
          {!found && (
            <p>The server showed this host key. Compare it with the one your administrator gave you.</p>
          )}
          <CodeBlock
            label={found ? 'New host key of the server' : 'Host key of the server'}
            code={hostKey}
            copy
            wrap
          />
          <Button
            className="self-start"
            icon="shield"
            busy={trust.isPending}
            disabledReason={trust.disabledReason}
            onClick={() => trust.onTrust(hostKey)}
          >
            Trust this key
          </Button>
        </>
      )}
    </div>
  );
}

function Outcome({ tone, text, detail }: TestText) {
  const { icon, mark } = looks[tone];
  return (
    <div className="flex min-w-0 gap-2">
      <Icon name={icon} className={`mt-0.5 ${mark}`} />
      <div className="min-w-0">
        <p>{text}</p>
        {detail !== null && (
          <p className="text-sm text-muted">
            <DataText max={300}>{detail}</DataText>
          </p>
        )}
      </div>
    </div>
  );
}
