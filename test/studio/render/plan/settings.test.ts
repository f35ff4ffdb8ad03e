import { describe, expect, test } from 'vitest';
import { settingsIn, weatherIn } from '../../../../studio/render/plan/settings.js';

describe('settings', () => {
  test.each([
    ['The sea lies still below the mountains.', ['sea', 'hills']],
    ['Rush hour in the city', ['city']],
    ['夜明けの海', ['lights', 'sea']],
    ['Zwei Berge am Meer', ['hills', 'sea']],
    ['הילדים משחקים בחצר', []],
    ['בוקר טוב על חוף הים', ['sky', 'sea']],
    ['في المدينة والجبل', ['city', 'hills']],
    ['今天大家都来了', []],
    ['부산의 생산 라인', []],
    ['Maria reads the Martian news', []],
    ['They look the sealed box over', []],
    ['nothing in particular', []],
  ])('of "%s" are %j', (text, settings) => {
    expect(settingsIn(text).toSorted()).toEqual([...settings].toSorted());
  });

  test('come in the order in which they are spoken of', () => {
    expect(settingsIn('From the mountains to the sea')).toEqual(['hills', 'sea']);
    expect(settingsIn('From the sea to the mountains')).toEqual(['sea', 'hills']);
  });

  test.each([
    ['It rains on the roof', 'rain'],
    ['a rainy day', 'rain'],
    ['the training ground', 'none'],
    ['Snow falls', 'snow'],
    ['祝你生日快乐', 'confetti'],
  ])('weather of "%s" is %s', (text, weather) => {
    expect(weatherIn(text)).toBe(weather);
  });
});
