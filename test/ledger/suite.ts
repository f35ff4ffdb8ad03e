import { afterEach, beforeEach, describe } from 'vitest';
import type { Databases } from './databases.js';
import { type Scene, setTheScene } from './scene.js';
import { expectSoundBooks } from './sound.js';

export interface Stage {
  /** Fresh for each test: a ledger without solo work, with the budgets `acme` (100,000.00 USD) and `acme/spring` (10,000.00 USD). */
  readonly scene: Scene;
  /** Of the scene's ledger, for further processes. */
  readonly url: string;
  /** Says that the test changes the books behind their back: these kinds of faults are there afterwards. */
  leavesFaults(...kinds: readonly string[]): void;
}

/** One subject of the ledger on one kind of database. Whatever a test did, the books add up afterwards. */
export function suite(subject: string, databases: Databases, cases: (stage: Stage) => void): void {
  describe(`${subject} (${databases.name})`, () => {
    let current: Pick<Stage, 'scene' | 'url'> | undefined;
    let faults: readonly string[] = [];
    beforeEach(async () => {
      const { ledger, url } = await databases.open({ solo: false });
      const scene = setTheScene(ledger);
      await scene.fund('acme', 10_000_000);
      await scene.fund('acme/spring', 1_000_000);
      current = { scene, url };
      faults = [];
    });
    afterEach(async () => {
      if (current) await expectSoundBooks(current.scene.ledger, faults);
      current = undefined;
      await databases.clear();
    });
    const stage = () => {
      if (!current) throw new Error('the stage is set for each test only');
      return current;
    };
    cases({
      get scene() {
        return stage().scene;
      },
      get url() {
        return stage().url;
      },
      leavesFaults(...kinds) {
        faults = kinds;
      },
    });
  });
}
