import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { App } from '../catalog.types.js';
import { TestStoreFields } from './product-form.js';
import { bodyOf, newProduct, problemsOf } from './product-values.js';
import { identifierHints, productTypes } from './product-words.js';
import { useCreateProduct } from './products.queries.js';

interface CreateProductDialogProps {
  projectId: string;
  apps: App[];
  /** The app selected on the page. */
  appId: string | undefined;
  onClose: () => void;
}

const types = Object.entries(productTypes).map(([value, label]) => ({ value, label }));

export function CreateProductDialog({ projectId, apps, appId, onClose }: CreateProductDialogProps) {
  const create = useCreateProduct(projectId);
  const typeOf = (id: string) => apps.find((app) => app.id === id)?.type;
  const form = useForm({
    initial: newProduct(appId ?? (apps.length === 1 ? apps[0]!.id : '')),
    check: (values) => problemsOf(values, typeOf(values.app_id) === 'test_store'),
    write: create,
    onSubmit: () => create.mutate(body, { onSuccess: onClose }),
  });
  const { values } = form;
  const store = typeOf(values.app_id);
  const body = {
    app_id: values.app_id,
    store_identifier: values.store_identifier.trim(),
    type: values.type,
    ...bodyOf(values, store === 'test_store'),
  };
  return (
    <FormDialog
      title="New product"
      form={form}
      submit="Create"
      call={{ operation: 'POST /v2/projects/{project_id}/products', path: { project_id: projectId }, body }}
      onClose={onClose}
    >
      <div className="grid items-start gap-x-3 gap-y-4 sm:grid-cols-2">
        <SelectField
          label="App"
          placeholder="Choose an app"
          hint={apps.length === 0 ? 'A product belongs to an app. Add an app first.' : undefined}
          options={apps.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
          {...form.field('app_id')}
        />
        <SelectField label="Type" options={types} {...form.field('type')} />
      </div>
      <TextField
        label="Store identifier"
        hint={`${store ? `${identifierHints[store]} ` : ''}Cannot be changed later.`}
        mono
        autoComplete="off"
        {...form.field('store_identifier')}
      />
      <TextField label="Name" optional autoComplete="off" {...form.field('display_name')} />
      {store === 'test_store' && <TestStoreFields form={form} type={values.type} />}
    </FormDialog>
  );
}
