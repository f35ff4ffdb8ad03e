/**
 * Whether what a decoder says of a picture means that a part of it is not what was drawn. Others of its warnings are
 * about how some cameras and programs write their files, which every viewer shows as they are: bytes before a marker, an
 * odd parameter of a scan.
 */
export function isPictureDamage(decoderWords: string): boolean {
  const harmless = /^VipsJpeg: (?:Corrupt JPEG data: \d+ extraneous bytes before marker|Invalid SOS parameters)/;
  return decoderWords.split('\n').some((line) => line.trim() !== '' && !harmless.test(line));
}
