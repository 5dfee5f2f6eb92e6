import { CodeBlock } from '../ui/text/code-block.js';
import { Panel } from '../ui/panel.js';

/** Explains how to receive events on the person's own machine. */
export function ListenCommand() {
  const command = [
    'npm run webhooks:listen --',
    '--forward http://localhost:3000/hook',
    '--key $SECRET_KEY',
    `--server ${location.origin}`,
  ].join(' \\\n  ');
  return (
    <Panel
      title="No public address yet?"
      description="This command prints events as they happen and forwards them to your machine. It needs a secret key, but no webhook."
    >
      <CodeBlock label="webhooks:listen" code={command} copy />
    </Panel>
  );
}
