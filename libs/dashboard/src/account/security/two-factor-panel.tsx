import { useState } from 'react';
import type { Account } from '../../api/account.queries.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { NewCodesDialog } from './new-codes-dialog.js';
import { TurnOffDialog } from './turn-off-dialog.js';
import { TurnOnDialog } from './turn-on-dialog.js';

export function TwoFactorPanel({ user }: { user: Account['user'] }) {
  const [open, setOpen] = useState<'on' | 'off' | 'codes' | null>(null);
  const close = () => setOpen(null);
  return (
    <Panel
      beside
      title={
        <span className="flex items-center gap-2">
          Two-factor authentication
          <Badge tone={user.has_mfa ? 'good' : 'neutral'}>{user.has_mfa ? 'On' : 'Off'}</Badge>
        </span>
      }
      description="When it is on, signing in also requires a code from an app on your phone."
    >
      <div className="flex flex-wrap gap-2">
        {user.has_mfa ? (
          <>
            <Button onClick={() => setOpen('codes')}>New recovery codes</Button>
            <Button variant="danger" onClick={() => setOpen('off')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button
            icon="shield"
            disabledReason={
              user.has_password
                ? null
                : 'Your account has no password. To set one, sign out and use “Forgot your password?”.'
            }
            onClick={() => setOpen('on')}
          >
            Turn on
          </Button>
        )}
      </div>
      {open === 'on' && <TurnOnDialog email={user.email} onClose={close} />}
      {open === 'off' && <TurnOffDialog onClose={close} />}
      {open === 'codes' && <NewCodesDialog onClose={close} />}
    </Panel>
  );
}
