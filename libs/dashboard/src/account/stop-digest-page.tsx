import { PlainPage } from '../frame/pages/plain-page.js';
import { Button } from '../ui/button.js';
import { FormError } from '../ui/forms/form.js';
import { useStopDigest } from './entry/entry.queries.js';
import { useFragment } from './entry/fragment.js';
import { Notice } from '../ui/notice.js';

/** The target of the link in the mails of a digest. */
export default function StopDigestPage() {
  const token = useFragment('token');
  const stop = useStopDigest();
  return (
    <PlainPage title="Stop these mails">
      {token === null ? (
        <p className="text-muted">
          Open the link at the end of a digest’s mail. This page needs the token in it.
        </p>
      ) : stop.isSuccess ? (
        <Notice tone="good">You get no more mails of this digest.</Notice>
      ) : (
        <>
          <p className="text-muted">
            You will get no more mails of this digest. Others still get it, and you can be added again in the
            project.
          </p>
          <FormError error={stop.error?.message} />
          <Button variant="primary" busy={stop.isPending} onClick={() => stop.mutate(token)}>
            Stop these mails
          </Button>
        </>
      )}
    </PlainPage>
  );
}
