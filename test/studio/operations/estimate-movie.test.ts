import { expect, test } from 'vitest';
import { brief, codeOf, openStudio } from '../open-studio.js';

test('what no font here draws, or has no word, is refused before it is priced, and is not created either', async () => {
  const { call, studio } = await openStudio({ render: 'draft' });
  for (const prompt of ['ᮘᮞ ᮞᮥᮔ᮪ᮓ ᮘᮞ ᮞᮥᮔ᮪ᮓ', '🚀🚀🚀 … 🚀🚀🚀!']) {
    for (const path of ['/movies/estimate', '/movies']) {
      const answer = await call('POST', path, { body: { ...brief, prompt } });
      expect((await answer.clone().text()).replaceAll('\\', '')).toMatch(
        /prompt: (?:no font here draws "ᮘ"|has no word)/u,
      );
      expect(await codeOf(answer)).toBe('400 invalid_request');
    }
  }
  expect(studio.books().creates).toEqual([]);
});

test('an estimate says first what the film does with its text', async () => {
  const { call } = await openStudio({ render: 'film' });
  const estimate = async (prompt: string) =>
    (await (await call('POST', '/movies/estimate', { body: { ...brief, prompt } })).json()) as {
      assumptions: string[];
    };
  const plain = (await estimate('A fox waits.')).assumptions;
  const directed = (await estimate('A fox waits. No text on screen.')).assumptions;
  expect(directed).toEqual(['No text is shown in the film, as the brief asks', ...plain]);
});
