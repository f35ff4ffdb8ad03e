import { test } from 'vitest';
import { expectWhole } from './whole-music.js';

test.each([17, 30, 120])('music of %d s is exactly as long, audible, not clipped, and gone at its end', expectWhole);
