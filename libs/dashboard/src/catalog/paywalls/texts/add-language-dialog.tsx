import { useId, useState } from 'react';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/forms/select-field.js';
import { TextField } from '../../../ui/forms/text-field.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { usePaywallDocument } from '../editor/paywall-editor-context.js';
import { isLocale, languagesToAdd } from './languages.js';

const OTHER = 'other';

/** Adds a language without texts. */
export function AddLanguageDialog({ onClose }: { onClose: () => void }) {
  const { document, dispatch } = usePaywallDocument();
  const form = useId();
  const existing = Object.keys(document.components_localizations);
  const [language, setLanguage] = useState('');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const add = () => {
    const locale = language === OTHER ? code.trim().replaceAll('-', '_') : language;
    if (locale === '') return setError('Choose a language.');
    if (!isLocale(locale)) return setError('Enter a code such as de_DE, pt_BR or zh_Hant.');
    if (existing.includes(locale)) return setError('The paywall already has this language.');
    dispatch({ type: 'set', path: ['components_localizations', locale], value: {} });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title="Add language"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary">
            Add language
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <SelectField
          label="Language"
          placeholder="Choose a language"
          value={language}
          options={[...languagesToAdd(existing), { value: OTHER, label: 'Other' }]}
          error={language === OTHER ? null : error}
          hint="Apps show the default language until its texts are translated."
          onChange={({ target }) => {
            setLanguage(target.value);
            setError(null);
          }}
        />
        {language === OTHER && (
          <TextField
            label="Code"
            mono
            value={code}
            error={error}
            hint="Language, script and region, such as sr_Latn_RS."
            onChange={({ target }) => setCode(target.value)}
          />
        )}
      </form>
    </Dialog>
  );
}
