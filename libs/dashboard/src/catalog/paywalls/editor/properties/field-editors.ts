import {
  BooleanEditor,
  ChoiceEditor,
  NumberEditor,
  NumberOrChoiceEditor,
  ScalarEditor,
  TextEditor,
} from './editors/basic-editors.js';
import { ColorEditor } from './editors/color-editor.js';
import { DateEditor } from './editors/date-editor.js';
import type { FieldEditors } from './editors/editors-context.js';
import { IconEditor } from './editors/icon-editor.js';
import { ImageEditor, LocalizedImageEditor } from './editors/image-editors.js';
import { LayerEditor } from './editors/layer-editor.js';
import { ListEditor, ObjectEditor } from './editors/object-editors.js';
import { OverridesEditor } from './editors/overrides-editor.js';
import { PointsEditor } from './editors/points-editor.js';
import { FontEditor, PackageEditor, TabEditor } from './editors/reference-editors.js';
import { CornersEditor, SizeEditor, SpacingEditor } from './editors/measure-editors.js';
import { TextIdEditor } from './editors/text-id-editor.js';
import { UnionEditor } from './editors/union-editor.js';

/** The editor of each kind of values. */
export const fieldEditors: FieldEditors = {
  boolean: BooleanEditor,
  choice: ChoiceEditor,
  color: ColorEditor,
  corners: CornersEditor,
  date: DateEditor,
  font: FontEditor,
  icon: IconEditor,
  image: ImageEditor,
  layer: LayerEditor,
  list: ListEditor,
  localized_image: LocalizedImageEditor,
  number: NumberEditor,
  number_or_choice: NumberOrChoiceEditor,
  object: ObjectEditor,
  overrides: OverridesEditor,
  package: PackageEditor,
  points: PointsEditor,
  scalar: ScalarEditor,
  size: SizeEditor,
  spacing: SpacingEditor,
  tab: TabEditor,
  text: TextEditor,
  text_id: TextIdEditor,
  union: UnionEditor,
};
