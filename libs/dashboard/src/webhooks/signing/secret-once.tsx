import { CodeBlock } from '../../ui/text/code-block.js';

/** A signing secret, shown once. */
export function SecretOnce({ secret }: { secret: string }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="font-medium">Signing secret</h3>
      <CodeBlock label="Signing secret" code={secret} copy />
      <p className="text-sm text-muted">
        Copy it now: it is not shown again. Your backend checks the signature of each request with it.
        Receivers that already check RevenueCat’s webhooks only need this secret: requests carry its
        X-RevenueCat-Webhook-Signature header too.
      </p>
    </section>
  );
}
