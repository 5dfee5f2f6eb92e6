import { Button } from '../../../ui/button.js';

/** Opens the dialog that publishes the draft. */
export function PublishButton() {
  return (
    <Button variant="primary" disabledReason="Not available yet.">
      Publish
    </Button>
  );
}
