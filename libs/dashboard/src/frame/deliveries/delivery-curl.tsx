import { CodeBlock } from '../../ui/text/code-block.js';

/** The request as a curl command. */
export function DeliveryCurl({ curl }: { curl: string }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        Sends the same request from your machine, with placeholders for secrets and signatures.
      </p>
      <CodeBlock label="curl command" code={curl} copy />
    </div>
  );
}
