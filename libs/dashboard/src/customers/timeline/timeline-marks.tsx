import { Icon, type IconName } from '../../ui/icons.js';
import { type Tone } from '../../ui/tone.js';

export const timelineIcons: Record<Tone, IconName> = {
  good: 'check',
  warn: 'warning',
  bad: 'error',
  neutral: 'dot',
  accent: 'dot',
};

export const SandboxMark = () => (
  <span className="ms-2 inline-flex items-center gap-1 text-xs text-warn">
    <Icon name="flask" className="size-3.5!" />
    sandbox
  </span>
);
