import { useQueryClient } from '@tanstack/react-query';
import { useMay } from '../api/permissions.js';
import { useWrite } from '../api/write.js';
import { useForm } from '../frame/forms/use-form.js';
import { Button } from '../ui/button.js';
import { FormError } from '../ui/forms/form.js';
import { SelectField } from '../ui/forms/select-field.js';
import { NumberField, TextField } from '../ui/forms/text-field.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatPeriod } from '../ui/format/period.js';
import { findOwn, nameFrom, type OwnStep, packageKinds, packageOf, type Period } from './own-catalog.js';
import type { Catalog } from './sample-catalog.js';
import { type OwnValues, sendOwnStep } from './send-own.js';
import { type App, catalogQuery } from './setup.queries.js';

const periods = Object.keys(packageKinds) as Period[];
const operations = {
  product: 'createProduct',
  entitlement: 'createEntitlement',
  offering: 'createOffering',
  package: 'createPackage',
} as const;
const submits: Record<OwnStep, string> = {
  product: 'Create product',
  entitlement: 'Create entitlement',
  offering: 'Create offering',
  package: 'Create package',
};

/** Suggested values, which most people only confirm. */
function initialOf(step: OwnStep, catalog: Catalog): OwnValues {
  const { product } = findOwn(catalog);
  const kind = product && packageOf(product);
  const period = periods.find((each) => packageKinds[each] === kind) ?? 'P1M';
  const keys: Record<OwnStep, string> = { product: '', entitlement: 'pro', offering: 'default', package: '' };
  return { key: keys[step], name: '', period, price: '9.99' };
}

interface OwnStepFormProps {
  projectId: string;
  app: App;
  catalog: Catalog;
  step: OwnStep;
  /** Called after the last step. */
  onMade: () => void;
}

/** The form of one step. */
export function OwnStepForm({ projectId, app, catalog, step, onMade }: OwnStepFormProps) {
  const { locale } = useFormat();
  const queries = useQueryClient();
  const isTestStore = app.type === 'test_store';
  const may = useMay(operations[step]);
  const target = { projectId, appId: app.id };
  const write = useWrite({
    send: async (values: OwnValues, headers) => {
      await sendOwnStep(step, { target, catalog, values, headers, isTestStore });
      await queries.invalidateQueries({ queryKey: catalogQuery(projectId, app.id).queryKey });
    },
    stale: () => [[projectId, 'catalog']],
    // The step closes with its last form, which is then no longer on the page.
    onDone: () => step === 'package' && onMade(),
  });
  const needsKey = step !== 'package';
  const form = useForm<OwnValues>({
    initial: initialOf(step, catalog),
    check: ({ key, price }) => ({
      key: needsKey && key.trim() === '' ? 'This is required.' : null,
      price:
        step === 'product' && isTestStore && !(Number(price) > 0) ? 'Enter an amount such as 9.99.' : null,
    }),
    write,
    paramOf: ({ param }) => (param === 'store_identifier' || param === 'lookup_key' ? 'key' : param),
    onSubmit: (values) => write.mutate(values),
  });
  const kinds = periods.map((period) => ({ value: period, label: packageKinds[period].display_name }));
  const lengths = periods.map((period) => ({ value: period, label: formatPeriod(locale, period) }));
  return (
    <form {...form.formProps} className="grid max-w-xl gap-3 ps-6">
      <FormError error={form.problem} />
      {needsKey && (
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <TextField
            label={step === 'product' ? 'Store identifier' : 'Lookup key'}
            mono
            autoComplete="off"
            placeholder={step === 'product' ? 'gold_monthly' : undefined}
            {...form.field('key')}
          />
          <TextField
            label="Name"
            optional
            autoComplete="off"
            placeholder={nameFrom(form.values.key.trim())}
            {...form.field('name')}
          />
        </div>
      )}
      {step === 'product' && isTestStore && (
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <NumberField label="Price (USD)" {...form.field('price')} />
          <SelectField label="Period" options={lengths} {...form.field('period')} />
        </div>
      )}
      {step === 'package' && <SelectField label="Package" options={kinds} {...form.field('period')} />}
      <div>
        <Button type="submit" variant="primary" busy={form.isPending} disabledReason={may.reason}>
          {submits[step]}
        </Button>
      </div>
    </form>
  );
}
