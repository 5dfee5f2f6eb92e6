import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Num } from '../../ui/format/money.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { NumberField, TextField } from '../../ui/forms/text-field.js';
import { useCustomer } from '../customer-context.js';
import { balancesQuery } from '../customers.queries.js';
import { useCustomerWrites } from './customer-writes.js';

interface BalanceDialogProps {
  code?: string;
  onClose: () => void;
}

const AMOUNT_HINT = 'A whole number, negative to subtract.';

const amountOf = (typed: string): number | null =>
  /^[-−+]?\d+$/.test(typed.trim()) ? Number(typed.trim().replace('−', '-')) : null;

/** Adds to or subtracts from a virtual currency balance. */
export function BalanceDialog({ code, onClose }: BalanceDialogProps) {
  const { projectId, id, done } = useCustomer();
  const { adjustBalance } = useCustomerWrites(projectId, id);
  const { data, error: unread } = useQuery(balancesQuery(projectId, id));
  const form = useForm({
    initial: { currency: code ?? '', amount: '', reference: '' },
    check: (values) => ({
      currency: values.currency === '' ? 'Choose a currency' : null,
      amount: amountOf(values.amount) === null ? AMOUNT_HINT : null,
    }),
    write: adjustBalance,
    // The server names the amount `adjustments.GLD`.
    paramOf: ({ param }) => (param?.startsWith('adjustments.') ? 'amount' : param),
    onSubmit: () =>
      adjustBalance.mutate(body, {
        onSuccess: () => {
          onClose();
          const undo = () => adjustBalance.mutateAsync({ adjustments: { [chosen]: -amount } });
          done({ title: `${amount < 0 ? '−' : '+'}${Math.abs(amount)} ${chosen}`, undo });
        },
      }),
  });
  const { currency: chosen, reference } = form.values;
  const typed = amountOf(form.values.amount);
  const amount = typed ?? 0;
  const balance = data?.items.find(({ currency_code: of }) => of === chosen)?.balance;
  const body = {
    adjustments: { [chosen]: amount },
    ...(reference === '' ? {} : { reference }),
  };
  return (
    <FormDialog
      title="Adjust a balance"
      effect="The amount is added at once, or subtracted if negative. Sends a webhook event."
      form={form}
      submit="Adjust balance"
      call={{
        operation: 'POST /v2/projects/{project_id}/customers/{customer_id}/virtual_currencies/transactions',
        path: { project_id: projectId, customer_id: id },
        body,
      }}
      onClose={onClose}
    >
      <SelectField
        label="Currency"
        placeholder="Choose a currency"
        options={(data?.items ?? []).map(({ currency_code: value, name }) => ({
          value,
          label: `${name} (${value})`,
        }))}
        {...form.field('currency')}
        error={form.errorAt('currency') ?? unread?.message}
      />
      <NumberField integer label="Amount to add" hint={AMOUNT_HINT} {...form.field('amount')} />
      {balance !== undefined && (
        <p className="text-muted">
          Balance now <Num value={balance} />
          {typed !== null && (
            <>
              , balance after <Num value={balance + typed} />
            </>
          )}
        </p>
      )}
      <TextField optional label="Reference" {...form.field('reference')} />
    </FormDialog>
  );
}
