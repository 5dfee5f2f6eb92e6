import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../../../ui/button.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { DataText } from '../../../ui/text/data-text.js';
import type { JsonObject } from '../paywall.types.js';
import { paywallIconsQuery } from './icons.queries.js';
import { IconPicture } from './icon-picture.js';

/** The properties of an icon component that say which icon it shows. */
export interface IconChoice extends JsonObject {
  base_url: string;
  icon_name: string;
  formats: { svg: string; png: string; heic: string; webp: string };
}

export interface IconFieldProps {
  label: string;
  /** Undefined if there is no icon yet. */
  value: IconChoice | undefined;
  onChange: (value: IconChoice) => void;
  disabled: boolean;
}

/** iOS reads PNG in place of HEIC. */
const iconChoice = (base_url: string, name: string): IconChoice => ({
  base_url,
  icon_name: name,
  formats: { svg: `${name}.svg`, png: `${name}.png`, heic: `${name}.png`, webp: `${name}.webp` },
});

/** An icon of a document, chosen from those of the server. */
export function IconField({ label, value, onChange, disabled }: IconFieldProps) {
  const id = useId();
  const [isChoosing, setIsChoosing] = useState(false);
  return (
    <div role="group" aria-labelledby={id} className="grid gap-2">
      <p id={id} className="text-sm text-muted">
        {label}
      </p>
      <div className="flex items-center gap-2">
        {value && <IconPicture address={`${value.base_url}/${value.formats.svg}`} />}
        <span className="min-w-0 flex-1 text-sm">
          <DataText truncate>{value?.icon_name ?? 'None'}</DataText>
        </span>
        <Button
          size="sm"
          disabledReason={disabled ? 'You may only read this paywall.' : null}
          onClick={() => setIsChoosing(true)}
        >
          {value ? 'Change' : 'Choose'}
        </Button>
      </div>
      {isChoosing && (
        <IconDialog
          chosen={value?.icon_name}
          onChoose={(choice) => {
            onChange(choice);
            setIsChoosing(false);
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </div>
  );
}

interface IconDialogProps {
  chosen: string | undefined;
  onChoose: (choice: IconChoice) => void;
  onClose: () => void;
}

function IconDialog({ chosen, onChoose, onClose }: IconDialogProps) {
  const query = useQuery(paywallIconsQuery);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Choose an icon"
      description="Icons of Lucide, in the component's color."
    >
      <QueryPanel query={query} queryKey={paywallIconsQuery.queryKey}>
        {({ base_url: address, icon_names: names }) => (
          <ul aria-label="Icons" className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2">
            {names.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  aria-pressed={name === chosen}
                  onClick={() => onChoose(iconChoice(address, name))}
                  className="flex w-full flex-col items-center gap-1.5 rounded-md border border-line p-2 text-xs hover:bg-hover aria-pressed:border-accent aria-pressed:bg-chosen"
                >
                  <IconPicture address={`${address}/${name}.svg`} />
                  <span className="w-full truncate text-center">{name}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </QueryPanel>
    </Dialog>
  );
}
