import {
  anyOf,
  bool,
  componentOf,
  type Decode,
  defaulted,
  either,
  type Fields,
  int,
  lenient,
  listOf,
  mapOf,
  number,
  oneOf,
  optional,
  record,
  required,
  scalar,
  text,
  uint,
  union,
  url,
} from './decoding.js';

/**
 * Decoders of paywall documents, as tables of what the iOS and Android SDKs (5.86 and 10.17) require. Compare them with
 * newer sources at each update of the SDKs.
 */
type Table = Record<string, Decode>;

const fontWeight = oneOf('extra_light thin light regular medium semibold bold extra_bold black');
const fontSize = anyOf(
  number,
  oneOf('heading_xxl heading_xl heading_l heading_m heading_s heading_xs body_xl body_l body_m body_s'),
);
const horizontal = oneOf('leading center trailing');
const verticalAlignment = oneOf('top center bottom');
const distribution = oneOf('start center end space_between space_around space_evenly');
const twoDimensional = oneOf(
  'center leading trailing top bottom top_leading top_trailing bottom_leading bottom_trailing',
);
const fitMode = oneOf('fit fill');
const urlMethod = oneOf('in_app_browser external_browser deep_link');
const checkout = oneOf('in_app_checkout web_checkout web_product_selection');

const points = listOf(record(required({ color: text, percent: int })));
const points32 = listOf(record(required({ color: text, percent: number })));

function schemeOf(pointList: Decode): Decode {
  const info = union('type', {
    hex: record(required({ value: text })),
    alias: record(required({ value: text })),
    linear: record(required({ degrees: number, points: pointList })),
    radial: record(required({ points: pointList })),
  });
  return record({ ...required({ light: info }), ...optional({ dark: info }) });
}

/** Fields that both platforms read alike, except number types and null values. */
function commonTypes(color: Decode, files: Decode, size: Decode, spacing: Decode) {
  const corners = record(
    optional({ top_leading: number, top_trailing: number, bottom_leading: number, bottom_trailing: number }),
  );
  const rectangle = record(optional({ corners }));
  const themed = (part: Decode): Decode =>
    record({ ...required({ light: part }), ...optional({ dark: part }) });
  return {
    color,
    size,
    spacing,
    images: themed(files),
    border: record(required({ color, width: number })),
    shadow: record(required({ color, radius: number, x: number, y: number })),
    shape: union('type', { rectangle, pill: lenient }),
    iconShape: union('type', { rectangle, circle: lenient }),
    mask: union('type', { rectangle, circle: lenient, concave: lenient, convex: lenient }),
    dimension: union('type', {
      vertical: record(required({ alignment: horizontal, distribution })),
      horizontal: record(required({ alignment: verticalAlignment, distribution })),
      zlayer: record(required({ alignment: twoDimensional })),
    }),
    videos: themed(
      record({
        ...required({ width: uint, height: uint, url, url_low_res: url }),
        ...optional({
          checksum: record(required({ algo: text, value: text })),
          checksum_low_res: record(required({ algo: text, value: text })),
        }),
      }),
    ),
  };
}

type Common = ReturnType<typeof commonTypes>;

function backgroundOf({ color, images, videos }: Common): Decode {
  return union('type', {
    color: record(required({ value: color })),
    image: record({
      ...required({ value: images, fit_mode: fitMode }),
      ...optional({ color_overlay: color }),
    }),
    video: record({
      ...required({ value: videos, fallback_image: images, loop: bool, mute_audio: bool, fit_mode: fitMode }),
      ...optional({ color_overlay: color }),
    }),
  });
}

const destination = union('destination', {
  customer_center: lenient,
  offer_code: lenient,
  sheet: lenient,
  ...Object.fromEntries(
    ['terms', 'privacy_policy', 'url', 'web_paywall_link'].map((name) => [
      name,
      record(required({ url: record(required({ url_lid: text, method: urlMethod })) })),
    ]),
  ),
});

function actionOf(stack: Decode): Decode {
  const sheet = record(required({ sheet: record(required({ id: text, stack, background_blur: bool })) }));
  return union('type', {
    restore_purchases: lenient,
    navigate_back: lenient,
    close_workflow: lenient,
    navigate_to: (value, path) => {
      destination(value, path);
      if ((value as { destination: string }).destination === 'sheet') sheet(value, path);
    },
  });
}

const web = optional({ auto_dismiss: bool, open_method: urlMethod });
const purchaseMethod = union('type', {
  in_app_checkout: lenient,
  web_checkout: record(web),
  web_product_selection: record(web),
  custom_web_checkout: record({
    ...required({
      custom_url: record({ ...required({ url_lid: text }), ...optional({ package_param: text }) }),
    }),
    ...web,
  }),
});

const animation = record(required({ type: text, ms_delay: int, ms_duration: int }));
const transition = record({
  ...required({ type: text, displacement_strategy: text }),
  ...optional({ animation }),
});
const stateUpdates = listOf(record(required({ set: text, to: scalar })));

interface Platform {
  common: Common;
  /** Fields with a default on Android, which iOS requires. */
  strict: (table: Table) => Fields;
  /** Fields with a default on Android, which iOS may miss. */
  loose: (table: Table) => Fields;
  components: (stack: Decode, overrides: (table: Table) => Fields) => Record<string, Fields>;
}

/** Conditions of a wrong form are inactive on both platforms: they never fail. */
function decoderOf({ common, strict, loose, components }: Platform): (document: unknown) => void {
  const overrides = (table: Table): Fields =>
    loose({
      overrides: listOf(
        record(required({ conditions: listOf(lenient), properties: record(optional(table)) })),
      ),
    });
  let forms: Record<string, Decode> = {};
  const component = componentOf(() => forms);
  const background = backgroundOf(common);
  const { color, size, spacing, shape, border, shadow, dimension } = common;
  const look: Table = { size, padding: spacing, margin: spacing };
  const badge: Decode = (value, path) =>
    record(required({ style: oneOf('overlay edge_to_edge nested'), alignment: twoDimensional, stack }))(
      value,
      path,
    );
  const changeable: Table = {
    spacing: number,
    background_color: color,
    background,
    shape,
    border,
    shadow,
    badge,
  };
  const stack: Decode = record(() => ({
    ...required({ components: listOf(component) }),
    ...strict({ ...look, dimension }),
    ...optional({ ...changeable, visible: bool }),
    ...overrides({ ...look, ...changeable, dimension, visible: bool }),
  }));
  const tables = components(stack, overrides);
  forms = {
    stack,
    ...Object.fromEntries(Object.entries(tables).map(([type, fields]) => [type, record(fields)])),
  };
  const bar = record(required({ stack }));
  const base = record({
    ...required({ stack, background }),
    ...optional({ header: bar, sticky_footer: bar }),
  });
  const declaration = union('type', {
    boolean: record(required({ default: bool })),
    integer: record(required({ default: int })),
    double: record(required({ default: number })),
    string: record(required({ default: text })),
  });
  const mode = oneOf(
    'without_proration with_time_proration charge_full_price charge_prorated_price deferred',
  );
  const decode = record({
    ...required({
      template_name: text,
      asset_base_url: url,
      components_config: record(required({ base })),
      components_localizations: mapOf(mapOf(either(text, common.images))),
      default_locale: text,
    }),
    ...loose({ revision: int }),
    ...optional({
      id: text,
      zero_decimal_place_countries: record(required({ apple: listOf(text), google: listOf(text) })),
      exit_offers: record(optional({ dismiss: record(required({ offering_id: text })) })),
      play_store_product_change_mode: record(
        optional({ upgrade_replacement_mode: mode, downgrade_replacement_mode: mode }),
      ),
      automatically_scale_font_size: bool,
      state_declarations: mapOf(declaration),
    }),
  });
  return (document) => decode(document, '');
}

/** Components that both platforms describe with the same fields. */
function sharedComponents(
  { color, size, spacing, shape, border, shadow, images, videos, mask, iconShape }: Common,
  { strict, loose }: Pick<Platform, 'strict' | 'loose'>,
  stack: Decode,
  overrides: (table: Table) => Fields,
  background: Decode,
  iconFormats: Decode,
): Record<string, Fields> {
  const look: Table = { size, padding: spacing, margin: spacing };
  const frame: Table = { background, shape, border, shadow };
  const hidden = optional({ visible: bool, name: text });
  const wording: Table = {
    font_name: text,
    font_weight: fontWeight,
    font_size: fontSize,
    horizontal_alignment: horizontal,
    background_color: color,
    font_weight_int: int,
  };
  const textFields: Fields = {
    ...required({ text_lid: text, color }),
    ...strict({
      font_weight: fontWeight,
      font_size: fontSize,
      horizontal_alignment: horizontal,
      ...look,
    }),
    ...optional({ font_name: text, background_color: color, font_weight_int: int }),
    ...hidden,
    ...overrides({ ...wording, ...look, text_lid: text, color, visible: bool }),
  };
  const picture: Table = {
    mask_shape: mask,
    color_overlay: color,
    border,
    shadow,
    override_source_lid: text,
  };
  const iconBackground = record({
    ...required({ color, shape: iconShape }),
    ...optional({ border, shadow }),
  });
  const icon: Table = { base_url: text, icon_name: text, formats: iconFormats };
  const iconFields: Fields = {
    ...required(icon),
    ...strict({ size, color }),
    ...optional({ icon_background: iconBackground }),
    ...loose({ padding: spacing, margin: spacing }),
    ...hidden,
    ...overrides({ ...icon, ...look, color, icon_background: iconBackground, visible: bool }),
  };
  const connector = record(required({ width: int, color, margin: spacing }));
  const item = record({
    ...required({ title: record(textFields), icon: record(iconFields) }),
    ...optional({ description: record(textFields), connector }),
    ...overrides({ connector, visible: bool }),
  });
  const gaps: Table = { item_spacing: int, text_spacing: int, column_gutter: int };
  const alignment = oneOf('title title_and_description');
  const indicator = record({
    ...required({ width: uint, height: uint, color }),
    ...optional({ stroke_color: color, stroke_width: uint }),
  });
  const pageControl = record({
    ...required({ position: text, active: indicator, default: indicator }),
    ...loose({ padding: spacing, margin: spacing }),
    ...optional({ spacing: int, background_color: color, shape, border, shadow }),
  });
  const paging: Table = {
    page_spacing: int,
    page_peek: int,
    initial_page_index: int,
    loop: bool,
    auto_advance: record({
      ...required({ ms_time_per_page: int, ms_transition_time: int }),
      ...optional({ transition_type: text }),
    }),
    page_control: pageControl,
  };
  const playing: Table = {
    show_controls: bool,
    auto_play: bool,
    loop: bool,
    mute_audio: bool,
    fit_mode: fitMode,
  };
  const haptic = optional({ haptic_feedback_enabled: bool });
  const colors = {
    thumb_color_on: color,
    thumb_color_off: color,
    track_color_on: color,
    track_color_off: color,
  };
  return {
    text: textFields,
    image: {
      ...required({ source: images }),
      ...strict({ size, fit_mode: fitMode }),
      ...loose({ padding: spacing, margin: spacing }),
      ...optional(picture),
      ...hidden,
      ...overrides({ ...picture, ...look, source: images, fit_mode: fitMode, visible: bool }),
    },
    icon: iconFields,
    button: {
      ...required({ action: actionOf(stack), stack }),
      ...optional({ transition, state_updates: stateUpdates }),
      ...hidden,
    },
    package: {
      ...required({ package_id: text, is_selected_by_default: bool, stack }),
      ...optional({
        apple_promo_offer_product_code: text,
        play_store_offer: record(required({ offer_id: text })),
      }),
      ...haptic,
      ...overrides({ visible: bool }),
    },
    purchase_button: {
      ...required({ stack }),
      ...optional({ action: checkout, method: purchaseMethod }),
      ...hidden,
    },
    timeline: {
      ...required({ ...gaps, icon_alignment: alignment }),
      ...strict({ ...look, items: listOf(item) }),
      ...hidden,
      ...overrides({ ...gaps, ...look, icon_alignment: alignment, visible: bool }),
    },
    tabs: {
      ...required({
        control: union('type', { buttons: record(required({ stack })), toggle: record(required({ stack })) }),
        tabs: listOf(record({ ...required({ id: text, stack }), ...optional({ name: text }) })),
      }),
      ...strict(look),
      ...optional({ ...frame, default_tab_id: text, state_updates: stateUpdates }),
      ...hidden,
      ...overrides({ ...look, ...frame, visible: bool }),
    },
    tab_control: {},
    tab_control_button: { ...required({ tab_id: text, tab_index: int, stack }), ...haptic },
    tab_control_toggle: { ...required({ default_value: bool, ...colors }), ...haptic },
    carousel: {
      ...required({ pages: listOf(stack), page_alignment: verticalAlignment }),
      ...required({ page_spacing: int, page_peek: int, initial_page_index: int, loop: bool }),
      ...loose(look),
      ...optional({ ...frame, auto_advance: paging.auto_advance ?? lenient, page_control: pageControl }),
      ...hidden,
      ...overrides({ ...paging, ...look, ...frame, page_alignment: verticalAlignment, visible: bool }),
    },
    countdown: {
      ...required({ style: record(required({ type: text, date: text })), countdown_stack: stack }),
      ...strict({ count_from: oneOf('days hours minutes') }),
      ...optional({ end_stack: stack, fallback: stack }),
      ...hidden,
      ...overrides({ visible: bool }),
    },
    video: {
      ...required({ source: videos, size, ...playing }),
      ...optional({ ...picture, fallback_source: images, padding: spacing, margin: spacing }),
      ...hidden,
      ...overrides({
        ...picture,
        ...playing,
        ...look,
        source: videos,
        fallback_source: images,
        visible: bool,
      }),
    },
    web_view: {
      ...required({ id: text, url: text, protocol_version: int }),
      ...loose({ size }),
      ...hidden,
    },
  };
}

function platform(
  common: Common,
  defaults: Pick<Platform, 'strict' | 'loose'>,
  iconFormats: Decode,
): Platform {
  const background = backgroundOf(common);
  return {
    common,
    ...defaults,
    components: (stack, overrides) =>
      sharedComponents(common, defaults, stack, overrides, background, iconFormats),
  };
}

const relativeSize = record(required({ value: number }));
const fixedSize = record(required({ value: uint }));

function sizeOf(fit: Decode, relative: Decode): Decode {
  const constraint = union('type', { fit, fill: lenient, fixed: fixedSize, relative });
  return record(required({ width: constraint, height: constraint }));
}

const sides = { top: number, bottom: number, leading: number, trailing: number };

/** On iOS most fields are required, and null counts as absent. @throws DecodingError */
export const decodeOnIos = decoderOf(
  platform(
    commonTypes(
      schemeOf(points),
      record(required({ width: int, height: int, original: url, heic: url, heic_low_res: url })),
      sizeOf(record(optional({ default: uint })), relativeSize),
      record(optional(sides)),
    ),
    { strict: required, loose: optional },
    record(required({ svg: text, png: text, heic: text, webp: text })),
  ),
);

/** On Android many fields have a default, which null breaks. @throws DecodingError */
export const decodeOnAndroid = decoderOf(
  platform(
    commonTypes(
      schemeOf(points32),
      record(required({ width: uint, height: uint, original: url, webp: url, webp_low_res: url })),
      sizeOf(lenient, lenient),
      record(defaulted(sides)),
    ),
    { strict: defaulted, loose: defaulted },
    record(required({ webp: text })),
  ),
);
