import { Button } from './button.js';

interface CsvButtonProps {
  onClick: () => void;
  busy?: boolean;
  disabledReason?: string | null;
}

/** Saves what a page shows as CSV. */
export function CsvButton(props: CsvButtonProps) {
  return (
    <Button icon="download" {...props}>
      Download CSV
    </Button>
  );
}
