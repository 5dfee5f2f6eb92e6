import { CodeBlock } from '../ui/text/code-block.js';
import { Panel } from '../ui/panel.js';
import { text } from './webhooks.text.js';

/** Explains how to receive events on the person's own machine. */
export function ListenCommand() {
  const command = [
    'npm run webhooks:listen --',
    '--forward http://localhost:3000/hook',
    '--key $SECRET_KEY',
    `--server ${location.origin}`,
  ].join(' \\\n  ');
  return (
    <Panel title={text.withoutAddress} description={text.withoutAddressAbout}>
      <CodeBlock label="webhooks:listen" code={command} copy />
    </Panel>
  );
}
