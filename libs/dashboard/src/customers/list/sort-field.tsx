import { SelectField } from '../../ui/forms/select-field.js';
import { type CustomersSearch, sortLabels } from './customer-filters.js';

const options = Object.entries(sortLabels).flatMap(([sort, label]) => [
  { value: `${sort} desc`, label: sort === 'spent' ? `${label}: most first` : `${label}: newest first` },
  { value: `${sort} asc`, label: sort === 'spent' ? `${label}: least first` : `${label}: oldest first` },
]);

interface SortFieldProps extends Pick<CustomersSearch, 'sort' | 'order'> {
  onChange: (search: CustomersSearch) => void;
}

/** The order of the list. */
export function SortField({ sort = 'last_seen', order = 'desc', onChange }: SortFieldProps) {
  return (
    <SelectField
      label="Sort by"
      labelHidden
      className="w-full md:w-56"
      value={`${sort} ${order}`}
      options={options}
      onChange={({ target }) => {
        const [by, direction] = target.value.split(' ') as [
          CustomersSearch['sort'],
          CustomersSearch['order'],
        ];
        onChange({ sort: by, order: direction });
      }}
    />
  );
}
