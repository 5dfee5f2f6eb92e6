import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Num } from '../../ui/format/money.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { NumberField, TextField } from '../../ui/forms/text-field.js';
import { useCustomer } from '../customer-context.js';
import { balancesQuery } from '../customers.queries.js';
import { ActionDialog, fieldError } from './action-dialog.js';
import { useCustomerWrites } from './customer-writes.js';

interface BalanceDialogProps {
  code?: string;
  onClose: () => void;
}

/** Adds to or subtracts from a virtual currency balance. */
export function BalanceDialog({ code, onClose }: BalanceDialogProps) {
  const { projectId, id, done } = useCustomer();
  const { adjustBalance } = useCustomerWrites(projectId, id);
  const { data, error: unread } = useQuery(balancesQuery(projectId, id));
  const [chosen, setChosen] = useState(code ?? '');
  const [amount, setAmount] = useState('');
  const [reference, setReference] = useState('');
  const [wasTried, setWasTried] = useState(false);
  const { error } = adjustBalance;
  const value = /^[-−+]?\d+$/.test(amount.trim()) ? Number(amount.trim().replace('−', '-')) : null;
  const balance = data?.items.find(({ currency_code: of }) => of === chosen)?.balance;
  const body = {
    adjustments: { [chosen]: value ?? 0 },
    ...(reference === '' ? {} : { reference }),
  };
  const submit = () => {
    setWasTried(true);
    if (chosen === '' || value === null) return;
    adjustBalance.mutate(body, {
      onSuccess: () => {
        onClose();
        const undo = () => adjustBalance.mutateAsync({ adjustments: { [chosen]: -value } });
        done({ title: `${value < 0 ? '−' : '+'}${Math.abs(value)} ${chosen}`, undo });
      },
    });
  };
  return (
    <ActionDialog
      title="Adjust a balance"
      effect="The amount is added at once, or subtracted if it is negative. Webhooks get an event."
      submit="Adjust balance"
      busy={adjustBalance.isPending}
      error={error}
      fields={['reference', `adjustments.${chosen}`]}
      isDirty={amount !== '' || reference !== ''}
      call={{
        operation: 'POST /v2/projects/{project_id}/customers/{customer_id}/virtual_currencies/transactions',
        path: { project_id: projectId, customer_id: id },
        body,
      }}
      onClose={onClose}
      onSubmit={submit}
    >
      <SelectField
        label="Currency"
        value={chosen}
        placeholder="Choose a currency"
        options={(data?.items ?? []).map(({ currency_code: value, name }) => ({
          value,
          label: `${name} (${value})`,
        }))}
        error={wasTried && chosen === '' ? 'Choose a currency' : unread?.message}
        onChange={({ target }) => setChosen(target.value)}
      />
      <NumberField
        integer
        label="Amount to add"
        hint="A whole number, negative to subtract."
        value={amount}
        error={
          (wasTried && value === null ? 'A whole number, negative to subtract.' : null) ??
          fieldError(error, `adjustments.${chosen}`)
        }
        onChange={({ target }) => setAmount(target.value)}
      />
      {balance !== undefined && (
        <p className="text-muted">
          Balance now <Num value={balance} />
          {value !== null && (
            <>
              , balance after <Num value={balance + value} />
            </>
          )}
        </p>
      )}
      <TextField
        optional
        label="Your reference"
        value={reference}
        error={fieldError(error, 'reference')}
        onChange={({ target }) => setReference(target.value)}
      />
    </ActionDialog>
  );
}
