import { describe, expect, test } from 'vitest';
import { screenTextOf } from '../../../../studio/render/plan/screen-text.js';

describe('what a brief says to the film is not shown', () => {
  test.each([
    ['CUT TO: a runner at dawn. FADE OUT.', ['A runner at dawn.']],
    ['Smash cut to:\nA city.\nFade to black.', ['A city.']],
    [
      'EXT. BEACH - SUNSET\nMara runs (laughing) on.\nINT. KITCHEN - NIGHT\nShe bakes.',
      ['Mara runs on.', 'She bakes.'],
    ],
    ['Scene 1: A city wakes.\nScene 2 (wide): People run.', ['A city wakes.', 'People run.']],
    ['[0:00-0:03] Logo appears\n0:03-0:08 - She waves.', ['Logo appears', 'She waves.']],
    ['A fox waits. [music swells] It runs.', ['A fox waits.', 'It runs.']],
    ['Music: upbeat. A fox runs. Camera: slow dolly in.', ['A fox runs.']],
    ['The camera slowly pans left. A barista pours.', ['A barista pours.']],
    ['Negative prompt: blurry, low quality\nA fox.', ['A fox.']],
    ['Voiceover: "Every morning counts."', ['“Every morning counts.”']],
    ['CTA: Buy now', ['Buy now']],
    ['# Launch\n---\n- **Bold** start', ['Launch', 'Bold start']],
    ['Wide shot of a beach at dawn.', ['A beach at dawn.']],
    ['A fox, no logos, in the snow.', ['A fox, in the snow.']],
  ])('%j', (prompt, sentences) => {
    expect(screenTextOf(prompt)).toMatchObject({ sentences, silent: false });
  });

  test.each([
    ['A fox waits in the snow. No text on screen.', ['A fox waits in the snow.']],
    ['A fox in the snow, without any captions.', ['A fox in the snow.']],
    ['No titles or logos. A fox.', ['A fox.']],
    ['Please no on-screen text. A fox.', ['A fox.']],
    ["Don't use captions! A fox.", ['A fox.']],
    ['Ein Fuchs im Schnee, ohne Text.', ['Ein Fuchs im Schnee.']],
    ['テキストなし。朝の海。', ['朝の海。']],
    ['A fox (no text) waits.', ['A fox waits.']],
  ])('%j is a film without words', (prompt, sentences) => {
    expect(screenTextOf(prompt)).toMatchObject({ sentences, silent: true });
  });

  test.each([
    'A world without words is a quiet world.',
    'No words can say it.',
    'Without music, life would be a mistake.',
    'Cut the price in half.',
    'Fade in summer colours.',
    'No people were harmed.',
    'Pan-fried dumplings sizzle.',
    'She bakes bread (with flour).',
    'Her camera follows the sea.',
  ])('%s is shown as it is', (prompt) => {
    expect(screenTextOf(prompt)).toMatchObject({ sentences: [prompt], directions: [], silent: false });
  });

  test('a sentence is told where its scene heading says that it is', () => {
    const { places } = screenTextOf(
      'A start.\nEXT. BEACH - DAY\nMara runs.\nINT. KITCHEN - NIGHT\nShe bakes. She waits.',
    );
    expect([...places]).toEqual([
      ['Mara runs.', 'EXT. BEACH - DAY'],
      ['She bakes.', 'INT. KITCHEN - NIGHT'],
      ['She waits.', 'INT. KITCHEN - NIGHT'],
    ]);
  });

  test('a brief of directions alone is a film without words', () => {
    expect(screenTextOf('EXT. BEACH - SUNSET')).toMatchObject({ silent: true, sentences: ['EXT. BEACH – SUNSET'] });
  });
});
