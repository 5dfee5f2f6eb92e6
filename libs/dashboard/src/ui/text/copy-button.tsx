import { useEffect, useState } from 'react';
import { Button, IconButton } from '../button.js';
import { useToast } from '../overlays/toast.js';
import { writeClipboard } from './write-clipboard.js';

interface CopyButtonProps {
  /** The copied text, without escaping. */
  value: string;
  /** Name of the text, for the button's name. */
  label: string;
  /** Shows the word "Copy" instead of an icon. */
  worded?: boolean;
  size?: 'sm' | 'md';
}

/** Copies a text and confirms it. */
export function CopyButton({ value, label, worded, size = 'sm' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const toast = useToast();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    writeClipboard(value).then(
      () => setCopied(true),
      () => toast({ tone: 'bad', title: 'Could not copy. Select the text and copy it manually.' }),
    );
  const icon = copied ? 'check' : 'copy';
  return (
    <>
      {worded ? (
        <Button icon={icon} size={size} onClick={copy} aria-label={`Copy ${label}`}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      ) : (
        <IconButton
          icon={icon}
          size={size}
          label={`Copy ${label}`}
          onClick={copy}
          className="text-muted! hover:text-fg!"
        />
      )}
      <span role="status" className="sr-only">
        {copied && 'Copied'}
      </span>
    </>
  );
}
