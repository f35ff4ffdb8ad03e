import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eachSetting } from '../../home/settings.js';
import { configurationPage } from './configuration-page.js';

test('docs/configuration.md is what the schema of the settings makes; -u writes it', async () => {
  const page = fileURLToPath(new URL('../../docs/configuration.md', import.meta.url));
  await expect(configurationPage()).toMatchFileSnapshot(page);
});

test('every setting says what it means', () => {
  expect(eachSetting().filter(({ description }) => description === '')).toEqual([]);
});
