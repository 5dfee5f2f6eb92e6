import type { Form } from '../../frame/forms/use-form.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatPeriod } from '../../ui/format/period.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { NumberField, TextField } from '../../ui/forms/text-field.js';
import type { Product } from '../catalog.types.js';
import type { ProductValues } from './product-values.js';

const periods = ['P1W', 'P1M', 'P2M', 'P3M', 'P6M', 'P1Y'] as const;

const trials = ['P3D', 'P1W', 'P2W', 'P1M'] as const;

interface TestStoreFieldsProps {
  form: Form<ProductValues>;
  type: Product['type'];
}

/** Price and periods, which can be set here only for Test Store products. */
export function TestStoreFields({ form, type }: TestStoreFieldsProps) {
  const { locale } = useFormat();
  const optionsOf = (known: readonly string[], chosen: string, none: string) => [
    { value: '', label: none },
    ...[...new Set([...known, chosen])]
      .filter((value) => value !== '')
      .map((value) => ({ value, label: formatPeriod(locale, value) })),
  ];
  const { duration, trial_duration: trial } = form.values.subscription;
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] items-start gap-3">
        <NumberField
          label="Test price"
          hint="Price in the Test Store. Optional."
          {...form.field('test_store_price.amount_micros')}
        />
        <TextField
          label="Currency"
          mono
          maxLength={3}
          autoComplete="off"
          {...form.field('test_store_price.currency')}
        />
      </div>
      {type === 'subscription' && (
        <div className="grid grid-cols-2 items-start gap-3">
          <SelectField
            label="Period"
            options={optionsOf(periods, duration, 'Not set')}
            {...form.field('subscription.duration')}
          />
          <SelectField
            label="Free trial"
            options={optionsOf(trials, trial, 'No trial')}
            {...form.field('subscription.trial_duration')}
          />
        </div>
      )}
    </>
  );
}
