import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { fileError } from '../findings/manifest-error.js';

/** Multi-byte characters have a structure that text in another encoding does not have by chance. */
const manyBytes: ReadonlySet<string> = new Set(['Shift_JIS', 'EUC-JP', 'EUC-KR', 'GB18030', 'Big5']);
const manyBytesFrom = 80;

/** One byte per character, but recognisable: hardly a letter of their words is ASCII. */
const cyrillic: ReadonlySet<string> = new Set(['windows-1251', 'KOI8-R']);
const cyrillicHighShare = 0.75;
const cyrillicHighBytes = 20;

/** Bytes that windows-1252 does not have. */
const noWestern = /[\x81\x8d\x8f\x90\x9d]/;
/** Symbols within words: what letters of another alphabet look like when read as windows-1252. */
const signInWord = /\p{Letter}[¿³¹¼¾¶¤¢£¥¦§©®¯±²µ¸¬]\p{Letter}/u;

/**
 * Guesses the encoding of text that is not UTF-8: the detector's if it is safe, else the one that western spreadsheets
 * save; with words that show whether it is right.
 *
 * @throws ManifestError for text that is mostly UTF-8 (read as anything else, all of that would be damaged),
 * and for text that windows-1252 makes no sense of.
 */
export function guessEncoding(
  sample: Buffer,
  firstInvalid: number,
): { readonly name: string; readonly sample: readonly string[] } {
  const at = `byte ${firstInvalid + 1} is not UTF-8`;
  const text = sample.toString('utf8');
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const good = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  if (good > broken) {
    throw fileError(
      'mixed_encoding',
      `${at}, and the text around it is; save the file as UTF-8, or name an --encoding`,
    );
  }
  const guess = ofManyBytes(sample) ?? ofCyrillic(sample) ?? 'windows-1252';
  if (guess === 'windows-1252' && (noWestern.test(sample.toString('latin1')) || signInWord.test(western(sample)))) {
    throw fileError('unclear_encoding', `${at}, nor Windows-1252; save the file as UTF-8, or name its --encoding`);
  }
  return { name: guess, sample: tellingWords(iconv.decode(sample, guess)) };
}

const maxWords = 3;

/** Words with letters outside ASCII. */
function tellingWords(text: string): readonly string[] {
  const words = text.match(/[^\s",;]*[^\s",;\0-\x7f][^\s",;]*/g) ?? [];
  return [...new Set(words.map((word) => word.slice(0, 24)))].slice(0, maxWords);
}

function ofManyBytes(sample: Buffer): string | null {
  const best = analyse(sample).find(({ name }) => manyBytes.has(name));
  return best && best.confidence >= manyBytesFrom ? best.name : null;
}

function ofCyrillic(sample: Buffer): string | null {
  const words =
    sample
      .toString('latin1')
      .match(/[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*/g)
      ?.join(' ') ?? '';
  const high = words.match(/[\x80-\xff]/g)?.length ?? 0;
  const plain = words.match(/[A-Za-z]/g)?.length ?? 0;
  if (high < cyrillicHighBytes || high < (high + plain) * cyrillicHighShare) return null;
  return analyse(Buffer.from(words, 'latin1')).find(({ name }) => cyrillic.has(name))?.name ?? null;
}

function western(sample: Buffer): string {
  return iconv.decode(sample, 'windows-1252');
}
