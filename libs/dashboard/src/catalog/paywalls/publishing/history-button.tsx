import { Button } from '../../../ui/button.js';

/** Opens the list of published versions. */
export function HistoryButton() {
  return <Button disabledReason="Not available yet.">History</Button>;
}
