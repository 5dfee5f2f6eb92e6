import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { offeringNamesQuery } from '../../../api/offerings.queries.js';
import { FormDialog } from '../../../frame/forms/form-dialog.js';
import { useForm } from '../../../frame/forms/use-form.js';
import { buttonClass } from '../../../ui/button-class.js';
import { RadioCards } from '../../../ui/forms/choice.js';
import { SelectField } from '../../../ui/forms/select-field.js';
import { TextField } from '../../../ui/forms/text-field.js';
import type { Loaded } from '../../../ui/loading/loaded.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { visibleText } from '../../../ui/text/visible-text.js';
import { isArchived, type Offering } from '../../catalog.types.js';
import type { Paywall, PaywallTemplate } from '../paywall.types.js';
import { allPaywallsQuery, paywallTemplatesQuery, useCreatePaywall } from '../paywalls.queries.js';
import { TemplatePicture } from './template-picture.js';

interface NewPaywallDialogProps {
  projectId: string;
  /** The paywall to copy. Without one, a template is chosen. */
  source?: Paywall;
  /** The offering that is chosen first. */
  offeringId?: string;
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** Active offerings that have no paywall, not even a draft. */
function freeOfferings(offerings: Offering[], paywalls: Paywall[]): Offering[] {
  const taken = new Set(paywalls.map(({ offering_id: id }) => id));
  return offerings.filter((offering) => !isArchived(offering) && !taken.has(offering.id));
}

/** Asks for the offering of a new paywall, and for what it starts from. */
export function NewPaywallDialog(props: NewPaywallDialogProps) {
  const { projectId, source, onClose } = props;
  const offerings = useQuery(offeringNamesQuery(projectId));
  const paywalls = useQuery(allPaywallsQuery(projectId));
  const templates = useQuery(paywallTemplatesQuery(projectId));
  if (offerings.data && paywalls.data && templates.data) {
    const free = freeOfferings(offerings.data, paywalls.data);
    return <NewPaywallForm {...props} offerings={free} templates={templates.data} />;
  }
  const waiting: Loaded<unknown> =
    [offerings, paywalls, templates].find(({ data }) => data === undefined) ?? offerings;
  return (
    <Dialog open onClose={onClose} title={titleOf(source)}>
      <QueryPanel query={waiting} queryKey={paywallTemplatesQuery(projectId).queryKey}>
        {() => null}
      </QueryPanel>
    </Dialog>
  );
}

const titleOf = (source: Paywall | undefined): string =>
  source ? `Duplicate ${visibleText(source.name)}` : 'New paywall';

interface NewPaywallFormProps extends NewPaywallDialogProps {
  offerings: Offering[];
  templates: PaywallTemplate[];
}

function NewPaywallForm(props: NewPaywallFormProps) {
  const { projectId, source, offeringId, offerings, templates, onClose, onCreated } = props;
  const create = useCreatePaywall(projectId);
  const first = offerings.find(({ id }) => id === offeringId) ?? offerings[0];
  const bodyOf = (values: { offering_id: string; template_id: string; name: string }) => ({
    offering_id: values.offering_id,
    ...(source ? { duplicate_of: source.id } : { template_id: values.template_id }),
    ...(values.name.trim() !== '' && { name: values.name.trim() }),
  });
  const form = useForm({
    initial: {
      offering_id: first?.id ?? '',
      template_id: templates[0]?.id ?? '',
      name: '',
    },
    write: create,
    onSubmit: (values) => create.mutate(bodyOf(values), { onSuccess: ({ id }) => onCreated(id) }),
  });
  if (!first) {
    return (
      <Dialog open onClose={onClose} title={titleOf(source)}>
        <p className="mb-3">Every offering has a paywall. Create an offering first.</p>
        <Link to="/projects/$projectId/catalog/offerings" params={{ projectId }} className={buttonClass()}>
          Open offerings
        </Link>
      </Dialog>
    );
  }
  const chosen = offerings.find(({ id }) => id === form.values.offering_id);
  return (
    <FormDialog
      title={titleOf(source)}
      size={source ? 'sm' : 'lg'}
      form={form}
      submit="Create"
      call={{
        operation: 'POST /v2/projects/{project_id}/paywalls',
        path: { project_id: projectId },
        body: bodyOf(form.values),
      }}
      onClose={onClose}
    >
      <SelectField
        label="Offering"
        hint="Apps show the paywall with this offering. Offerings that have one are not listed."
        options={offerings.map(({ id, display_name: name }) => ({ value: id, label: name }))}
        {...form.field('offering_id')}
      />
      {!source && (
        <RadioCards
          label="Start from"
          columns={3}
          options={templates.map(({ id, name, description }) => ({
            value: id,
            label: (
              <span className="grid justify-items-start gap-2">
                <TemplatePicture id={id} />
                {name}
              </span>
            ),
            hint: description,
          }))}
          {...form.control('template_id')}
        />
      )}
      <TextField
        label="Name"
        optional
        placeholder={chosen && visibleText(chosen.display_name)}
        hint="Only your team sees it."
        autoComplete="off"
        {...form.field('name')}
      />
    </FormDialog>
  );
}
