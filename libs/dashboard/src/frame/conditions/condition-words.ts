import { visibleText } from '../../ui/text/visible-text.js';
import { type Condition, hasContext } from './conditions.js';
import { choices, fieldLabels, operatorLabels } from './condition-labels.js';

const SHOWN = 5;

/** Describes a condition: `Country is any of US, DE`. `nameOf` returns the name of an app or product. */
export function conditionWords(
  { field, operator, value, context }: Condition,
  nameOf: (id: string) => string,
): string {
  const values = Array.isArray(value) ? value.map(String) : [String(value)];
  const labels = choices[field];
  const shown = values
    .slice(0, SHOWN)
    .map((one) => (field === 'app_config' || field === 'product' ? nameOf(one) : (labels?.[one] ?? one)));
  const more = values.length > SHOWN ? ` + ${values.length - SHOWN}` : '';
  const of = context && field === 'app_version' ? nameOf(context) : (context ?? '');
  const subject = hasContext(field) ? `${fieldLabels[field]} ${of}` : fieldLabels[field];
  const unit = field === 'rollout' ? '%' : '';
  return visibleText(`${subject} ${operatorLabels[operator]} ${shown.join(', ')}${unit}${more}`);
}
