import { useState } from 'react';
import { useForm } from '../../../frame/forms/use-form.js';
import { controlClass, Field } from '../../../ui/forms/field.js';
import { SelectField } from '../../../ui/forms/select-field.js';
import { TextField } from '../../../ui/forms/text-field.js';
import { readBase64 } from '../media/read-base64.js';
import type { PaywallSettings } from '../paywall.types.js';
import { useCreateMediaAsset, useUpdatePaywallSettings } from '../paywalls.queries.js';
import { SettingDialog } from './setting-dialog.js';
import { nameProblem, withSetting } from './setting-names.js';
import { fontWeights, type SettingsFont } from './settings-font.js';

interface FontDialogProps {
  projectId: string;
  settings: PaywallSettings;
  /** Null adds a font. */
  name: string | null;
  onClose: () => void;
}

const LARGEST_FILE = 2 * 1024 * 1024;

const familyOf = (fileName: string): string => fileName.replace(/\.\w+$/, '').replace(/[-_].*$/, '');

export function FontDialog({ projectId, settings, name, onClose }: FontDialogProps) {
  const upload = useCreateMediaAsset(projectId);
  const update = useUpdatePaywallSettings(projectId);
  const [file, setFile] = useState<File | null>(null);
  const present = name === null ? null : (settings.fonts[name] as SettingsFont);
  const initial = {
    name: '',
    file: '',
    family: present?.family ?? '',
    weight: String(present?.weight ?? 400),
    style: present?.style ?? 'normal',
  };
  type Values = typeof initial;
  const bodyOf = (values: Values, assetId: string) =>
    withSetting(settings, 'fonts', name ?? values.name.trim(), {
      media_asset_id: assetId,
      family: values.family.trim(),
      weight: Number(values.weight),
      style: values.style,
    });
  const save = (values: Values, assetId: string) =>
    update.mutate(bodyOf(values, assetId), { onSuccess: onClose });
  const submit = async (values: Values) => {
    if (!file) return save(values, present?.media_asset_id ?? '');
    const data = await readBase64(file);
    upload.mutate(
      { filename: file.name, content_type: 'font/ttf', file_data_base64: data },
      { onSuccess: ({ id }) => save(values, id) },
    );
  };
  const form = useForm({
    initial,
    check: (values) => ({
      name: name === null ? nameProblem(settings, 'fonts', values.name.trim()) : null,
      file:
        name === null && !file
          ? 'Choose a file.'
          : file && file.size > LARGEST_FILE
            ? 'The file has more than 2 MiB.'
            : null,
      family: values.family.trim() === '' ? 'Enter the family.' : null,
    }),
    write: { error: upload.error ?? update.error, isPending: upload.isPending || update.isPending },
    paramOf: ({ param }) => (param === 'file_data_base64' ? 'file' : param),
    onSubmit: (values) => void submit(values),
  });
  const choose = (chosen: File | undefined) => {
    upload.reset();
    setFile(chosen ?? null);
    form.setValues((before) => ({
      ...before,
      file: chosen?.name ?? '',
      family: before.family === '' && chosen ? familyOf(chosen.name) : before.family,
    }));
  };
  return (
    <SettingDialog
      {...{ projectId, name, form, onClose }}
      thing="font"
      nameField={{ label: 'Name', hint: 'Documents name the font by it.', ...form.field('name') }}
      body={bodyOf(form.values, present?.media_asset_id ?? 'mdas…')}
    >
      <Field
        label={name === null ? 'File' : 'Another file'}
        optional={name !== null}
        hint="TrueType or OpenType, at most 2 MiB. Phones find the font by its PostScript name."
        error={form.errorAt('file')}
      >
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept=".ttf,.otf,font/ttf,font/otf"
            onChange={({ target }) => choose(target.files?.[0])}
            className={`${controlClass} py-1 text-sm`}
          />
        )}
      </Field>
      <TextField label="Family" maxLength={100} autoComplete="off" {...form.field('family')} />
      <SelectField
        label="Weight"
        options={Object.entries(fontWeights).map(([value, label]) => ({
          value,
          label: `${label} (${value})`,
        }))}
        {...form.field('weight')}
      />
      <SelectField
        label="Style"
        options={[
          { value: 'normal', label: 'Normal' },
          { value: 'italic', label: 'Italic' },
        ]}
        {...form.field('style')}
      />
    </SettingDialog>
  );
}
