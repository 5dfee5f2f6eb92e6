import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery } from '../../api/apps.queries.js';
import { allProductsQuery } from '../../api/products.queries.js';
import { ConditionEditor } from '../../frame/conditions/condition-editor.js';
import { retentionFields } from '../../frame/conditions/conditions.js';
import { useSaved } from '../../frame/conditions/use-rule-writes.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { optionOf } from '../../frame/products/product-options.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { messageName, messageStates } from './message-words.js';
import {
  retentionMessagesQuery,
  type RetentionPlace,
  type RetentionRule,
  useCreateRule,
  useUpdateRule,
} from './retention.queries.js';
import { emptyRule, ruleBodyOf, ruleProblems, ruleValuesOf } from './rule-form.js';

interface RuleDialogProps {
  place: RetentionPlace;
  /** Null creates a new one. */
  rule: RetentionRule | null;
  onClose: () => void;
}

const offers = [
  { value: 'none', label: 'No offer' },
  { value: 'switch', label: 'Switch to another product' },
  { value: 'promotional', label: 'Promotional offer' },
];

/** Creates or edits a rule of an environment. */
export function RuleDialog({ place, rule, onClose }: RuleDialogProps) {
  const { projectId, appId, environment } = place;
  const [initial] = useState(() => (rule ? ruleValuesOf(rule) : emptyRule));
  const saved = useSaved(onClose);
  const create = useCreateRule(place);
  const update = useUpdateRule(place);
  const { data: messages } = useQuery(retentionMessagesQuery(place));
  const { data: products = [] } = useQuery(allProductsQuery(projectId));
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const form = useForm({
    initial,
    check: ruleProblems,
    write: rule ? update : create,
    onSubmit: (values) => {
      if (rule) update.mutate({ id: rule.id, ...ruleBodyOf(values) }, saved(values.display_name));
      else create.mutate({ ...ruleBodyOf(values), environment }, saved(values.display_name));
    },
  });
  const known = (messages?.items ?? []).map((message) => ({
    value: message.id,
    label: `${messageName(message)} (${messageStates[message.state].text})`,
  }));
  const isUnknown = rule !== null && !known.some(({ value }) => value === rule.message_id);
  const own = products.filter((product) => product.app_id === appId).map(optionOf);
  return (
    <FormDialog
      title={rule ? `Edit ${visibleText(rule.display_name)}` : 'Add rule'}
      description="The first rule that matches decides which message Apple shows."
      size="lg"
      form={form}
      submit="Save rule"
      call={{
        operation: rule
          ? 'POST /v2/projects/{project_id}/apps/{app_id}/retention_rules/{retention_rule_id}'
          : 'POST /v2/projects/{project_id}/apps/{app_id}/retention_rules',
        path: { project_id: projectId, app_id: appId, ...(rule && { retention_rule_id: rule.id }) },
        body: { ...ruleBodyOf(form.values), ...(!rule && { environment }) },
      }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...form.field('display_name')} />
      <SelectField
        label="Message"
        hint="Apple shows it once it is approved."
        placeholder="Choose a message"
        options={isUnknown ? [{ value: rule.message_id, label: rule.message_id }, ...known] : known}
        {...form.field('message_id')}
      />
      <SelectField label="Offer" options={offers} {...form.field('offer')} />
      {form.values.offer === 'switch' && (
        <SelectField
          label="Product to switch to"
          hint="Customers who already have it are evaluated by the next rules."
          placeholder="Choose a product"
          options={own}
          {...form.field('alternate_product_id')}
        />
      )}
      {form.values.offer === 'promotional' && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <SelectField
            label="Product of the offer"
            placeholder="Choose a product"
            options={own}
            {...form.field('promotional_offer.product_id')}
          />
          <TextField
            label="Offer id"
            hint="From App Store Connect. Needs the in-app purchase key."
            mono
            autoComplete="off"
            {...form.field('promotional_offer.offer_id')}
          />
        </div>
      )}
      <ConditionEditor
        legend="Conditions"
        note="All conditions must match. No conditions: every subscription."
        fields={retentionFields}
        {...form.control('conditions')}
        apps={apps}
        errorAt={(index) => form.errorBelow(`conditions.${index}`)}
      />
    </FormDialog>
  );
}
