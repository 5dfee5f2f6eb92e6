import { CodeBlock } from '../../ui/text/code-block.js';
import { text } from '../webhooks.text.js';

/** A signing secret, shown once. */
export function SecretOnce({ secret }: { secret: string }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="font-medium">{text.secret}</h3>
      <CodeBlock label={text.secret} code={secret} copy />
      <p className="text-sm text-muted">{text.secretOnce}</p>
    </section>
  );
}
