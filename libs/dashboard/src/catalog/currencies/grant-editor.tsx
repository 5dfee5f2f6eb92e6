import { useId, useRef, useState } from 'react';
import type { Form } from '../../frame/forms/use-form.js';
import { ProductChoice } from '../../frame/products/product-choice.js';
import { useProductOptions } from '../../frame/products/product-options.js';
import { Button, IconButton } from '../../ui/button.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { FieldError } from '../../ui/forms/field.js';
import { NumberField } from '../../ui/forms/text-field.js';
import { type CurrencyValues, emptyGrant, type GrantValues } from './currency-form.js';

interface GrantEditorProps {
  projectId: string;
  form: Form<CurrencyValues>;
}

/** Amounts that purchases of products credit. */
export function GrantEditor({ projectId, form }: GrantEditorProps) {
  const { options, note } = useProductOptions(projectId);
  const [added, setAdded] = useState<number | null>(null);
  const id = useId();
  const add = useRef<HTMLButtonElement>(null);
  const { value: grants, error } = form.control('product_grants');
  const change = (next: GrantValues[]) => {
    // Errors refer to grants by index.
    form.clearErrors();
    form.set('product_grants', next);
  };
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="font-medium">Granted by products</legend>
      <p className="text-sm text-muted">What a purchase credits. A product is in one grant at most.</p>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {grants.map(({ key }, index) => (
        <fieldset key={key} className="relative grid min-w-0 gap-3 rounded-md border border-line p-3">
          <legend className="px-1 text-sm font-medium">{`Grant ${index + 1}`}</legend>
          <ProductChoice
            options={options}
            note={note}
            autoFocus={key === added}
            {...form.control(`product_grants.${index}.product_ids`)}
            error={
              form.errorAt(`product_grants.${index}.product_ids`) ?? form.errorAt(`product_grants.${index}`)
            }
          />
          <div className="grid items-start gap-3 sm:grid-cols-2">
            <NumberField
              integer
              label="Amount"
              hint="For each purchase and each renewal."
              {...form.field(`product_grants.${index}.amount`)}
            />
            <NumberField
              integer
              label="Amount in a trial"
              hint="When a free trial starts."
              {...form.field(`product_grants.${index}.trial_amount`)}
            />
          </div>
          <Checkbox
            label="Expires at the end of the cycle"
            hint="The rest of a paid period’s amount expires with the period. Trials and one-time purchases never expire."
            {...form.checkbox(`product_grants.${index}.expire_at_cycle_end`)}
          />
          <div className="justify-self-end">
            <IconButton
              size="sm"
              icon="trash"
              label={`Remove grant ${index + 1}`}
              onClick={() => {
                change(grants.filter((grant) => grant.key !== key));
                // The focused button has been removed.
                add.current?.focus();
              }}
            />
          </div>
        </fieldset>
      ))}
      <div>
        <Button
          ref={add}
          size="sm"
          icon="plus"
          onClick={() => {
            const grant = emptyGrant(grants);
            setAdded(grant.key);
            change([...grants, grant]);
          }}
        >
          Add grant
        </Button>
      </div>
    </fieldset>
  );
}
