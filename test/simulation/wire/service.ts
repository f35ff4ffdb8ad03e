import { mkdir, writeFile } from 'node:fs/promises';
import { filmFiles } from '../../../studio/render/film-files.js';
import type { Renderer } from '../../../studio/render/renderer.js';
import { createStudio, type Studio } from '../../../studio/studio.js';
import { film } from '../../archive/film.js';
import type { Scenario } from '../scenario.js';
import { apiKey } from './network.js';

const films = new Map<number, Promise<Buffer>>();

/** Small films of the right length, made once a process: what they show is nothing to the simulation. */
const renderer: Renderer = {
  async renderFilm(spec) {
    const files = filmFiles(spec).filter(({ type }) => type === 'final_video' || type === 'captions');
    await mkdir(spec.outFolder, { recursive: true });
    const made = films.get(spec.durationSeconds) ?? film({ durationSeconds: spec.durationSeconds });
    films.set(spec.durationSeconds, made);
    for (const { type, path } of files) await writeFile(path, type === 'final_video' ? await made : 'WEBVTT\n');
    return files;
  },
  probeReference: () => Promise.reject(new Error('the simulation uploads nothing')),
};

/** The studio with its own books and state machine; opened again it goes on from its folder. */
export function openService(dataFolder: string, scenario: Scenario, clock: () => number): Promise<Studio> {
  return createStudio({
    ...{ dataFolder, apiKeys: [apiKey], render: 'stub', books: true, clock, renderer, idempotency: scenario.mode },
    jobSeconds: scenario.jobSeconds,
    faults: { rules: [...scenario.rules] as never }, // each is a whole rule, without the parts that have defaults
    onError: (error) => {
      throw error;
    },
  });
}
