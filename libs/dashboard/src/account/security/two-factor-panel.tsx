import { useState } from 'react';
import type { Account } from '../../api/account.queries.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { text } from '../account.text.js';
import { NewCodesDialog } from './new-codes-dialog.js';
import { TurnOffDialog } from './turn-off-dialog.js';
import { TurnOnDialog } from './turn-on-dialog.js';

export function TwoFactorPanel({ user }: { user: Account['user'] }) {
  const [open, setOpen] = useState<'on' | 'off' | 'codes' | null>(null);
  const close = () => setOpen(null);
  return (
    <Panel
      title={
        <span className="flex items-center gap-2">
          {text.twoFactor}
          <Badge tone={user.has_mfa ? 'good' : 'neutral'}>
            {user.has_mfa ? text.twoFactorOn : text.twoFactorOff}
          </Badge>
        </span>
      }
      description={text.twoFactorSentence}
    >
      <div className="flex flex-wrap gap-2">
        {user.has_mfa ? (
          <>
            <Button onClick={() => setOpen('codes')}>{text.newCodes}</Button>
            <Button variant="danger" onClick={() => setOpen('off')}>
              {text.turnOff}
            </Button>
          </>
        ) : (
          <Button
            icon="shield"
            disabledReason={user.has_password ? null : text.noPassword}
            onClick={() => setOpen('on')}
          >
            {text.turnOn}
          </Button>
        )}
      </div>
      {open === 'on' && <TurnOnDialog email={user.email} onClose={close} />}
      {open === 'off' && <TurnOffDialog onClose={close} />}
      {open === 'codes' && <NewCodesDialog onClose={close} />}
    </Panel>
  );
}
