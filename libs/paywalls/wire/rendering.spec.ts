import { textOf } from '../document/text-of.js';
import { templateDocument } from '../testing/context.js';
import { hasPeriodWords, periodTexts } from './period-texts.js';
import { uiConfig, withEnglish } from './ui-config.js';
import { knownWebTags, webDocument, webTag, withWebLocales } from './web-locales.js';
import { workflowOf } from './workflow.js';

describe('texts of periods', () => {
  it('has English texts for every key that SDKs know', () => {
    expect(periodTexts('en_US')).toMatchObject({
      day: 'day',
      daily: 'daily',
      month_short: 'mth',
      num_month_one: '%d month',
      num_month_few: '%d months',
      num_years_short: '%dy',
      annual_short: 'yr',
      lifetime: 'lifetime',
      free_price: 'free',
      percent: '%d%%',
    });
    expect(Object.keys(periodTexts('en_US'))).toHaveLength(46);
  });

  it.each([
    ['de_DE', 'num_day_other', '%d Tage'],
    ['de_DE', 'percent', '%d %%'],
    ['fr_FR', 'monthly', 'mensuel'],
    ['ru_RU', 'num_month_few', '%d месяца'],
    ['ru_RU', 'num_month_many', '%d месяцев'],
    ['ru_RU', 'monthly', 'monthly'],
    ['ja_JP', 'num_week_one', '%d 週間'],
    ['zh_TW', 'free_price', '免費'],
    ['zh_Hans_HK', 'free_price', '免费'],
    ['zh_CN', 'free_price', '免费'],
  ])('has for %s as %s: %s', (locale, key, text) => {
    expect(periodTexts(locale)[key]?.replaceAll('\u00a0', ' ')).toBe(text);
  });

  it('knows which languages have words of their own', () => {
    expect(['en_GB', 'pt_BR', 'zh_Hant'].map(hasPeriodWords)).toEqual([true, true, true]);
    expect(['ru_RU', 'toString'].map(hasPeriodWords)).toEqual([false, false]);
  });
});

describe('shared configuration', () => {
  it('names a font for each platform', () => {
    const font = {
      url: 'https://a/f',
      postScriptName: 'Inter-Bold',
      md5: 'ab',
      family: 'Inter',
      weight: 700,
      style: 'normal',
    };
    const settings = {
      colors: { brand: { light: { type: 'hex', value: '#ffffff' } } },
      fonts: { title: font },
      customVariables: {},
    };
    const { app, localizations, custom_variables } = uiConfig(settings, withEnglish(['de_DE', 'en_US']));
    const named = {
      type: 'name',
      value: 'Inter-Bold',
      family: 'Inter',
      url: 'https://a/f',
      hash: 'ab',
      weight: 700,
      style: 'normal',
    };
    expect(app).toEqual({
      colors: settings.colors,
      fonts: { title: { ios: named, android: named, web: named } },
    });
    expect(Object.keys(localizations)).toEqual(['de_DE', 'en_US']);
    expect(custom_variables).toEqual({});
  });
});

describe('texts for browsers', () => {
  const texts = { en_US: 1, de_DE: 2, zh_Hant_TW: 3 };

  it('adds each locale with hyphens', () => {
    expect(withWebLocales(texts, null)).toEqual({ ...texts, 'en-US': 1, 'de-DE': 2, 'zh-Hant-TW': 3 });
  });

  it.each([
    ['de-AT', 2],
    ['de-DE', 2],
    ['fr-FR', undefined],
  ])('answers %s with the first locale of its language', (tag, value) => {
    expect(withWebLocales(texts, tag)[tag]).toBe(value);
  });

  it.each([
    ['de-AT,de;q=0.9', 'de-AT'],
    ['fr-FR', 'fr-FR'],
    ['de', null],
    ['xx-YY', null],
    ['', null],
    [undefined, null],
  ])('reads the preferred language of %p', (header, tag) => {
    expect(webTag(header)).toBe(tag);
  });

  it('knows a hundred tags', () => {
    expect(knownWebTags.size).toBe(100);
  });

  it('adds them to a document', () => {
    const { components_localizations: localizations } = webDocument(templateDocument('simple'), 'en-AU');
    expect(Object.keys(localizations)).toEqual(['en_US', 'en-US', 'en-AU']);
  });
});

describe('a workflow', () => {
  it('shows the paywall as its only screen', () => {
    const document = templateDocument('simple');
    const workflow = workflowOf(document, { name: 'Simple', offeringIdentifier: 'default' });
    const { id, ...screen } = document;
    expect(workflow).toMatchObject({ id: 'wfpw1', display_name: 'Simple', initial_step_id: 'main' });
    expect(workflow.screens).toEqual({
      [textOf(id)]: { ...screen, name: 'Simple', offering_identifier: 'default', config: {} },
    });
    expect(workflow.steps).toMatchObject({
      main: { screen_id: 'pw1', metadata: { screen_type: ['paywall'] } },
    });
  });
});
