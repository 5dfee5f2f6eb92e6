import { useForm } from '../../../frame/forms/use-form.js';
import type { PaywallSettings } from '../paywall.types.js';
import { useUpdatePaywallSettings } from '../paywalls.queries.js';
import { ColorField } from './color-field.js';
import { hexScheme, isHex, schemeOf } from './color-scheme.js';
import { SettingDialog } from './setting-dialog.js';
import { nameProblem, withSetting } from './setting-names.js';

interface ColorDialogProps {
  projectId: string;
  settings: PaywallSettings;
  /** Null adds a color. */
  name: string | null;
  onClose: () => void;
}

const wrongColor = 'Enter # and six digits of 0 to 9 and a to f, or eight with the opacity.';

export function ColorDialog({ projectId, settings, name, onClose }: ColorDialogProps) {
  const update = useUpdatePaywallSettings(projectId);
  const present = name === null ? null : hexScheme(settings.colors[name] as Record<string, unknown>);
  const initial = { name: '', light: present?.light ?? '', dark: present?.dark ?? '' };
  const bodyOf = (values: typeof initial) =>
    withSetting(
      settings,
      'colors',
      name ?? values.name.trim(),
      schemeOf({ light: values.light, dark: values.dark === '' ? null : values.dark }),
    );
  const form = useForm({
    initial,
    check: (values) => ({
      name: name === null ? nameProblem(settings, 'colors', values.name.trim()) : null,
      light: isHex(values.light) ? null : wrongColor,
      dark: values.dark === '' || isHex(values.dark) ? null : wrongColor,
    }),
    write: update,
    onSubmit: (values) => update.mutate(bodyOf(values), { onSuccess: onClose }),
  });
  return (
    <SettingDialog
      {...{ projectId, name, form, onClose }}
      thing="color"
      nameField={{ label: 'Name', ...form.field('name') }}
      body={bodyOf(form.values)}
    >
      <ColorField label="Color" {...form.control('light')} />
      <ColorField label="In dark mode" optional hint="Default: the same." {...form.control('dark')} />
    </SettingDialog>
  );
}
